"""What ``bluecut verify`` reports about its findings, and what it refuses before Spark is started."""

from contextlib import nullcontext
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.cli.command import bluecut
from tests.cli.test_bad_input import refused

pytest.importorskip("pyspark")

from app.cli.main import status
from app.cli.verify import lines, reservations
from app.pipeline.external.json_lines import Foreign
from app.pipeline.external.to_rows import Account
from app.pipeline.sweep.command import Outcome
from app.pipeline.sweep.manifest import Manifest, Plan
from app.pipeline.verify.verify import Case, Count, Verified

LINK = "/run/" + "x" * 600 + "?seed=3&step="


def case(run: int, algorithm: str | None, check: str, url: str | None = None) -> Case:
    """Return a case in which a message is an orphan."""
    witness = {"fault": "orphan", "channel": "a->b", "message": run}
    return Case(run, 0, 1, check, False, False, None, witness, run, url or f"{LINK}{run}", algorithm, "fifo")


SWEEP = Verified(
    runs=40,
    snapshots=40,
    counts=(
        Count("late-marker", "consistent", known=True, holds=10, broken=30, open=0, discipline="fifo"),
        Count("late-marker", "channels", known=True, holds=39, broken=1, open=0, discipline="fifo"),
    ),
    disagreements=0,
    unexpected=0,
    disagreeing=(),
    surprising=(),
    findings=(
        *(case(run, "late-marker", "consistent") for run in range(20)),
        case(33, "late-marker", "channels"),
    ),
    simulated=40,
)

LOG = Verified(
    runs=1,
    snapshots=1,
    counts=(Count("", "consistent", known=False, holds=0, broken=1, open=1, discipline="fifo"),),
    disagreements=0,
    unexpected=1,
    disagreeing=(),
    surprising=(case(0, None, "consistent", "trace.log"),),
    findings=(),
)


def test_one_of_each_algorithm_and_check_is_told_with_its_whole_address_on_a_line() -> None:
    said = list(lines(SWEEP, "en"))
    assert said[0] == "40 runs, 40 snapshots, 80 checks: 31 broken."
    assert "✓ Both verifiers agree on every verdict, and so does the simulator where it made the run." in said
    assert said[-6:] == [
        "Broken, as expected of these algorithms, orders of delivery or scenarios: 31 checks.",
        "  Broken: markers too late, fifo, cut (30): message 0 on a→b is received before its receiver records, but sent"
        " after its sender does (snapshot 1, step 0)",
        f"    {LINK}0",
        "  Broken: markers too late, fifo, channels (1): message 33 on a→b is received before its receiver records, but"
        " sent after its sender does (snapshot 1, step 33)",
        f"    {LINK}33",
        "(Only one case per algorithm, order and check is shown here; bluecut verify --all shows more.)",
    ]


def test_an_algorithm_on_channels_with_less_order_than_it_requires_has_a_row_of_its_own() -> None:
    counts = (
        Count("chandy-lamport", "consistent", known=True, holds=54, broken=10, open=0, discipline="any"),
        Count("chandy-lamport", "consistent", known=False, holds=64, broken=0, open=0, discipline="fifo"),
    )
    weak = replace(case(1, "chandy-lamport", "consistent"), discipline="any")
    found = replace(SWEEP, counts=counts, findings=(weak,))
    said = list(lines(found, "en"))
    rows = [line.split("  ") for line in said if line.startswith("Chandy–Lamport, ")]
    assert [[cell.strip() for cell in row if cell][:2] for row in rows] == [
        ["Chandy–Lamport, any (less than required)", "10 of 64"],
        ["Chandy–Lamport, fifo", "0 of 64"],
    ]
    assert any(line.startswith("  Chandy–Lamport, any (less than required), cut (10): ") for line in said)
    assert any(line.startswith("Chandy–Lamport，any（低于所要求的次序）") for line in lines(found, "zh"))


def test_how_much_was_not_judged_is_told_and_what_was_not_asked() -> None:
    few = replace(SWEEP, snapshots=48)
    assert list(lines(few, "en"))[1] == "Not judged: 8 snapshots, aborted or not recorded by every process."
    assert "Not judged" not in "\n".join(lines(SWEEP, "en"))
    unasked = "Not asked, since the log says nothing of it: amounts, markers."
    cut = "Channels were not judged: an inconsistent cut defines no channel states."
    assert {cut, unasked} <= set(lines(LOG, "en")) and not {cut, unasked} & set(lines(SWEEP, "en"))
    holds = replace(LOG, counts=tuple(replace(each, holds=1, broken=0) for each in LOG.counts), findings=())
    assert "Not asked, since the log says nothing of it: channels, amounts, markers." in lines(holds, "en")


