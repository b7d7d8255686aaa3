"""The scenario file: every mistake names file, line, field and what would be right; every limit holds exactly."""

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from app.core.model.values import BluecutError
from app.forms.fields import SNAPSHOTS, STEPS
from app.forms.yaml_source import SourceError, read
from app.paths import STATIC
from app.run.run import record
from app.scenario.format import CHANNELS, ENTRIES, FILE_BYTES, PROCESSES, VISITOR_BYTES, Words, schema
from app.scenario.library import LIBRARY
from app.scenario.scenario import load
from tests.tiny import made

GOOD = """title: {en: t, zh: t}
topology:
  processes: [P, Q]
  channels: [P->Q, Q->P]
program: {kind: bank, everyone: 10}
"""
FLOW = """title: {en: t, zh: t}
topology: {processes: [JM, s, map], channels: [JM->s, s->map]}
program:
  kind: dataflow
  operators:
    JM: {coordinator: true}
    s: {source: [1]}
    map: {sink: plain}
"""
BANK = {"kind": "bank", "everyone": 10}
TWO = {"processes": ["P", "Q"], "channels": ["P->Q", "Q->P"]}


def mistake(text: str) -> str:
    """Return the error of a scenario, when it is read or when it is run."""
    with pytest.raises(BluecutError) as told:
        record(load(text, "f.yaml"))
    return str(told.value)


def with_program(program: str, more: str = "") -> str:
    """Return the good scenario with another program."""
    return GOOD.replace("{kind: bank, everyone: 10}", program) + more


