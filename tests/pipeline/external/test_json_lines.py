"""Traces of other systems: what is read from them, what is judged, and which mistakes are reported."""

import json
from contextlib import nullcontext
from pathlib import Path

import jsonschema
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from app.compact_json import compact
from app.core.model.values import BluecutError
from app.formats.shiviz import log
from app.formats.trace_json import trace
from app.pipeline.external.json_lines import FIELDS, Foreign, foreign, schema
from app.pipeline.external.vector_clock_logs import logged
from app.pipeline.verify.verify import verify_foreign
from app.run.run import record
from app.scenario.library import LIBRARY
from app.scenario.run_key import RunKey
from tests.cli.command import bluecut
from tests.often import some
from tests.pipeline.stored import Key, Verdict, filed, stored

GOOD = """
{"process": "a", "event": "start", "amount": 10}
{"process": "a", "event": "send", "to": "b", "message": "m1", "amount": 3}
{"process": "a", "event": "record", "snapshot": "first", "amount": 7}
{"process": "a", "event": "marker", "snapshot": "first", "to": "b"}
{"process": "a", "event": "channel", "snapshot": "first", "from": "b"}
{"process": "b", "event": "start", "amount": 0}
{"process": "b", "event": "internal"}
{"process": "b", "event": "record", "snapshot": "first", "amount": 0}
{"process": "b", "event": "receive", "from": "a", "message": "m1"}
{"process": "b", "event": "channel", "snapshot": "first", "from": "a", "message": "m1"}
{"process": "b", "event": "marker", "snapshot": "first", "to": "a"}
"""

ORPHAN = """
{"process": "a", "event": "record", "snapshot": 1}
{"process": "a", "event": "send", "to": "b", "message": "m1"}
{"process": "b", "event": "receive", "message": "m1"}
{"process": "b", "event": "record", "snapshot": 1}
"""

PAXOS = r"""(?<event>.*)\n(?<host>\S*) (?<clock>{.*})

accept proposal 4
node-1 {"node-1": 1}
took checkpoint A
node-1 {"node-1": 2}
send commit
node-1 {"node-1": 3}
took checkpoint A
node-2 {"node-2": 1}
receive commit
node-2 {"node-2": 2, "node-1": 3}
"""


CUTS = """(?<host>\\S*) (?<clock>{.*}) (?<cut>{.*})(?<event>)

a {"a": 1} {}
"""

CIRCLE = """
{"process": "a", "event": "record", "snapshot": 1}
{"process": "a", "event": "receive", "message": "m2"}
{"process": "a", "event": "send", "to": "b", "message": "m1"}
{"process": "b", "event": "record", "snapshot": 1}
{"process": "b", "event": "receive", "message": "m1"}
{"process": "b", "event": "send", "to": "a", "message": "m2"}
"""


def written(directory: Path, text: str, name: str = "trace.jsonl") -> Path:
    file = directory / name
    file.write_text(text, "utf-8")
    return file


def said(directory: Path, trace: Foreign) -> dict[Key, Verdict]:
    return filed(stored(directory / "rows", trace.rows))


def holds(directory: Path, trace: Foreign) -> dict[str, bool | None]:
    """Return by check the verdict on the only snapshot."""
    return {key[3]: verdict[0] for key, verdict in said(directory, trace).items()}


@pytest.mark.parametrize("name", ["trace.jsonl", "trace.log"])
def test_a_line_that_is_no_utf8_is_named(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b'{"process": "a", "event": "internal"}\n{"process": "\xe9", "event": "internal"}\n')
    with pytest.raises(BluecutError, match=f"{name}, line 2: not UTF-8; save the file as UTF-8 text"):
        foreign(tmp_path / name) if name.endswith("l") else logged(tmp_path / name)