def test_all_of_them_are_told_if_asked_for() -> None:
    said = list(lines(SWEEP, "en", every=True))
    assert [line for line in said if line.startswith("    ")] == [f"    {LINK}{run}" for run in (*range(20), 33)]
    assert not said[-1].startswith("(")


def test_of_the_trace_of_another_system_no_simulator_is_told() -> None:
    said = list(lines(LOG, "en"))
    assert said[0] == "1 run, 1 snapshot, 1 check: 1 broken."
    assert "cut  I1: No message is received inside the cut and sent outside it" in said
    assert "✓ Both verifiers agree on every verdict." in said
    assert "✗ Broken, but should hold: 1 check." in said
    assert said[-1] == "    trace.log"
    assert not any("simulator" in line or "algorithm" in line for line in said)
    assert not any("模拟器" in line for line in lines(LOG, "zh"))


def test_a_fault_in_the_trace_of_another_system_is_told_with_its_lines() -> None:
    there = {"file": "t.jsonl", "sent": [3], "received": [2], "recorded": [1, 5], "logged": [6]}
    one = case(0, None, "consistent", "t.jsonl run=y")
    told = replace(one, witness={**(one.witness or {}), "lines": there})
    found = replace(LOG, surprising=(told,))
    assert list(lines(found, "en"))[-1] == (
        "    t.jsonl:3 sent, :2 received, :1 and :5 recorded, :6 recorded in the channel (run=y)"
    )
    assert list(lines(found, "zh"))[-1] == "    t.jsonl:3 发送、:2 接收、:1 和 :5 记录、:6 记录在通道中 (run=y)"


def test_what_is_not_judged_is_told_and_what_verdicts_of_clocks_rest_upon() -> None:
    trace = Foreign((), (Account("x", open={"y": ("b", "c")}),), alone=True)
    assert list(reservations(LOG, trace, "en")) == [
        "Not judged: 1 snapshot. Snapshot y was not recorded by b, c.",
        "This rests on clocks alone. If they also count messages of the snapshot algorithm, a sound cut can look"
        " broken. In that case, log a second clock that counts only the program’s messages, as the group program.",
    ]
    said = Foreign((), (Account("x", open={"y": ()}),))
    assert list(reservations(LOG, said, "zh")) == ["未判定：1 次快照。轨迹本身说明快照 y 没有可判定的割集。"]


ROWS = Case(3, 0, None, "rows", False, False, None, {"fault": "rows", "process": "a", "position": 2, "message": 7},
            None, f"{LINK}3", "mattern", "fifo")  # fmt: skip
UNJUDGED = (
    *(
        Count("mattern", check, known=False, holds=0, broken=0, open=2, discipline="fifo")
        for check in ("consistent", "channels")
    ),
    Count("mattern", "rows", known=False, holds=1, broken=1, open=0, discipline="fifo"),
)


def test_broken_rows_are_told_where_no_snapshot_was_judged() -> None:
    found = Verified(2, 2, UNJUDGED, 0, 1, (), (ROWS,), (), simulated=2)
    assert list(lines(found, "en")) == [
        "2 runs, 2 snapshots, 2 checks: 1 broken.",
        "Nothing was judged.",
        "",
        "✓ Both verifiers agree on every verdict, and so does the simulator where it made the run.",
        "✗ Broken, but should hold: 1 check.",
        "  Mattern, fifo, rows (1): the rows of messages and of events differ at event 2 of a, message 7",
        f"    {LINK}3",
    ]


def test_so_is_a_disagreement() -> None:
    case = replace(ROWS, snapshot=1, check="consistent", holds=None, local=True, witness=None)
    said = list(lines(Verified(2, 2, UNJUDGED[:2], 1, 0, (case,), (), ()), "en"))
    assert said[1:4] == ["Nothing was judged.", "", "✗ They disagree on 1 verdict:"]
    assert said[4].startswith("  Mattern, fifo, cut: not judged by relations, holds by whole files (snapshot 1")