@pytest.mark.parametrize(
    ("text", "told"),
    [
        # what the gallery filters by
        (GOOD + "lessons: [100]\n", "line 6: lessons[0]: "),
        (GOOD + "lessons: [true]\n", "line 6: lessons[0]: "),
        (GOOD + "assumptions: [luck]\n", "line 6: assumptions[0]: must be one of fifo, causal, any-order"),
        # unknown fields, at every depth
        (GOOD + "foo: 1\n", "line 6: foo: unknown field; known here: title, surprise, story, ending, pause, tags"),
        (GOOD.replace("title", "titel"), "line 1: titel: unknown field; did you mean title? Known here: title"),
        (
            GOOD + "script:\n  - start: P\n  - strat: P\n",
            "line 8: script[1].strat: unknown field; did you mean start or state? Known here: at, start",
        ),
        (
            GOOD + "script:\n  - send: {on: P->Q, mesage: 1}\n",
            "line 7: script[0].send.mesage: unknown field; did you mean message? Known here: on, message",
        ),
        (
            GOOD.replace("everyone: 10", "acounts: {}"),
            "line 5: program.acounts: unknown field; did you mean accounts or amounts? Known here: kind, accounts",
        ),
        (
            with_program("{kind: machine, first: {}, edges: {P: [{from: a, to: b, sends: m}]}}"),
            "line 5: program.edges.P[0].sends: unknown field; did you mean send? Known here: from, to, send, receive",
        ),
        # who comes and goes, and what the network does
        (
            GOOD + "newcomers: {Q: P, P: Q}\n",
            "line 6: newcomers.Q: P is a newcomer itself; list it before Q",
        ),
        (GOOD + "newcomers: {X: P}\n", "line 6: newcomers.X: no process X; known: P, Q"),
        (GOOD + "loss: 10\n", "line 6: loss: only a seeded or timed schedule is random; this one is script"),
        (GOOD + "disciplines: {Q->X: any}\n", "line 6: disciplines.Q->X: no channel Q->X; known: "),
        (GOOD + "script:\n  - {crash: X}\n", "line 7: script[0].crash: no process X; known: P, Q"),
        (GOOD + "script:\n  - {drop: P->X}\n", "line 7: script[0].drop: no channel P->X; known: "),
        # missing fields
        (GOOD.split("\n", 1)[1], "line 1: title: missing; it must be given"),
        (GOOD.replace(", zh: t", ""), "line 1: title.zh: missing; it must be given"),
        (GOOD.split("\n", 1)[1] + "steps: many\n", "line 5: steps: must be a whole number, not 'many'"),
        (
            GOOD.replace("kind: bank, ", ""),
            "line 5: program.kind: missing; one of token, bank, variables, machine, scripted, dataflow",
        ),
        (
            GOOD.replace("  processes: [P, Q]\n", ""),
            "line 2: topology: processes is missing; list the names that channels connect",
        ),
        (GOOD + "script:\n  - {}\n", "line 7: script[0]: give exactly one of start, send, read, deliver, collect"),
        (
            GOOD + "script:\n  - send: {on: P->Q}\n",
            "line 7: script[0].send.message: give an amount: a whole number, or",
        ),
        # wrong types and values
        (GOOD + "steps: many\n", "line 6: steps: must be a whole number, not 'many'"),
        (
            GOOD + f"steps: {'9' * 19}\n",
            f"line 6: steps: must be a whole number of at most 18 digits, not '{'9' * 19}'",
        ),
        (GOOD + "steps: 1.5\n", "line 6: steps: must be a whole number, not 1.5"),
        (GOOD + "steps: true\n", "line 6: steps: must be a whole number, not true"),
        (GOOD + "steps: 0\n", "line 6: steps: must be at least 1, not 0"),
        (GOOD + "script: start\n", "line 6: script: must be a list, not 'start'"),
        (GOOD + "script:\n  -\n", "line 7: script[0]: must be a mapping, not empty"),
        (GOOD + "collect: no\n", "line 6: collect: must be true or false, not 'no'"),
        (
            GOOD.replace("{en: t, zh: t}", "[Hello]"),
            "line 1: title: must be a text in each language, such as {en: Word count, zh: 单词计数}, not a list of 1",
        ),
        (
            GOOD + f"script:\n  - {{start: P, say: {'x' * 2_001}}}\n",
            "line 7: script[0].say: must be at most 2,000 characters long, not 2,001 characters",
        ),
        # operators of a dataflow
        (
            FLOW.replace("[1]}", "[1], speed: 3}"),
            "line 7: program.operators.s.speed: unknown field; known here: coordinator, batch, source, ends, sum",
        ),
        (
            FLOW.replace("map", "out").replace("out: {sink", "out: {snik"),
            "line 8: program.operators.out.snik: unknown field; did you mean sink? Known here: coordinator, batch",
        ),
        (
            FLOW.replace("sink: plain", "sync: plain"),  # the process has the name of a field
            "line 8: program.operators.map.sync: unknown field; known here: coordinator, batch, source",
        ),
        (
            FLOW.replace("    JM: {coordinator: true}\n", ""),
            "line 6: program.operators.s: a source's only input is its coordinator's; remove JM->s, "
            "or write JM: {coordinator: true} in operators",
        ),
        (
            FLOW.replace("[JM->s, s->map]", "[JM->s, s->map, map->s]").replace("sink: plain", "sum: all"),
            "line 7: program.operators.s: a source's only input is its coordinator's; remove map->s",
        ),
        (FLOW + "    typo: {sum: all}\n", "line 9: program.operators.typo: no process typo; known: JM, s, map"),
        (
            FLOW + "algorithm: aligned\nscript:\n  - start: s\n",
            "line 11: script[0]: only the coordinator JM starts checkpoints, not s",
        ),
        (
            FLOW + "algorithm: millwheel\nscript:\n  - start: JM\n",
            "line 11: script[0]: millwheel takes no snapshots, so nobody starts one",
        ),
        (
            GOOD.replace("en: t", "en: 5"),
            "line 1: title.en: must be text (in quotes where it looks like a number), not 5",
        ),
        (GOOD.replace("10", "ten"), "line 5: program.everyone: must be a whole number or a mapping, not 'ten'"),
        (GOOD.replace("10", "{money: x}"), "line 5: program.everyone.money: must be a whole number, not 'x'"),
        (
            GOOD.replace("bank", "banc"),
            "line 5: program.kind: must be one of token, bank, variables, machine, scripted, dataflow, not 'banc'",
        ),
        (
            GOOD + "algorithm: chandy\n",
            "line 6: algorithm: no algorithm is called 'chandy'; did you mean chandy-lamport?",
        ),
        (GOOD + "discipline: lifo\n", "line 6: discipline: must be one of fifo, causal, any, not 'lifo'"),
        (
            GOOD.replace("[P, Q]", "[P, 'Q Q']"),
            "line 3: topology.processes[1]: must be a name of 1 to 12 letters (A to Z), digits, - and _, not 'Q Q'",
        ),
        (GOOD.replace("Q->P]", "Q-P]"), "line 4: topology.channels[1]: must be a channel, SOURCE->TARGET, not 'Q-P'"),
        (
            with_program("{kind: bank, accounts: {a b: 1}}"),
            "line 5: program.accounts.a b: must be a name of 1 to 12 letters (A to Z), digits, - and _, not 'a b'",
        ),
        (
            GOOD + "schedule: {kind: timed, delay: {digits: 12}}\n",
            "line 6: schedule.delay.digits: must be text (in quotes",
        ),
        (
            GOOD + "schedule: {kind: timed, delay: {}}\n",
            "line 6: schedule.delay: give exactly one of constant, uniform, digits",
        ),
        (
            GOOD + "schedule: {kind: timed, delay: {uniform: [1]}}\n",
            "line 6: schedule.delay.uniform: must be at least 2 long",
        ),
        (
            GOOD + "schedule: {kind: timed, service: {P: 0}}\n",
            "line 6: schedule.service.P: must be at least 1, not 0",
        ),
        (
            GOOD + "schedule: {kind: timed, service: {P: 10001}}\n",
            "line 6: schedule.service.P: must be at most 10,000, not 10001",
        ),
        (GOOD + "schedule: {kind: timed, service: {R: 5}}\n", "line 6: schedule.service.R: no process R; known: P, Q"),
        (
            GOOD + "schedule: {kind: seeded, service: {P: 5}}\n",
            "line 6: schedule.service: only a timed schedule knows how long something takes; this one is seeded",
        ),
        (
            GOOD + "schedule: {put_off: {constant: 5}}\n",
            "line 6: schedule.put_off: only a timed schedule knows how long something takes; this one is script",
        ),
        (
            GOOD + "schedule: {kind: timed, put_off: {}}\n",
            "line 6: schedule.put_off: give exactly one of constant, uniform, digits",
        ),
        # the graph
        (
            GOOD.replace("[P, Q]", "[P, Q, P]"),
            "line 3: topology.processes[2]: P is named twice; give each process its own name",
        ),
        (GOOD.replace("Q->P]", "Q->P, P->Q]"), "line 4: topology.channels[2]: P->Q is given twice; keep one"),
        (
            GOOD.replace("Q->P]", "Q->Q]"),
            "line 4: topology.channels[1]: Q->Q ends where it starts",
        ),
        (GOOD.replace("Q->P]", "Q->R]"), "line 4: topology.channels[1]: no process R; known: P, Q"),
        (
            GOOD.replace("topology:", "topology:\n  ring: 3"),
            "line 2: topology: give either processes and channels, or exactly one of",
        ),
        # names that do not exist
        (GOOD + "script:\n  - start: R\n", "line 7: script[0].start: no process R; known: P, Q"),
        (GOOD + "script:\n  - wake: R\n", "line 7: script[0].wake: no process R; known: P, Q"),
        (GOOD + "script:\n  - deliver: P->R\n", "line 7: script[0].deliver: no channel P->R; known: P->Q, Q->P"),
        (
            GOOD + "script:\n  - send: {on: P->R, message: 1}\n",
            "line 7: script[0].send.on: no channel P->R; known: P->Q, Q->P",
        ),
        (with_program("{kind: token, holders: {R: 1}}"), "line 5: program.holders.R: no process R; known: P, Q"),
        (
            GOOD + "expect: {snapshots: [{processes: {R: 1}}]}\n",
            "line 6: expect.snapshots[0].processes.R: no process R",
        ),
        (GOOD + "expect: {snapshots: [{open: [P->R]}]}\n", "line 6: expect.snapshots[0].open[0]: no channel P->R"),
        (GOOD + "expect: {final: {channels: {P->R: []}}}\n", "line 6: expect.final.channels.P->R: no channel P->R"),
        (GOOD + "explore: {starts: [R]}\n", "line 6: explore.starts[0]: no process R; known: P, Q"),
        (
            GOOD + "explore: {outcomes: [{processes: {R: 1}}]}\n",
            "line 6: explore.outcomes[0].processes.R: no process R",
        ),
        (
            GOOD + "explore: {breaks: [total]}\n",
            "line 6: explore.breaks[0]: must be one of consistent, channels, conserved, ",
        ),
        (
            with_program("{kind: machine, first: {}, edges: {P: [{from: a, to: b, send: m}]}}"),
            "line 5: program.edges.P[0]: on is missing; name the channel",
        ),
        (
            with_program("{kind: machine, first: {}, edges: {P: [{from: a, to: b, send: m, on: Q->P}]}}"),
            "line 5: program.edges.P[0]: P cannot send on Q->P; its outputs: P->Q",
        ),
        # what another field makes meaningless
        (
            GOOD + "script:\n  - {start: P, wake: P}\n",
            "line 7: script[0]: give exactly one of start, send, read, deliver, collect, change, wake, drop",
        ),
        (GOOD + "script:\n  - {at: 3, start: P}\n", "line 7: script[0].at: only a timed schedule has times"),
        (
            GOOD + "script:\n  - {start: P, position: 1}\n",
            "line 7: script[0].position: only deliver, drop, duplicate and overtake have a position",
        ),
        (GOOD + "script:\n  - {start: P, state: 1}\n", "line 7: script[0].state: only deliver has a state"),
        (
            GOOD + "script:\n  - send: {on: P->Q, message: 1, set: {X: 1}}\n",
            "line 7: script[0].send.set: only a variables program",
        ),
        (
            GOOD + "script:\n  - change: {process: P, state: 1}\n",
            "line 7: script[0].change: a bank program changes only by",
        ),
        (GOOD + "initiators: [{process: P}]\n", "line 6: initiators: only a seeded or timed schedule has initiators"),
        (
            GOOD + "schedule: {kind: seeded}\nscript: [{start: P}]\n",
            "line 7: script: only a script or timed schedule follows",
        ),
        (
            with_program("{kind: bank, accounts: {P: 1, Q: {gold: 2}}}"),
            "line 5: program.accounts: the balances differ in kind",
        ),
        # lines of the script that cannot happen
        (GOOD + "script:\n  - send: {on: P->Q, message: 50}\n", "line 7: script[0]: P has 10 and cannot send 50"),
        (
            GOOD + "script:\n  - start: P\n  - deliver: Q->P\n",
            "line 8: script[1]: nothing is in flight on Q->P at this point; send something first, or remove the line",
        ),
        (GOOD + "script:\n  - wake: P\n", "line 7: script[0]: P has not put off a step"),
        (
            with_program("{kind: variables, values: {P: {X: 1}}}", "script:\n  - change: {process: P, set: {Y: 1}}\n"),
            "line 7: script[0].change.set.Y: P has no variable Y; it has X",
        ),
        (
            with_program(
                "{kind: variables, values: {P: {X: 1}}}",
                "script:\n  - send: {on: P->Q, message: M, then: {X: 2}}\n",
            ),
            "line 7: script[0].send.then.X: Q has no variable X; it has none",
        ),
        (
            with_program("{kind: bank, everyone: {gold: 1}}", "script:\n  - send: {on: P->Q, message: {silver: 0}}\n"),
            "line 7: script[0].send.message: the accounts hold no silver; they hold gold",
        ),
        (
            with_program("{kind: token, holders: {P: 1}}", "script:\n  - send: {on: Q->P}\n"),
            "line 7: script[0]: Q holds no token and cannot send one",
        ),
    ],
)
def test_a_mistake_names_file_line_field_and_what_would_be_right(text: str, told: str) -> None:
    got = mistake(text)
    assert got.startswith("f.yaml, " + told)
    assert "\n" not in got