def test_lines_may_end_in_other_ways_and_a_file_begin_with_a_mark(tmp_path: Path) -> None:
    (old := tmp_path / "old").mkdir()
    (old / "trace.jsonl").write_bytes(b"\xef\xbb\xbf" + GOOD.strip().replace("\n", "\r").encode())
    assert compact(foreign(old / "trace.jsonl").rows) == compact(foreign(written(tmp_path, GOOD.strip())).rows)


def test_a_trace_is_judged_by_what_it_logs(tmp_path: Path) -> None:
    whole = foreign(written(tmp_path, GOOD))
    assert holds(tmp_path, whole) == dict.fromkeys(("consistent", "channels", "conserved", "cost", "rows"), True)
    cuts = foreign(written(tmp_path, ORPHAN))
    assert holds(tmp_path / "cuts", cuts) == {
        "consistent": False, "channels": None, "conserved": None, "cost": None, "rows": True,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("line", "instead", "check"),
    [
        ('{"process": "b", "event": "channel", "snapshot": "first", "from": "a", "message": "m1"}', "", "channels"),
        ('"amount": 7', '"amount": 8', "conserved"),
        ('{"process": "b", "event": "marker", "snapshot": "first", "to": "a"}', "", "cost"),
    ],
)
def test_what_is_wrong_breaks_its_check(tmp_path: Path, line: str, instead: str, check: str) -> None:
    assert line in GOOD
    found = holds(tmp_path, foreign(written(tmp_path, GOOD.replace(line, instead))))
    assert found[check] is False
    assert all(value for name, value in found.items() if name not in (check, "conserved"))


def test_lines_of_processes_may_be_mixed_and_parquet_says_the_same(tmp_path: Path) -> None:
    lines = [json.loads(line) for line in GOOD.split("\n") if line]
    backwards = [line for name in ("b", "a") for line in lines if line["process"] == name]
    text = "".join(json.dumps(line) + "\n" for line in backwards)
    assert holds(tmp_path / "1", foreign(written(tmp_path, text))) == holds(
        tmp_path / "2", foreign(written(tmp_path, GOOD))
    )
    table = pa.table({name: [line.get(name) for line in lines] for name in FIELDS if any(name in x for x in lines)})
    pq.write_table(table, tmp_path / "trace.parquet")
    assert holds(tmp_path / "3", foreign(tmp_path / "trace.parquet")) == holds(
        tmp_path / "4", foreign(written(tmp_path, GOOD))
    )


def test_a_file_may_have_several_runs(tmp_path: Path) -> None:
    runs = "".join(text.replace('{"process"', f'{{"run": "{n}", "process"') for n, text in (("x", GOOD), ("y", ORPHAN)))
    trace = foreign(written(tmp_path, runs))
    assert [rows["run"][0]["url"] for rows in trace.rows] == ["trace.jsonl run=x", "trace.jsonl run=y"]
    found = said(tmp_path, trace)
    assert found[1, 0, 1, "consistent"][0] is False and found[0, 0, 0, "consistent"][0] is True


def test_channels_that_keep_no_order_hold_a_bag(tmp_path: Path) -> None:
    two = GOOD.replace(
        '"message": "m1", "amount": 3}\n',
        '"message": "m1", "amount": 3}\n{"process": "a", "event": "send", "to": "b", "message": "m2"}\n',
    ).replace(
        '"from": "a", "message": "m1"}\n{"process": "b", "event": "marker"',
        '"from": "a", "message": "m2"}\n{"process": "b", "event": "channel", "snapshot": "first", "from": "a", '
        '"message": "m1"}\n{"process": "b", "event": "marker"',
    )
    assert holds(tmp_path / "1", foreign(written(tmp_path, two)))["channels"] is False
    assert holds(tmp_path / "2", foreign(written(tmp_path, two), ordered=False))["channels"] is True


