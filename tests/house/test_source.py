"""The house rules that a program can check: layers, determinism, docstrings, lengths, types, nothing from outside."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from app.algorithms.registry import HANDLERS

ROOT = Path(__file__).parents[2]
PYTHON = sorted((ROOT / "app").rglob("*.py"))
SCRIPTS = sorted((ROOT / "static/js").rglob("*.js"))
DOCUMENTS = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
BIN = Path(sys.executable).parent

LONGEST = 500
PURE = ("core", "algorithms", "programs", "forms", "schedules", "scenario", "run", "analysis", "words")
"""The folders in which a run is a function of its key."""
TOP = {
    ".ci", ".git", ".gitignore", ".oxfmtrc.json", ".oxlintrc.json", ".pre-commit-config.yaml", "CHANGELOG.md",
    "CITATION.cff", "LICENSE", "README.md", "app", "docs", "pyproject.toml", "scenarios", "static", "templates",
    "tests", "uv.lock",
}  # fmt: skip


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def tool(*command: str) -> str:
    """Run a tool of the environment; return its complaints."""
    done = subprocess.run([str(BIN / command[0]), *command[1:]], cwd=ROOT, capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else done.stdout + done.stderr


@cache
def tree(path: Path) -> ast.Module:
    """Return what a file means to Python."""
    return ast.parse(path.read_text("utf-8"))


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """Return everything in a file."""
    return tuple(ast.walk(tree(path)))


@pytest.fixture(scope="module", autouse=True)
def _forgotten() -> Iterator[None]:
    """Keep no trees for the tests of other files: they are large."""
    yield
    nodes.cache_clear()
    tree.cache_clear()


def dotted(node: ast.expr) -> str:
    """Return a name with its dots; nothing of what is no name."""
    if isinstance(node, ast.Name):
        return node.id
    before = dotted(node.value) if isinstance(node, ast.Attribute) else ""
    return f"{before}.{node.attr}" if isinstance(node, ast.Attribute) and before else ""


@cache
def imports(path: Path) -> set[str]:
    """Return the modules that a file imports, with their full names."""
    found: set[str] = set()
    for node in nodes(path):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name(path)} imports relatively"
            found.add(node.module or "")
    return found


def roots(path: Path) -> set[str]:
    """Return the packages that a file imports from."""
    return {module.split(".")[0] for module in imports(path)}


def inside(*folders: str) -> list[Path]:
    return [path for path in PYTHON if any(name(path).startswith(f"app/{folder}") for folder in folders)]


def test_imports_go_down_only() -> None:
    assert tool("lint-imports") == ""


def test_networkx_is_known_to_the_topology_alone() -> None:
    assert [name(path) for path in PYTHON if "networkx" in roots(path)] == ["app/core/model/topology.py"]


def test_randomness_is_known_to_the_schedule_alone() -> None:
    known = {"random", "secrets", "uuid"}
    assert [name(path) for path in inside(*PURE) if known & roots(path)] == [
        f"app/schedules/{which}.py"
        for which in (
            "deferred",
            "lanes",
            "program_events",
            "protocol",
            "recurring",
            "repeat",
            "seeded",
            "timed",
            "unreliable",
        )
    ]


def test_the_core_knows_no_clock_no_disk_no_log_and_no_language() -> None:
    outside = {"time", "datetime", "logging", "os", "sys", "pathlib", "io", "socket", "threading", "asyncio", "json"}
    for path in inside("core", "algorithms"):
        assert roots(path) & outside == set(), name(path)
        assert not re.search(r"^\s*(print|open|input)\(", path.read_text("utf-8"), re.MULTILINE), name(path)


def test_nothing_below_the_web_reads_the_wall_clock() -> None:
    for path in inside(*PURE, "wire", "formats", "pictures"):
        assert roots(path) & {"time", "datetime"} == set(), name(path)


def test_nobody_walks_over_a_set_or_a_persistent_map() -> None:
    """A set display or ``set(…)`` directly after ``in`` of a loop has no portable order."""
    for path in inside(*PURE, "wire/frames"):
        for node in nodes(path):
            if not isinstance(node, ast.For | ast.comprehension):
                continue
            where = f"{name(path)}:{getattr(node.iter, 'lineno', 0)}"
            walked = ast.unparse(node.iter)
            in_judgement = isinstance(node.iter, ast.Set) and "truth" in walked  # all(…) has no order
            assert in_judgement or not isinstance(node.iter, ast.Set | ast.SetComp), where
            assert not walked.startswith("set("), where
            assert not re.fullmatch(r"world\.(states|memories|queues|lanes|snapshots)(\.(keys|values)\(\))?", walked), (
                where
            )


def silent(path: Path) -> list[str]:
    """Return what is public in a module, or the module itself, and has no docstring."""
    module = tree(path)
    found = [f"{name(path)}:1"] if module.body and not ast.get_docstring(module) else []
    holders: list[ast.Module | ast.ClassDef] = [
        module,
        *(node for node in module.body if isinstance(node, ast.ClassDef)),
    ]
    for holder in holders:
        public = not isinstance(holder, ast.ClassDef) or not holder.name.startswith("_")
        for node in holder.body if public else ():
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                continue
            if not node.name.startswith("_") and not ast.get_docstring(node):
                found.append(f"{name(path)}:{node.lineno} {node.name}")
    return found


def test_everything_public_says_what_it_is() -> None:
    assert [each for path in PYTHON for each in silent(path)] == []


NO_VERB = re.compile(
    r"(A|All|An|Another|Any|As|At|Because|Both|By|Each|Either|Every|Everything|For|From|How|If|In|It|Neither|No|Nobody"
    r"|None|Nothing|Of|On|One|Only|Other|Same|Several|Some|Something|That|The|Their|There|These|They|Those|To|What"
    r"|When|Where|Whether|Which|Who|Whose|Why|With|[^a-zA-Z].*|\w*[^s]s|\w*'s)\b"
)
"""How the name of a value begins; also "Returns", "Messages"."""
QUESTION = re.compile(r"[^.]*\?")


def test_functions_say_what_they_do_or_ask_a_question() -> None:
    """A property may be named like the value that it is."""
    for path in PYTHON:
        for node in nodes(path):
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            told = ast.get_docstring(node) or "Say"
            if not any("property" in ast.unparse(each) for each in node.decorator_list):
                known = QUESTION.match(told) or not NO_VERB.match(told)
                assert known, f"{name(path)}:{node.lineno} {node.name}: {told}"


def imported() -> set[tuple[str, str]]:
    """Return what modules take from one another, as pairs of module and name."""
    pairs = set()
    for path in [*PYTHON, *ROOT.glob("tests/**/*.py")]:
        text = path.read_text("utf-8")
        for module, names in re.findall(
            r"from (app[\w.]+) import ([\w, ]+)", text
        ):  # in programs that tests write, too
            pairs |= {(module, each.strip()) for each in names.split(",")}
        aliases: dict[str, str] = {}
        for node in nodes(path):
            if isinstance(node, ast.Import):
                aliases |= {each.asname or each.name: each.name for each in node.names}
            if isinstance(node, ast.ImportFrom):
                aliases |= {each.asname or each.name: f"{node.module}.{each.name}" for each in node.names}
                pairs |= {(str(node.module), each.name) for each in node.names}
        for node in nodes(path):
            if isinstance(node, ast.Attribute):
                pairs.add((aliases.get(dotted(node.value), ""), node.attr))
            if isinstance(node, ast.Call) and dotted(node.func) == "monkeypatch.setattr" and len(node.args) == 3:
                pairs.add((aliases.get(dotted(node.args[0]), ""), ast.literal_eval(node.args[1])))
    return pairs


def test_what_one_module_alone_uses_is_private() -> None:
    used = imported()
    # Some modules are handed on as values, and the handlers of an algorithm are found by their names.
    attributes = {name for module, name in used if not module} | set(HANDLERS)
    for path in PYTHON:
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for node in tree(path).body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not node.decorator_list:
                known = node.name.startswith("_") or node.name in attributes or (module, node.name) in used
                assert known, f"{name(path)}:{node.lineno} {node.name} should be _{node.name}"


def test_no_file_is_longer_than_one_can_read() -> None:
    assert {
        name(path): n for path in [*PYTHON, *SCRIPTS] if (n := len(path.read_text("utf-8").splitlines())) > LONGEST
    } == {}


def test_no_function_is_longer_than_a_screen() -> None:
    long = []
    for path in PYTHON:
        for node in nodes(path):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                told = len((ast.get_docstring(node, clean=False) or "").splitlines())
                if (node.end_lineno or 0) - node.lineno + 1 - told > 60:
                    long.append(f"{name(path)}:{node.lineno} {node.name}")
    assert long == []


def test_no_file_is_a_drawer_for_everything() -> None:
    words = re.compile(r"(^|_)(utils?|helpers?|managers?|services?|common|misc)(_|$)", re.IGNORECASE)
    assert [name(path) for path in [*PYTHON, *SCRIPTS] if words.search(path.stem)] == []
    for path in PYTHON:
        for node in nodes(path):
            if isinstance(node, ast.ClassDef):
                assert not re.search(r"Manager|Helper|Service|Util", node.name), f"{name(path)}: {node.name}"


def test_nothing_is_left_for_later() -> None:
    later = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b|NotImplemented")
    assert [name(path) for path in [*PYTHON, *SCRIPTS] if later.search(path.read_text("utf-8"))] == []


def test_no_script_looks_behind() -> None:
    """Safari before 16.4 reads no file that does."""
    assert [name(path) for path in SCRIPTS if re.search(r"\(\?<[=!]", path.read_text("utf-8"))] == []


@pytest.mark.slow
def test_the_types_are_right() -> None:
    assert tool("mypy") == ""


def test_the_style_is_kept() -> None:
    assert tool("ruff", "check", "app", "tests") == ""
    assert tool("ruff", "format", "--check", "app", "tests") == ""


# --- what a browser is given -------------------------------------------------------------------------------------


def given_to_browsers() -> list[Path]:
    suffixes = {".html", ".svg", ".css", ".js"}
    found = [
        p for folder in ("templates", "static") for p in sorted((ROOT / folder).rglob("*")) if p.suffix in suffixes
    ]
    return [path for path in found if "vendor" not in path.parts]


def test_nothing_is_fetched_from_outside() -> None:
    outside = r"""\s*["'`]?\s*(?:https?:|wss?:)?//"""
    fetched = re.compile(
        rf"(?:src|href|action)\s*={outside}|@import(?!\s*\{{)|url\({outside}"
        rf"|(?:import|from|fetch|EventSource|WebSocket)(?:\s*\(|\s+(?=[\"'])){outside}"
    )
    link = re.compile(r"""<a\s[^>]*href=["']https?://""")  # a link is not fetched
    for path in given_to_browsers():
        text = link.sub("", path.read_text("utf-8"))
        assert not fetched.search(text), f"{name(path)}: {fetched.search(text)}"


def test_templates_keep_to_the_strict_policy() -> None:
    """No inline script, no inline style, no handler in an attribute: the browser would refuse them anyway."""
    forbidden = {
        "style attribute": re.compile(r"<[a-z][^>]*\sstyle\s*="),
        "style element": re.compile(r"<style[\s>]"),
        "handler": re.compile(r"<[a-z][^>]*\son[a-z]+\s*="),
        "inline script": re.compile(r"<script(?![^>]*\ssrc=)(?![^>]*type=\"application/json\")[^>]*>"),
        "address with a script": re.compile(r"javascript:"),
    }
    report = ROOT / "templates" / "judged.html"  # a file by itself, which no server sends
    for path in sorted({*(ROOT / "templates").iterdir()} - {report}):
        for what, pattern in forbidden.items():
            assert not pattern.search(path.read_text("utf-8")), f"{name(path)}: {what}"


def test_scripts_build_no_page_out_of_text() -> None:
    """Labels come from visitors: they are set as text, and nothing is evaluated."""
    pattern = re.compile(r"\.(?:innerHTML|outerHTML)\s*=|insertAdjacentHTML|document\.write|\beval\(|new Function\(")
    assert [name(path) for path in SCRIPTS if pattern.search(path.read_text("utf-8"))] == []


def test_every_script_begins_with_what_it_is() -> None:
    assert [name(path) for path in SCRIPTS if not path.read_text("utf-8").startswith("/**")] == []


def test_scripts_import_downwards_only() -> None:
    """A folder may import itself, ``run``, and the files beside the folders; ``run`` and the shared files import no
    folder. The home page and the one that compares runs show stages, so ``home`` and ``compare`` may import ``stage``
    and ``time``, too."""
    scripts = ROOT / "static/js"
    for path in SCRIPTS:
        folder = path.relative_to(scripts).parent
        may = {folder, Path()} if folder.name in ("", "run") else {folder, Path(), Path("run")}
        if folder.name in ("home", "compare"):
            may |= {Path("stage"), Path("time")}
        for named in re.findall(r'^import\b[^"]*"(\.[^"]+)";$', path.read_text("utf-8"), re.MULTILINE):
            target = (path.parent / named).resolve().relative_to(scripts)
            assert path.name == "main.js" or target.parent in may, f"{name(path)} imports {target}"


# --- the folder --------------------------------------------------------------------------------------------------


def tracked() -> set[str]:
    done = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    return set(done.stdout.split())


def test_the_top_holds_only_what_belongs_there() -> None:
    listed = {entry.split("/")[0] for entry in tracked()}
    assert listed - TOP == set()


def test_the_readme_gives_the_commands_that_continuous_integration_runs() -> None:
    readme, ci = (ROOT / "README.md").read_text("utf-8"), (ROOT / ".ci/run").read_text("utf-8")
    (command,) = [line for line in ci.splitlines() if "pytest" in line and not line.startswith("#")]
    assert command in readme.splitlines()
    start = command.replace("--group test --group spark pytest", "--extra write --group spark bluecut serve")
    assert start in readme.splitlines()


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text("utf-8").splitlines()) < 150


@pytest.mark.parametrize("path", DOCUMENTS, ids=name)
def test_what_a_document_points_to_exists(path: Path) -> None:
    text = path.read_text("utf-8")
    for module in re.findall(r"python -m (tests\.[\w.]+)", text):
        place = ROOT / module.replace(".", "/")
        assert place.with_suffix(".py").exists() or (place / "__main__.py").exists(), module
    for link in re.findall(r"\]\((?!https?:)([^)#]+)\)", text):
        assert (path.parent / link).exists(), link
    for file in re.findall(r"`((?:app|tests|static|templates|scenarios)/[\w/.-]+)`", text):
        assert (ROOT / file).exists(), file