def test_a_text_that_is_no_mapping_is_told() -> None:
    assert mistake("- a") == "f.yaml, line 1: a scenario is a mapping with topology, program, script, …"
    assert mistake("hello") == "f.yaml, line 1: a scenario is a mapping with topology, program, script, …"


def test_words_that_yaml_takes_for_something_else_are_texts() -> None:
    form = load(GOOD.replace("{en: t, zh: t}", "{en: no, zh: 12:30}"), "f.yaml").form
    assert (form.title.en, form.title.zh) == ("no", "12:30")


# --- limits: each holds at its limit and not one beyond ---------------------------------------------------------------


def scenario_of(**fields: Any) -> dict[str, Any]:
    """Return the values of a scenario with some fields."""
    return {"topology": TWO, "program": BANK, **fields}


def names(count: int) -> list[str]:
    """That many names."""
    return [f"P{i}" for i in range(count)]


def links(count: int) -> dict[str, Any]:
    """Return a graph with that many channels."""
    every = [f"{a}->{b}" for a in names(100) for b in names(100) if a != b]
    return {"processes": names(100), "channels": every[:count]}


def newcomers_of(count: int) -> dict[str, Any]:
    """Return a scenario to which that many processes may come, all through the same parent."""
    new = names(count)
    links = [link for name in new for link in (f"P->{name}", f"{name}->P")]
    return scenario_of(topology={"processes": ["P", *new], "channels": links}, newcomers=dict.fromkeys(new, "P"))