@pytest.mark.parametrize(
    ("line", "mistake"),
    [
        ("{", "trace.jsonl, line 5: not JSON"),
        ("[1]", "line 5: a line is a JSON object"),
        ('{"event": "internal"}', "line 5: process: missing"),
        ('{"process": "a", "event": "sent"}', "line 5: event: unknown event 'sent'; did you mean send"),
        ('{"process": "a", "event": "send", "to": "b"}', "line 5: message: missing; an event send has to, message"),
        ('{"process": "a", "event": "internal", "amount": 1}', "line 5: amount: does not belong to an event internal"),
        ('{"process": "a", "event": "start", "amount": 1.5}', "line 5: amount: a whole number is needed"),
        ('{"process":"a","event":[]}', "line 5: event: a text is needed, one of send, receive"),
        ('{"process":"a","event":{}}', "line 5: event: a text is needed, one of send, receive"),
        ('{"process":null,"event":"internal"}', "line 5: process: missing; every line has process and event"),
        ('{"process":"a","event":null}', "line 5: event: missing; every line has process and event"),
        ('{"process":"\\ud800","event":"internal"}', "line 5: process: the text holds half a character"),
        ('{"process":"a","event":"\\ud800"}', "line 5: event: the text holds half a character"),
        ('{"process":"a","event":"internal","\\ud800":1}', "line 5: the name of a field holds half a character"),
        (
            '{"process":"a","event":"start","amount":9007199254740993}',
            "line 5: amount: too large; at most 9007199254740992",
        ),
        (
            '{"process":"a","event":"start","amount":-9007199254740992}\n{"process":"b","event":"start","amount":1}',
            "line 6: amount: all amounts together are more than 9007199254740992",
        ),
        (
            '{"process":"a","event":"send","to":"b","message":"m9","amount":9007199254740992}\n'
            '{"process":"b","event":"channel","snapshot":1,"from":"a","message":"m9"}\n'
            '{"process":"b","event":"channel","snapshot":1,"from":"a","message":"m9"}',
            "snapshot: the amounts in its channels together are more than 9007199254740992",
        ),
        (
            '{"process":4611686018427387904,"event":"internal"}',
            "line 5: process: too large; at most 4611686018427387903",
        ),
        ('{"process":"a","event":"start","amount":' + "7" * 5000 + "}", "line 5: a number has too many digits"),
        ("[" * 100_000, "line 5: lists and objects are nested too deeply"),
        ('{"process": true, "event": "internal"}', "line 5: process: a text or a whole number is needed"),
        ('{"process": "a", "event": "send", "to": "c", "message": "m2"}', "line 5: c has no line of its own"),
        ('{"process": "b", "event": "receive", "message": "m2"}', "line 5: message: m2 is received, and never sent"),
        ('{"process": "b", "event": "receive", "message": "m1"}', "line 5: message: m1 is received in line 3 already"),
        ('{"process": "a", "event": "send", "to": "b", "message": "m1"}', "message: m1 is sent in line 2 already"),
        (
            '{"process": "b", "event": "channel", "snapshot": 1, "from": "a", "message": "m3"}',
            "line 5: message: m3 is recorded, and never sent",
        ),
        ('{"process": "a", "event": "lost", "message": "m1"}', "line 5: message: m1 is lost, and received in line 3"),
        ('{"process": "a", "event": "lost", "message": "m4"}', "line 5: message: m4 is lost, and never sent"),
        (
            '{"process": "a", "event": "send", "to": "b", "message": "m5", "channel": "b->a"}\n'
            '{"process": "b", "event": "send", "to": "a", "message": "m6"}',
            "line 6: channel: b->a leads from a to b",
        ),
    ],
)
def test_a_mistake_is_told_with_file_line_and_field(tmp_path: Path, line: str, mistake: str) -> None:
    with pytest.raises(BluecutError) as told:
        foreign(written(tmp_path, ORPHAN.strip() + "\n" + line + "\n"))
    assert mistake in str(told.value)


