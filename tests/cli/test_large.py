"""The limits of a server do not hold on the command line: large files are imported and run."""

import json
from pathlib import Path
from random import Random

import pytest

from app.forms.yaml_source import SourceError
from app.scenario.format import ENTRIES, FILE_BYTES
from app.scenario.scenario import load
from tests.cli.command import bluecut

SERVERS = tuple(f"N{number}" for number in range(1, 11))
LINKS = tuple((name, SERVERS[(place + far) % len(SERVERS)]) for place, name in enumerate(SERVERS) for far in (1, 2))


def files(folder: Path, sends: int) -> tuple[str, ...]:
    """Write the files of COS418 with so many messages and eight snapshots; return the options that name them."""
    draw = Random(sends)
    lines: list[str] = []
    for number in range(sends):
        source, target = draw.choice(LINKS)
        lines += [f"send {source} {target} 1", *["tick"] * (number % 2)]
        if number % (sends // 8) == sends // 16:
            lines.append(f"snapshot {draw.choice(SERVERS)}")
    texts = {
        "top": [str(len(SERVERS)), *(f"{name} {sends}" for name in SERVERS), *map(" ".join, LINKS)],
        "events": lines,
        "delays": ["".join(draw.choices("0123456789", k=sends + 8 * len(LINKS)))],
    }
    for name, text in texts.items():
        (folder / name).write_text("\n".join(text) + "\n", "utf-8")
    return tuple(f"--{name}={folder / name}" for name in texts)


def imported_and_run(folder: Path, sends: int) -> str:
    """Import the files and run what they become. Return the scenario's text."""
    made = bluecut("import", "cos418", *files(folder, sends), "-o", str(folder / "made.yaml"))
    assert (made.code, made.err) == (0, "")
    ran = bluecut("run", str(folder / "made.yaml"), "--json")
    assert (ran.code, ran.err) == (0, "")
    told = json.loads(ran.out)
    assert told["steps"] == 2 * sends + 8 * (1 + len(LINKS))
    for each in told["snapshots"]:
        assert each["complete"]
        assert sum(each["processes"].values()) + sum(map(sum, each["channels"].values())) == sends * len(SERVERS)
    assert len(told["snapshots"]) == 8
    return (folder / "made.yaml").read_text("utf-8")


@pytest.mark.slow
def test_a_script_that_is_longer_than_a_server_takes_runs(tmp_path: Path) -> None:
    text = imported_and_run(tmp_path, ENTRIES + 1_000)
    with pytest.raises(SourceError, match="script: must be at most 5,000 long, not a list of 6,008"):
        load(text, "large.yaml")


def test_a_file_that_is_larger_than_a_server_takes_is_read() -> None:
    text = (
        "title: {en: t, zh: t}\n"
        "topology: {processes: [P, Q], channels: [P->Q]}\n"
        "program: {kind: bank, everyone: 1}\n"
        "script: [{start: P}]\n"
    )
    done = bluecut("run", "-", "--json", stdin=text.encode() + b"#" * FILE_BYTES)
    assert (done.code, json.loads(done.out)["steps"]) == (0, 2)


@pytest.mark.slow
def test_a_hundred_thousand_messages_are_imported_and_run(tmp_path: Path) -> None:
    text = imported_and_run(tmp_path, 100_000)
    assert len(text) > 4 * FILE_BYTES