LIMITS = [
    ("processes", PROCESSES, lambda n: scenario_of(topology={"processes": names(n), "channels": []})),
    ("processes of a shape", PROCESSES, lambda n: scenario_of(topology={"ring": n})),
    ("processes of a random graph", PROCESSES, lambda n: scenario_of(topology={"random": {"processes": n}})),
    ("channels", CHANNELS, lambda n: scenario_of(topology=links(n))),
    ("steps", STEPS, lambda n: scenario_of(steps=n)),
    ("lines of the script", ENTRIES, lambda n: scenario_of(script=[{"start": "P"}] * n)),
    (
        "initiators",
        SNAPSHOTS,
        lambda n: scenario_of(schedule={"kind": "seeded"}, initiators=[{"process": "P"}] * n),
    ),
    ("letters of a name", 12, lambda n: scenario_of(topology={"processes": ["x" * n], "channels": []})),
    (
        "letters of a state",
        40,
        lambda n: scenario_of(program={"kind": "machine", "first": {"P": "x" * n}, "edges": {}}),
    ),
    ("letters of a story", 2_000, lambda n: scenario_of(story={"en": "x" * n, "zh": "字"})),
    ("tags", 12, lambda n: scenario_of(tags=["x"] * n)),
    ("an amount", 10**12, lambda n: scenario_of(program={"kind": "bank", "everyone": n})),
    ("quantities", 8, lambda n: scenario_of(program={"kind": "bank", "everyone": dict.fromkeys(names(n), 1)})),
    ("usual amounts", 8, lambda n: scenario_of(program={"kind": "bank", "everyone": 1, "amounts": [1] * n})),
    (
        "channels times amounts",
        6_000,
        lambda n: scenario_of(
            topology={"random": {"processes": 150, "degree": 5 + (n > 6_000)}},
            program={"kind": "bank", "everyone": 1, "amounts": [1, 2, 3, 4, 5, 6, 7, 8]},
        ),
    ),
    ("tokens", 1_000, lambda n: scenario_of(program={"kind": "token", "holders": {"P": n}})),
    (
        "variables",
        12,
        lambda n: scenario_of(program={"kind": "variables", "values": {"P": dict.fromkeys(names(n), 1)}}),
    ),
    ("a seed", 2**31 - 1, lambda n: scenario_of(schedule={"kind": "seeded", "seed": n})),
    ("a delay", 1_000_000, lambda n: scenario_of(schedule={"kind": "timed", "delay": {"constant": n}})),
    ("recorded delays", 100_000, lambda n: scenario_of(schedule={"kind": "timed", "delay": {"digits": "1" * n}})),
    ("moves to explore", 50, lambda n: scenario_of(explore={"moves": n})),
    ("faults to explore", 5, lambda n: scenario_of(explore={"faults": {"drop": n}})),
    ("messages lost in a hundred", 90, lambda n: scenario_of(schedule={"kind": "seeded"}, loss=n)),
    ("messages doubled in a hundred", 90, lambda n: scenario_of(schedule={"kind": "timed"}, duplication=n)),
    ("newcomers", 20, lambda n: newcomers_of(n)),
]