def test_a_process_that_records_a_snapshot_twice_is_a_mistake_and_several_quantities_are_none(tmp_path: Path) -> None:
    line = '{"process": "a", "event": "record", "snapshot": 1'
    for again in (line + "}", line + ', "amount": 1}'):  # another event has happened since
        with pytest.raises(
            BluecutError, match="line 6: snapshot: a has recorded 1 in line 2 already; a process records"
        ):
            foreign(written(tmp_path, ORPHAN + again + "\n"))
    whole = GOOD.replace('"amount": 7}', '"amount": 7}\n' + line.replace("1", '"first"') + ', "amount": 7}')
    with pytest.raises(BluecutError, match="line 5: snapshot: a has recorded first in line 4 already"):
        foreign(written(tmp_path, whole))
    for name in ("a", "b"):
        both = f'{{"process": "{name}", "event": "record", "snapshot": 1, "amount": 2, "quantity": "oil"}}\n'
        text = both + both.replace("oil", "gas")
        (tmp_path / name).write_text(text)
    quantities = (tmp_path / "a").read_text() + (tmp_path / "b").read_text()
    assert len(foreign(written(tmp_path, quantities)).rows[0]["holding"]) == 4


def test_a_host_that_records_a_snapshot_twice_is_a_mistake_in_logs_too(tmp_path: Path) -> None:
    twice = PAXOS + 'took checkpoint A\nnode-1 {"node-1": 4}\n'
    with pytest.raises(BluecutError, match="line 13: snapshot: node-1 has recorded A in line 5 already"):
        logged(written(tmp_path, twice, "x.log"), record=r"took checkpoint (?<snapshot>\w+)")
    with pytest.raises(BluecutError, match=r"line 13: node-1 records in line 5 already, and .* has no group snapshot"):
        logged(
            written(
                tmp_path,
                twice.replace('checkpoint A\nnode-1 {"node-1": 4', 'checkpoint B\nnode-1 {"node-1": 4'),
                "x.log",
            ),
            record="took",
        )
    cuts = CUTS.replace("{}", '{"1": 0}') + 'a {"a": 2} {"1": 1}\n'
    with pytest.raises(BluecutError, match="line 4: snapshot: a has recorded 1 in line 3 already"):
        logged(written(tmp_path, cuts, "x.log"))


@pytest.mark.parametrize(
    ("line", "mistake"),
    [
        ('{"process": "b", "event": "receive", "message": "m1"}', "line 2: process: m1 is sent to a in line 1"),
        (
            '{"process": "a", "event": "receive", "message": "m1", "from": "c"}',
            "line 2: from: m1 is sent by b in line 1",
        ),
        (
            '{"process": "a", "event": "receive", "message": "m1", "channel": "x"}',
            "line 2: channel: m1 is sent on b->a in line 1",
        ),
    ],
)
def test_a_message_that_arrives_elsewhere_is_a_mistake(tmp_path: Path, line: str, mistake: str) -> None:
    text = '{"process": "b", "event": "send", "to": "a", "message": "m1"}\n' + line + "\n"
    with pytest.raises(BluecutError) as told:
        foreign(written(tmp_path, text + '{"process": "a", "event": "start"}\n'))
    assert mistake in str(told.value)


def test_messages_that_need_each_other_are_a_mistake(tmp_path: Path) -> None:
    with pytest.raises(BluecutError) as told:
        foreign(written(tmp_path, CIRCLE))
    assert str(told.value) == (
        "trace.jsonl, line 3: message: m2 is received before it can have been sent: b sends it in line 7, after line 6,"
        " which itself waits for it; write the lines of each process in the order in which they happened there"
    )
    longer = CIRCLE.replace('"to": "a", "message": "m2"', '"to": "c", "message": "m3"')
    longer += (
        '{"process": "c", "event": "receive", "message": "m3"}\n{"process": "c", "event": "record", "snapshot": 1}\n'
    )
    with pytest.raises(
        BluecutError, match=r"line 3: message: m2 is received before .* c sends it in line 10, after line 8"
    ):
        foreign(written(tmp_path, longer + '{"process": "c", "event": "send", "to": "a", "message": "m2"}\n'))