@pytest.mark.parametrize("asked", [[], ["--json"]])
@pytest.mark.parametrize(("broken", "code"), [(1, 1), (0, 2)])
def test_the_command_fails_by_what_is_broken_before_it_says_that_nothing_was_judged(
    asked: list[str],
    broken: int,
    code: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = Verified(2, 2, UNJUDGED, 0, broken, (), (ROWS,) * broken, (), simulated=2)
    monkeypatch.setattr("app.pipeline.engine.session.session", lambda *told, **more: nullcontext())
    monkeypatch.setattr("app.pipeline.verify.verify.verify", lambda spark, place: found)
    (tmp_path / "rows" / "batch=00000").mkdir(parents=True)
    assert status(["verify", str(tmp_path), *asked]) == code
    out, err = capsys.readouterr()
    assert (LINK in out, "nothing was judged" in err) == (code == 1, code == 2)


@pytest.mark.parametrize(("broken", "code", "says"), [(0, 2, "there is no snapshot in it"), (1, 1, "")])
def test_where_no_snapshot_was_judged_the_status_is_that_of_verify(
    broken: int,
    code: int,
    says: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = Verified(6, 0, (), 0, broken, (), (), ())
    directory = tmp_path / "out"
    (tmp_path / "my.yaml").write_text("topologies: [ring]\nsizes: [3]\nalgorithms: [chandy-lamport]\n", "utf-8")
    made = Outcome(Manifest(Plan({}, "", 6, 6), ()), found, judged=True)
    monkeypatch.setattr("app.pipeline.sweep.command.carried_out", lambda *told, **more: made)
    assert status(["sweep", str(tmp_path / "my.yaml"), "-o", str(directory), "--report"]) == code
    out, err = capsys.readouterr()
    assert "Nothing was judged." in out and says in err
    monkeypatch.setattr("app.pipeline.engine.session.session", lambda *told, **more: nullcontext())
    monkeypatch.setattr("app.pipeline.verify.verify.verify", lambda spark, place: found)
    (directory / "rows" / "batch=00000").mkdir(parents=True)
    assert status(["verify", str(directory)]) == code
    assert says in capsys.readouterr().err


def test_where_nothing_was_judged_no_one_agrees() -> None:
    none = Verified(1, 0, (), 0, 0, (), (), ())
    assert list(lines(none, "en")) == ["1 run, 0 snapshots, 0 checks: 0 broken.", "Nothing was judged."]


@pytest.mark.parametrize(
    ("name", "text", "arguments", "says"),
    [
        (
            "t.jsonl",
            '{"process": "a", "event": "internal"}',
            "",
            "t.jsonl: there is nothing to judge: no line records a snapshot; where a process records its state, log"
            ' {"process": "a", "event": "record", "snapshot": 1}',
        ),
        (
            "t.jsonl",
            '{"process": "a", "event": "internal"}',
            "--lang zh",
            "t.jsonl：没有可判定的内容：没有任何一行记录快照；请在进程记录自身状态之处写下"
            ' {"process": "a", "event": "record", "snapshot": 1}',
        ),
        (
            "t.log",
            '(?<host>\\S*) (?<clock>{.*}) (?<event>.*)\n\na {"a": 1} x',
            "",
            "t.log: nothing says which events record a snapshot; give an expression by --record, as in --record"
            " 'took checkpoint (?<snapshot>\\d+)'",
        ),
        (
            "t.jsonl",
            '{"process": "a", "event": "record", "snapshot": 1}',
            "--master spark://far.example:7077",
            "spark://far.example:7077 may work on other machines, which see no temporary folder of this one; give"
            " --rows DIR, a new folder that all of them see",
        ),
        (
            "t.jsonl",
            '{"process": "a", "event": "record", "snapshot": 1}',
            "--rows .",
            ".: there is something in it already; give a new or an empty folder",
        ),
    ],
)
def test_what_cannot_be_judged_is_refused_before_spark_is_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, text: str, arguments: str, says: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_text(text + "\n", "utf-8")
    assert refused(bluecut("verify", name, *arguments.split())) == says


def test_a_folder_without_rows_is_refused_before_spark_is_started(tmp_path: Path) -> None:
    assert refused(bluecut("verify", str(tmp_path))) == f"{tmp_path}: there are no rows of runs in it"


def test_options_for_files_do_not_fit_a_folder(tmp_path: Path) -> None:
    assert "are for files; a folder says it all" in refused(bluecut("verify", str(tmp_path), "--rows", "x"))
