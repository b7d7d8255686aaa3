"""The policy by which the tests find Chromium."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import chromium as policy


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Yield a machine without Chromium, where we are not root."""
    policy.chromium.cache_clear()
    monkeypatch.delenv("CHROMIUM", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(policy, "may_install", lambda: False)
    yield
    policy.chromium.cache_clear()


def program(folder: Path, name: str) -> Path:
    path = folder / name
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


def test_the_environment_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path, "chromium")
    wanted = program(tmp_path, "mine")
    monkeypatch.setenv("CHROMIUM", str(wanted))
    assert policy.chromium() == wanted


def test_then_the_path(tmp_path: Path) -> None:
    wanted = program(tmp_path, "google-chrome")
    assert policy.chromium() == wanted


def test_a_wrong_environment_is_said_and_not_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path, "chromium")
    monkeypatch.setenv("CHROMIUM", str(tmp_path / "nowhere"))
    with pytest.raises(policy.NoChromium, match=r"nowhere.* not a program"):
        policy.chromium()


def test_root_on_debian_installs_it_and_a_chinese_font(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(policy, "may_install", lambda: True)
    monkeypatch.setattr(policy, "install", lambda: program(tmp_path, "chromium"))
    assert policy.chromium() == tmp_path / "chromium"


def test_a_program_without_windows_is_preferred(tmp_path: Path) -> None:
    program(tmp_path, "chromium")
    wanted = program(tmp_path, "chromium-headless-shell")
    assert policy.chromium() == wanted


@pytest.mark.parametrize("offered", policy.PACKAGES)
def test_the_first_package_that_debian_has_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, offered: str
) -> None:
    commands: list[tuple[str, ...]] = []

    def run(command: tuple[str, ...], **_: object) -> None:
        commands.append(command)
        if command[-1] == offered:
            program(tmp_path, offered)

    monkeypatch.setattr("tests.chromium.subprocess.run", run)
    policy.install()
    assert policy.on_path() == tmp_path / offered
    packages = policy.PACKAGES[: policy.PACKAGES.index(offered) + 1]
    assert [command[-1] for command in commands] == ["-q", policy.FONT, *packages]


def test_elsewhere_the_tests_fail_with_the_command_that_helps() -> None:
    with pytest.raises(policy.NoChromium) as told:
        policy.chromium()
    assert "sudo apt-get install -y --no-install-recommends chromium fonts-noto-cjk" in str(told.value)