def test_a_message_that_a_process_receives_before_it_sends_it_itself_is_a_mistake(tmp_path: Path) -> None:
    own = ORPHAN + '{"process": "a", "event": "receive", "message": 7}\n'
    with pytest.raises(
        BluecutError, match=r"line 6: message: 7 is received before .* a sends it in line 7, after line 6"
    ):
        foreign(written(tmp_path, own + '{"process": "a", "event": "send", "to": "a", "message": 7}\n'))


@pytest.mark.slow
def test_a_long_trace_is_possible_until_its_last_line(tmp_path: Path) -> None:
    lines = [{"process": name, "event": "record", "snapshot": 1} for name in ("a", "b")]
    for n in range(25_000):
        lines.append({"process": "a", "event": "send", "to": "b", "message": 2 * n})
        lines.append({"process": "b", "event": "receive", "message": 2 * n})
        lines.append({"process": "b", "event": "send", "to": "a", "message": 2 * n + 1})
        lines.append({"process": "a", "event": "receive", "message": 2 * n + 1})
    text = "".join(json.dumps(line) + "\n" for line in lines)
    assert len(foreign(written(tmp_path, text)).rows[0]["event"]) == 100_000
    for event in ('"receive"', '"send", "to": "b"'):
        text += f'{{"process": "b", "event": {event}, "message": "z"}}\n'
    with pytest.raises(BluecutError, match="line 100003: message: z is received before it can have been sent"):
        foreign(written(tmp_path, text))


def test_a_trace_without_a_snapshot_says_how_one_is_written(tmp_path: Path) -> None:
    with pytest.raises(BluecutError, match=r'there is nothing to judge: .* log {"process": "a"'):
        foreign(written(tmp_path, '{"process": "a", "event": "internal"}\n'))


def test_a_snapshot_that_somebody_did_not_record_is_not_judged_and_others_are(tmp_path: Path) -> None:
    trace = foreign(written(tmp_path, ORPHAN + '{"process": "a", "event": "record", "snapshot": 2}\n'))
    found = said(tmp_path, trace)
    assert (found[0, 0, 1, "consistent"][0], found[0, 0, 2, "consistent"][0]) == (False, None)
    assert [one.open for one in trace.accounts] == [{2: ("b",)}]
    assert [len(one.snapshots) for one in trace.accounts] == [2]
    with pytest.raises(BluecutError, match="line 2: snapshot: 2 is not recorded by b"):
        foreign(
            written(
                tmp_path,
                ORPHAN.replace('"a", "event": "record", "snapshot": 1', '"a", "event": "record", "snapshot": 2'),
            )
        )


def test_what_cannot_be_read_says_so(tmp_path: Path) -> None:
    (tmp_path / "bad.parquet").write_bytes(b"no")
    for name in ("bad.parquet", "none.jsonl", "none.log"):
        with pytest.raises(BluecutError, match="cannot be read"):
            (logged if name.endswith("log") else foreign)(tmp_path / name)
    with pytest.raises(BluecutError, match="empty"):
        foreign(written(tmp_path, "\n"))


def test_a_run_that_we_export_as_json_says_what_is_to_be_done(tmp_path: Path) -> None:
    text = compact(trace(record(LIBRARY.scenario("ring"))))
    with pytest.raises(
        BluecutError, match=r"x\.json, line 1: this is a run .* bluecut export ring --to shiviz -o x\.log$"
    ):
        foreign(written(tmp_path, text + "\n", "x.json"))
    with pytest.raises(BluecutError, match=r"bluecut export SCENARIO --to shiviz"):
        foreign(written(tmp_path, '{"format": "bluecut-trace-7", "key": {"scenario": "a b"}}', "x.json"))


