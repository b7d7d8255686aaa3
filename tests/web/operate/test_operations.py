"""What operators are told and given: the numbers, options and files are those of the code."""

import re
import shlex
import shutil
import subprocess
import sys
from fnmatch import fnmatch
from pathlib import Path

import pytest
import yaml

from app.cli.serve import serve
from app.web import connections
from app.web.app import PAGES
from app.web.base import limits
from app.web.operate import health
from app.web.operate.numbers import Numbers
from app.web.serve import GRACE
from tests.caddy import caddy
from tests.nginx import nginx, written

ROOT = Path(__file__).resolve().parents[3]
DEPLOY = ROOT / "docs/deploy"
GUIDE = (ROOT / "docs/operations.md").read_text("utf-8")
CONTAINER = re.sub(r"\\\n", " ", (DEPLOY / "Containerfile").read_text("utf-8"))
PROJECT = (ROOT / "pyproject.toml").read_text("utf-8")
WRONG_IN_IMAGES = {
    "no version of a base": (r"^FROM (?!\S+:\d)", "FROM python:latest"),
    "adding instead of copying": (r"^ADD ", "ADD app app"),
    "copying everything": (r"^COPY (--\S+ )?\.", "COPY . /source"),
    "several files into what is no folder": (r"^COPY (?!--)\S+ \S+ .*[^/]$", "COPY a b c"),
    "a folder that depends on the one before": (r"^WORKDIR [^/]", "WORKDIR source"),
    "becoming root again": (r"^USER (0|root)\b|\bsudo\b", "USER root"),
    "programs from anywhere": (r"\b(curl|wget)\b", "RUN curl -s https://a | sh"),
    "packages of any version": (r"pip install (?!.*==)", "RUN pip install --no-cache-dir uv"),
    "caches that are kept": (r"pip install (?!.*--no-cache-dir)|uv sync (?!.*--no-cache)", "RUN pip install uv==1"),
    "what is not locked": (r"uv sync (?!.*--frozen)", "RUN uv sync --no-cache"),
    "a shell between signals and the program": (r"^(ENTRYPOINT|CMD) [^\[]", "CMD bluecut serve"),
    "a log of logins as long as the number of the user": (
        r"useradd (?!.*--no-log-init)",
        "RUN useradd --uid 10001 bluecut",
    ),
}
"""What no line of the description of an image may be, after the rules of hadolint, and a line that is."""
OPTIONS = {option for each in serve.params for option in (*each.opts, *each.secondary_opts)}


def instructions(name: str) -> list[str]:
    return re.findall(rf"^{name} (.*)$", CONTAINER, re.MULTILINE)


def started(words: list[str]) -> list[str]:
    """Return the options that a command gives to ``bluecut serve``."""
    return [word for word in words if word.startswith("--")]


def test_the_room_on_the_disk_is_that_of_the_code() -> None:
    assert f"at least {health.LEAST_ROOM // 1_000_000} MB free" in GUIDE


def test_every_option_of_the_server_is_explained() -> None:
    assert {each.opts[0] for each in serve.params} - {"--open"} - set(re.findall(r"--[a-z-]+", GUIDE)) <= {"--jobs"}
    assert set(re.findall(r"`(--[a-z-]+)", GUIDE)) <= OPTIONS


def test_every_number_that_is_explained_is_counted() -> None:
    class Line:
        places, waiting, busy = 1, 1, 1

    counted = {family.name for family in Numbers("1", Line()).collect()}
    explained = {name.removesuffix("_total") for name in re.findall(r"`(bluecut_\w+)", GUIDE)}
    assert explained <= counted
    assert counted - explained == {"bluecut_info", "bluecut_workers"}


def test_every_link_leads_to_a_file() -> None:
    for guide in (ROOT / "docs/operations.md", ROOT / "docs/SECURITY.md"):
        for there in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", guide.read_text("utf-8")):
            assert "://" in there or (guide.parent / there).exists(), there