@pytest.mark.parametrize(("limit", "of"), [pytest.param(n, of, id=name) for name, n, of in LIMITS])
def test_a_limit_holds_at_its_value_and_not_one_beyond(limit: int, of: Any) -> None:
    made(of(limit))
    with pytest.raises(SourceError) as told:
        made(of(limit + 1))
    if limit != 12 or "12 letters" not in str(told.value):
        assert f"{limit:,}" in str(told.value) or str(limit) in str(told.value)


def test_a_named_shape_with_too_many_channels_is_refused() -> None:
    made(scenario_of(topology={"complete": 63}))  # 3,906 channels
    with pytest.raises(SourceError, match="4,032 channels; at most 4,000"):
        made(scenario_of(topology={"complete": 64}))


@pytest.mark.parametrize("limit", [VISITOR_BYTES, FILE_BYTES])
def test_bytes_are_counted_to_their_limit(limit: int) -> None:
    padded = GOOD + "#" * (limit - len(GOOD.encode()))
    load(padded, "f.yaml", limit=limit)
    with pytest.raises(SourceError, match=f"{limit + 1:,} bytes; at most {limit:,}"):
        load(padded + "#", "f.yaml", limit=limit)


def test_a_run_has_at_most_its_snapshots() -> None:
    starts = "script:\n" + "  - start: P\n" * SNAPSHOTS
    assert len(record(load(GOOD + starts, "f.yaml")).verdicts) == SNAPSHOTS
    assert "cannot start a snapshot now: there are 16, the most" in mistake(GOOD + starts + "  - start: P\n")