def test_the_schema_knows_every_line_of_the_examples() -> None:
    for text in (GOOD, ORPHAN):
        for line in text.split("\n"):
            if line:
                jsonschema.validate(json.loads(line), schema())
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"process": "a", "event": "send"}, schema())


def test_the_log_of_another_system_is_judged_by_its_clocks(tmp_path: Path) -> None:
    record = r"took checkpoint (?<snapshot>\w+)"
    good = logged(written(tmp_path, PAXOS, "paxos.log"), record=record)
    assert holds(tmp_path / "1", good)["consistent"] is True
    assert [one.snapshots.named() for one in good.accounts] == [{0: "A"}]
    late = PAXOS.replace('took checkpoint A\nnode-2 {"node-2": 1}\n', "").replace('"node-2": 2', '"node-2": 1')
    late += 'took checkpoint A\nnode-2 {"node-2": 2, "node-1": 3}\n'
    bad = logged(written(tmp_path, late, "paxos.log"), record=record)
    assert [one.messages.named() for one in bad.accounts] == [{0: "node-1:3->node-2:1"}] and bad.alone
    assert holds(tmp_path / "2", bad) == {
        "consistent": False, "channels": None, "conserved": None, "cost": None, "rows": True,
    }  # fmt: skip
    first, _, rest = PAXOS.partition("\n")
    parsed = logged(written(tmp_path, rest, "plain.log"), record=record, parser=first)
    assert holds(tmp_path / "3", parsed)["consistent"] is True


@pytest.mark.parametrize("name", some(LIBRARY.names(), 3))
def test_the_log_that_we_export_is_judged_as_the_run_is(tmp_path: Path, name: str) -> None:
    run = record(LIBRARY.scenario(name))
    verdicts = {number: verdict.checks["consistent"] for number, verdict in run.verdicts.items()}
    file = written(tmp_path, log(run), f"{name}.log")
    if any(verdict is not None for verdict in verdicts.values()):
        trace = logged(file)
        found = said(tmp_path, trace)
        assert {key[2]: verdict for key, (verdict, _) in found.items() if key[3] == "consistent"} == verdicts
        assert not trace.alone
        assert set(trace.accounts[0].open) == {number for number, verdict in verdicts.items() if verdict is None}
    else:
        with pytest.raises(BluecutError, match=r"no other snapshot has one|there is nothing to judge"):
            logged(file)


@pytest.mark.parametrize(
    ("name", "algorithm"),
    [
        ("ring", "photographs"),
        ("random-twelve", "mattern"),
        ("joiner-merged", "late-marker"),
        ("lineage", "node-as-written"),
        ("lossy-network", "wall-clock"),
    ],
)
def test_so_it_is_under_other_algorithms(tmp_path: Path, name: str, algorithm: str) -> None:
    run = record(LIBRARY.scenario(name), RunKey(algorithm=algorithm))
    verdicts = {number: verdict.checks["consistent"] for number, verdict in run.verdicts.items()}
    found = said(tmp_path, logged(written(tmp_path, log(run), f"{name}.log")))
    assert verdicts and {key[2]: verdict for key, (verdict, _) in found.items() if key[3] == "consistent"} == verdicts


@pytest.mark.parametrize(
    ("before", "after", "mistake"),
    [
        ('{"node-1": 2}', '{"node-1": 3}', "line 5: the own entry of node-1 is 3; at its event 2 it must be 2"),
        ('{"node-2": 2, "node-1": 3}', '{"node-2": 2, "node-1": 4}', "knows event 4 of node-1, which has 3 event(s)"),
        ('{"node-2": 2, "node-1": 3}', '{"node-2": 2, "x": 1}', "knows event 1 of x, which has 0 event(s)"),
        ('{"node-1": 3}', '{"node-1": [3]}', "a clock is a JSON object"),
        ('{"node-1": 3}', '{"node-1": 3, "\\ud800": 1}', "a clock is a JSON object"),
        ('{"node-1": 3}', '{"node-1": ' + "7" * 5000 + "}", "a clock is a JSON object"),
    ],
)
def test_clocks_that_contradict_each_other_are_mistakes(tmp_path: Path, before: str, after: str, mistake: str) -> None:
    assert before in PAXOS
    with pytest.raises(BluecutError) as told:
        logged(written(tmp_path, PAXOS.replace(before, after), "paxos.log"), record="took")
    assert mistake in str(told.value)


