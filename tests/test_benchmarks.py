"""The command that runs the benchmarks and writes what they found."""

import asyncio
import json
from importlib import import_module
from pathlib import Path

import psutil
import pytest

from app.web.teach.rooms.play import FEW
from tests.benchmarks import suite
from tests.benchmarks.result import Result, number
from tests.benchmarks.room import networked
from tests.served import Host

PAGE = """\
<!-- written by tests.benchmarks -->
old
<!-- end -->
### wire

Before.

```text
```

### kernel

```text
older
```
"""


@pytest.fixture
def docs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for file in ("page.md", "README.md"):
        (tmp_path / file).write_text(PAGE, "utf-8")
    monkeypatch.setattr(suite, "PAGE", tmp_path / "page.md")
    monkeypatch.setattr(suite, "README", tmp_path / "README.md")
    monkeypatch.setattr(suite, "FOUND", tmp_path / "found.json")
    return tmp_path


def test_every_benchmark_on_the_page_can_be_run() -> None:
    known = suite.names(suite.PAGE.read_text("utf-8"))
    assert {"kernel", "times", "growth", "player"} <= set(known)
    for name in set(known) - {"verify", "sweep", "growth"}:  # these need Spark
        assert callable(import_module(f"tests.benchmarks.{name}").main)
    for name in known:
        assert (suite.ROOT / "tests" / "benchmarks" / f"{name}.py").exists()


def test_every_figure_is_what_its_command_has_found() -> None:
    found = json.loads(suite.FOUND.read_text("utf-8"))
    page, readme = suite.PAGE.read_text("utf-8"), suite.README.read_text("utf-8")
    described = page.partition("## Results")[0]
    for name, told in found.items():
        assert f"| `{name}` |" in described, name
        for each in told["results"]:
            figure = f"| {each['what']} | {number(each['value'])} {each['unit']}".rstrip()
            assert figure in page, figure
            assert not each["headline"] or f"| `{name}` {figure}" in readme, figure
    rows = [line for line in readme.splitlines() if line.startswith("| `")]
    assert len(rows) - 1 == sum(each["headline"] for told in found.values() for each in told["results"])


def test_what_is_found_is_written(docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = {
        "wire": (
            [Result("a step", 163.0, "bytes", 200, "less"), Result("zipped", 25.0, "bytes")],
            "first\nsecond\n",
        ),
        "kernel": (
            [
                Result("of SimPy's", 0.951, "ratio", 1.5, headline=True),
                Result("messages", 100.0, "per second", 190),
                Result("a page", 3.0, "s", 2, "less"),
                Result("a run", 4.6, "s", 2, "less"),
                Result("a state", 1.5, "s", 2, "less"),
            ],
            "third\n",
        ),
    }
    monkeypatch.setattr(suite, "run", answers.__getitem__)
    monkeypatch.setattr(suite, "pace", [0.4, 0.6, 0.4, 0.6, 0.4].pop)
    suite.main([])
    page, readme = (docs / "page.md").read_text("utf-8"), (docs / "README.md").read_text("utf-8")
    assert "```text\nfirst\nsecond\n```" in page
    assert "```text\nthird\n```" in page
    assert "old" not in page
    assert "| a step | 163 bytes | ≤ 200 | reached |" in page
    assert "| zipped | 25 bytes |  |  |" in page
    assert "| of SimPy's | 0.951 ratio | ≥ 1.5 | missed |" in page
    assert "| messages | 100 per second, 200 at pace 1 | ≥ 190 | missed; reached at pace 1 |" in page
    assert "| a page | 3 s, 1.5 at pace 1 | ≤ 2 | missed; reached at pace 1 |" in page
    assert "| a run | 4.6 s, 2.3 at pace 1 | ≤ 2 | missed |" in page
    assert "| a state | 1.5 s, 0.75 at pace 1 | ≤ 2 | reached |" in page
    assert "| `kernel` | of SimPy's | 0.951 ratio | ≥ 1.5 |" in readme
    assert "a step" not in readme
    found = json.loads((docs / "found.json").read_text("utf-8"))
    assert found["wire"]["machine"]["cores"]
    assert found["wire"]["machine"]["pace"] == 0.5
    assert found["wire"]["date"].endswith("+00:00")
    suite.main(["wire"])
    assert (docs / "page.md").read_text("utf-8") == page


@pytest.mark.slow
def test_the_votes_of_a_small_network_are_measured_and_none_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("app.web.teach.rooms.crowd", "tests.benchmarks.room"):
        monkeypatch.setattr(f"{module}.EVERY", 2.0)
    host = Host(tmp_path)
    try:
        found = asyncio.run(networked(host.address, psutil.Process(), FEW + 4, events=1))
    finally:
        host.stop()
    assert (found.people, len(found.took), found.lost) == (4, 4, 0)
    assert found.late < 4 and found.rate > 0


def test_an_unknown_benchmark_is_refused(docs: Path) -> None:
    with pytest.raises(SystemExit, match=r"no such benchmark: speed; there are wire, kernel"):
        suite.main(["speed"])


@pytest.mark.parametrize(("value", "text"), [(0.9512, "0.951"), (24.96, "25"), (163.4, "163"), (120_026.0, "120,026")])
def test_a_number_has_three_digits(value: float, text: str) -> None:
    assert number(value) == text