def test_what_is_copied_into_the_image_is_there_and_is_all_that_the_package_needs() -> None:
    copied = [word for each in instructions("COPY") if "--from" not in each for word in each.split()[:-1]]
    assert all((ROOT / name).exists() for name in copied)
    needed = set(re.findall(r'^"(\w+)" = "app/_data', (ROOT / "pyproject.toml").read_text("utf-8"), re.MULTILINE))
    assert needed | {"app", "pyproject.toml", "uv.lock", "README.md"} <= set(copied)


def test_the_image_is_not_run_as_root_keeps_its_data_apart_and_is_asked_for_its_health() -> None:
    (user,) = instructions("USER")
    assert int(user) > 1_000
    assert instructions("VOLUME") == ["/data"]
    begins, more = (yaml.safe_load(instructions(name)[-1]) for name in ("ENTRYPOINT", "CMD"))
    assert begins[:2] == ["bluecut", "serve"]
    assert begins[begins.index("--data") + 1] == "/data"
    assert set(started([*begins, *more])) <= OPTIONS
    port = begins[begins.index("--port") + 1]
    asked = CONTAINER.partition("HEALTHCHECK")[2].partition("\n")[0]
    address = re.findall(r"http://127\.0\.0\.1:(\d+)(/\w+)", asked)
    assert address == [(port, "/healthz")]
    assert "/healthz" in {getattr(route, "path", "") for module in PAGES for route in module.router.routes}
    compile(yaml.safe_load(re.findall(r"CMD (\[.*\])", asked)[0])[2], "health check", "exec")


def test_what_is_copied_is_no_more_than_the_image_needs() -> None:
    """Builders read what is left out beside the file that they are given."""
    lines = (DEPLOY / "Containerfile.dockerignore").read_text("utf-8").splitlines()
    left = [line for line in lines if line and not line.startswith("#")]
    assert {".git", ".venv", "**/__pycache__", "app/_compiled*"} <= set(left)
    for each in instructions("COPY"):
        for name in each.split()[:-1]:
            assert not any(fnmatch(name, pattern) for pattern in left), name


@pytest.mark.parametrize(("wrong", "example"), WRONG_IN_IMAGES.values(), ids=WRONG_IN_IMAGES)
def test_nothing_is_in_the_image_that_reviewers_of_images_object_to(wrong: str, example: str) -> None:
    assert re.search(wrong, example)
    found = [line for line in CONTAINER.splitlines() if not line.startswith("#") and re.search(wrong, line)]
    assert not found


def test_the_image_has_a_python_that_the_package_runs_on() -> None:
    least = tuple(map(int, re.findall(r'^requires-python = ">=(\d+)\.(\d+)"', PROJECT, re.MULTILINE)[0]))
    for each in instructions("FROM"):
        assert tuple(map(int, re.findall(r"/python:(\d+)\.(\d+)-slim", each)[0])) >= least
    assert len({each.split()[0] for each in instructions("FROM")}) == 1  # what is built there runs here
    assert len(instructions("ENTRYPOINT")) == len(instructions("CMD")) == len(instructions("USER")) == 1
    assert CONTAINER.index("\nUSER ") > CONTAINER.rindex("\nRUN ")


def test_compose_gives_the_container_no_rights_and_bounds_what_it_takes() -> None:
    (service,) = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))["services"].values()
    assert service["cap_drop"] == ["ALL"] and "no-new-privileges:true" in service["security_opt"]
    assert re.findall("^MemoryMax=(.*)$", unit(), re.MULTILINE) == [service["mem_limit"].upper()]
    assert int(service["command"][service["command"].index("--per-address") + 1]) == connections.MOST
    ahead = int(service["stop_grace_period"].removesuffix("s"))
    assert ahead > 2 * GRACE


def test_compose_has_one_service_that_only_this_machine_reaches() -> None:
    described = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
    (service,) = described["services"].values()
    context = (DEPLOY / service["build"]["context"]).resolve()
    assert context == ROOT
    assert (context / service["build"]["dockerfile"]).is_file()
    assert [each.split(":")[0] for each in service["ports"]] == ["127.0.0.1"]
    assert {each.split(":")[0] for each in service["volumes"]} == set(described["volumes"])
    assert service["read_only"] is True
    assert set(started(service["command"])) <= OPTIONS