def test_a_snapshot_number_of_thousands_of_digits_is_its_name(tmp_path: Path) -> None:
    text = 'a {"a": 1} took ' + "7" * 5000 + "\n"
    trace = logged(
        written(tmp_path, text, "x.log"),
        record=r"took (?<snapshot>\d+)",
        parser=r"(?<host>\w) (?<clock>{.*}) (?<event>.*)",
    )
    assert trace.accounts[0].snapshots.named() == {0: "7" * 5000}


def test_a_parquet_file_with_texts_that_are_none_says_so(tmp_path: Path) -> None:
    text = pa.Array.from_buffers(pa.string(), 1, [None, pa.py_buffer(b"\0\0\0\0\1\0\0\0"), pa.py_buffer(b"\xff")])
    pq.write_table(pa.table({"process": text, "event": ["internal"]}), tmp_path / "bad.parquet")
    with pytest.raises(BluecutError, match="cannot be read"):
        foreign(tmp_path / "bad.parquet")


def test_a_fault_is_about_lines_of_the_trace(tmp_path: Path) -> None:
    (account,) = foreign(written(tmp_path, GOOD)).accounts
    witness = {"fault": "extra", "channel": "a->b", "message": "m1"}
    assert account.about("first", witness) == {
        "file": "trace.jsonl", "sent": [3], "received": [10], "recorded": [4, 9], "logged": [11],
    }  # fmt: skip
    assert account.about("first", {"fault": "amount", "quantity": "", "missing": 1}) == {}
    (clocks,) = logged(written(tmp_path, PAXOS, "x.log"), record="took").accounts
    orphan = {"fault": "orphan", "channel": "node-1->node-2", "message": "node-1:3->node-2:2"}
    assert clocks.about(1, orphan) == {"file": "x.log", "sent": [7], "received": [11], "recorded": [5, 9]}


def test_a_clock_forgets_nothing_and_knows_what_others_knew(tmp_path: Path) -> None:
    head = r"(?<host>\S*) (?<clock>{.*}) (?<event>.*)" + "\n"
    forgot = head + 'a {"a": 1} x\nb {"b": 1, "a": 1} x\nb {"b": 2} x\n'
    with pytest.raises(BluecutError, match="line 4: b knew 1 of a before, and no longer"):
        logged(written(tmp_path, forgot, "x.log"), record="x")
    mutual = head + 'a {"a": 1} x\na {"a": 2, "b": 1} x\nb {"b": 1, "a": 2} x\n'
    with pytest.raises(BluecutError, match="line 3: knows event 1 of b, in line 4, which knows this one"):
        logged(written(tmp_path, mutual, "x.log"), record="x")
    skipped = head + 'a {"a": 1} x\nb {"b": 1, "a": 1} x\nc {"c": 1, "b": 1} x\n'
    with pytest.raises(BluecutError, match="line 4: knows event 1 of b, but not the event 1 of a that this one knew"):
        logged(written(tmp_path, skipped, "x.log"), record="x")