def test_one_text_of_an_author_stands_for_both_languages() -> None:
    own = load(GOOD.replace("{en: t, zh: t}", "Hello") + "script:\n  - {start: P, say: Now.}\n", "f.yaml")
    assert own.form.title == Words(en="Hello", zh="Hello")
    assert own.form.script[0].say == Words(en="Now.", zh="Now.")


# --- the schema ----------------------------------------------------------------------------------------------------


def test_the_shipped_schema_is_the_one_made_from_the_format() -> None:
    shipped = json.loads(Path(STATIC / "scenario.schema.json").read_text(encoding="utf-8"))
    assert shipped == json.loads(json.dumps(schema())), "run: bluecut schema > static/scenario.schema.json"


def test_the_schema_is_valid_and_accepts_the_whole_library() -> None:
    Draft202012Validator.check_schema(schema())
    validator = Draft202012Validator(schema())
    for name, path in LIBRARY.files().items():
        values = read(path.read_text(encoding="utf-8"), name, limit=FILE_BYTES).values
        assert [error.message for error in validator.iter_errors(values)] == []


def test_the_schema_refuses_what_the_format_refuses() -> None:
    validator = Draft202012Validator(schema())
    good = {"title": {"en": "t", "zh": "t"}, "topology": TWO, "program": BANK}
    assert validator.is_valid(good)
    assert validator.is_valid({**good, "title": "t"})
    for wrong in ({"foo": 1}, {"steps": 0}, {"script": [{"strat": "P"}]}, {"program": {"kind": "banc"}}):
        assert not validator.is_valid({**good, **wrong})