def unit() -> str:
    return (DEPLOY / "bluecut.service").read_text("utf-8")


def test_the_unit_starts_the_server_with_options_that_there_are() -> None:
    (line,) = re.findall(r"^ExecStart=(.*)$", unit(), re.MULTILINE)
    words = shlex.split(line)
    assert words[0].endswith("/.venv/bin/bluecut")
    assert words[1] == "serve"
    assert set(started(words)) <= OPTIONS
    folder = words[words.index("--data") + 1]
    assert folder == f"/var/lib/{re.findall('^StateDirectory=(.*)$', unit(), re.MULTILINE)[0]}"


def test_systemd_takes_the_unit(tmp_path: Path) -> None:
    program = shutil.which("systemd-analyze")
    if program is None:
        pytest.skip("there is no systemd-analyze here")
    mine = tmp_path / "bluecut.service"
    mine.write_text(unit().replace("/opt/bluecut/.venv/bin/bluecut", str(Path(sys.executable).with_name("bluecut"))))
    said = subprocess.run([program, "verify", mine], capture_output=True, text=True, check=False)
    assert (said.returncode, said.stderr) == (0, "")


def test_the_unit_may_do_little() -> None:
    program = shutil.which("systemd-analyze")
    if program is None:
        pytest.skip("there is no systemd-analyze here")
    command = [program, "security", "--offline=true", "--threshold=20", str(DEPLOY / "bluecut.service")]
    said = subprocess.run(command, capture_output=True, text=True, check=False)
    assert said.returncode == 0, said.stdout[-200:] + said.stderr


def test_nginx_lets_through_all_that_the_server_takes() -> None:
    (most,) = re.findall(r"client_max_body_size (\d+)m;", (DEPLOY / "nginx.conf").read_text("utf-8"))
    assert int(most) * 1_048_576 == max(limits.MOST_BODY, *limits.LARGER.values())


def test_caddys_lines_are_closed_and_ask_the_port_at_which_the_server_is() -> None:
    lines = (DEPLOY / "Caddyfile").read_text("utf-8")
    inside = re.fullmatch(r"(?:#.*\n)*campus\.example \{\n((?:\t\w+ .*\n)+)\}\n", lines)
    assert inside, "one site, an instruction a line"
    (port,) = (each.default for each in serve.params if each.name == "port")
    assert [line.split() for line in inside[1].splitlines()][-1] == ["reverse_proxy", "/bluecut/*", f"127.0.0.1:{port}"]
    (asked,) = re.findall(r"proxy_pass http://127\.0\.0\.1:(\d+);", (DEPLOY / "nginx.conf").read_text("utf-8"))
    assert int(asked) == port


@pytest.mark.slow
def test_nginx_takes_its_lines(tmp_path: Path) -> None:
    program = nginx()
    written(tmp_path, "http://127.0.0.1:8000", buffering=True, strips=False)
    command = [program, "-t", "-q", "-p", f"{tmp_path}", "-c", f"{tmp_path}/nginx.conf", "-e", f"{tmp_path}/log"]
    said = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (said.returncode, said.stderr) == (0, "")


@pytest.mark.slow
def test_caddy_takes_its_lines() -> None:
    command = [caddy(), "validate", "--adapter", "caddyfile", "--config", str(DEPLOY / "Caddyfile")]
    said = subprocess.run(command, capture_output=True, text=True, check=False)
    assert said.returncode == 0, said.stderr


@pytest.mark.parametrize("name", ["nginx.conf", "Caddyfile"])
def test_a_proxy_keeps_the_numbers_from_visitors_and_names_the_options(name: str) -> None:
    lines = (DEPLOY / name).read_text("utf-8")
    assert re.search(r"/bluecut/metrics\b[^\n]*(\n[^\n]*)?404", lines)
    (command,) = re.findall(r"bluecut serve (.*)", lines)
    assert set(started(command.split())) <= OPTIONS