@pytest.mark.parametrize(
    ("text", "record", "parser", "mistake"),
    [
        (
            'a {"a": 1} x\n',
            "x",
            None,
            "x.log, line 1: this line was taken for the regular expression with the groups host, clock and event by"
            " which the log is read (host, clock, event missing); if it is an event, give the expression by --parser,"
            r" as in --parser '(?<host>\S+) (?<clock>{.*}) (?<event>.+)'",
        ),
        ('a {"a": 1}\nx\n', "x", None, r"as in --parser '(?<host>\S+) (?<clock>{.*})\n(?<event>.*)'"),
        ('x\na {"a": 1}\n', "x", None, r"as in --parser '(?<event>.*)\n(?<host>\S*) (?<clock>{.*})'"),
        ("(x\n", "x", None, "line 1: this line was taken for the regular expression"),
        ("an event\n", "recorded (", None, "--record: not a regular expression"),
        ("an event\n", "recorded", None, "no event records, as the expression recorded says"),
        ("an event\n", r"event (?<snap>\d+)", None, r"--record: event (?<snap>\d+) has a group, and none of the name"),
        (PAXOS, "(", None, "--record: not a regular expression"),
        (PAXOS, "nothing like it", None, "no event records, as the expression nothing like it says"),
        (PAXOS, "a", r"(?<host>\d) (?<clock>\d) (?<event>nothing)", "matches nothing in it"),
        ('a {"a": 1}\n', "a", r"(?<host>\w) (?<clock>{.*})(?<event> x)?", "line 1: the expression"),
        ('a {"a": 1} x\na x\n', "x", r"(?<host>\w) (?<clock>{.*} )?(?<event>x)", "x) matches without clock"),
        (PAXOS, "accept", None, "line 3: snapshot: 1 is not recorded by node-2"),
        (PAXOS, None, None, "nothing says which events record a snapshot; give an expression by --record"),
        (CUTS, None, None, "x.log: no event has a cut of a snapshot"),
        (CUTS.replace("{}", '{"1": -1}'), None, None, "line 3: a cut is a JSON object"),
        (CUTS.replace("{}", '{"1": 2}'), None, None, "line 3: cut: the cut of 1 is behind event 2 of a, which has 1"),
        (CUTS.replace("{}", '{"1": null}'), None, None, "line 3: snapshot: 1 has no cut that can be judged"),
    ],
)
def test_expressions_that_do_not_do_are_mistakes(
    tmp_path: Path, text: str, record: str | None, parser: str | None, mistake: str
) -> None:
    with pytest.raises(BluecutError) as told:
        logged(written(tmp_path, text, "x.log"), record=record, parser=parser)
    assert mistake in str(told.value)


@pytest.mark.slow
def test_both_verifiers_judge_a_foreign_trace_and_what_is_broken_is_no_finding(
    spark: SparkSession, tmp_path: Path
) -> None:
    runs = "".join(text.replace('{"process"', f'{{"run": "{n}", "process"') for n, text in (("x", GOOD), ("y", ORPHAN)))
    found = verify_foreign(spark, foreign(written(tmp_path, runs)))
    (case,) = found.surprising
    assert not found.disagreements and not found.findings and not found.fine
    assert (case.url, case.snapshot, case.check) == ("trace.jsonl run=y", 1, "consistent")
    lines = {"file": "trace.jsonl", "sent": [15], "received": [16], "recorded": [14, 17]}
    assert case.witness == {"fault": "orphan", "channel": "a->b", "message": "m1", "lines": lines}


@pytest.mark.slow
def test_a_trace_that_is_fine_is_judged_as_json(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.pipeline.engine.session.session", lambda *told, **more: nullcontext(spark))
    done = bluecut("verify", str(written(tmp_path, GOOD)), "--json", "--rows", str(tmp_path / "rows"))
    assert (done.code, done.err) == (0, "bluecut: starting Spark…\n")
    found = json.loads(done.out)
    assert (found["runs"], found["simulated"], found["snapshots"], found["fine"]) == (1, 0, 1, True)
    assert {count["check"]: (count["holds"], count["broken"]) for count in found["counts"]} == dict.fromkeys(
        ("consistent", "channels", "conserved", "cost", "rows"), (1, 0)
    )
    assert (tmp_path / "rows" / "rows").is_dir() and (tmp_path / "rows" / "verdicts").is_dir()
