"""The form: rows read from a scenario, and put back without losing what the form does not show."""

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.model.errors import BluecutError
from app.forms.yaml_source import read
from app.run.run import record
from app.scenario.library import LIBRARY
from app.scenario.scenario import build
from app.scenario.yaml_writer import written
from app.web.play.editor.buttons import MOVES, done, offered
from app.web.play.editor.form import SHAPES, Outline, Row, inline, outline, typed
from app.web.play.editor.naming import forget
from tests.each import each
from tests.often import some

BANK: dict[str, Any] = {
    "title": {"en": "A", "zh": "B"},
    "topology": {"processes": ["A", "B", "C"], "channels": ["A->B", "B->A", "B->C"]},
    "program": {"kind": "bank", "accounts": {"A": 10, "B": 20, "C": 0}, "amounts": [3]},
    "script": [
        {"start": "A", "say": {"en": "begins", "zh": "开始"}},
        {"send": {"on": "B->A", "message": 5}},
        {"deliver": "A->B", "position": 0},
        {"deliver": "B->A"},
    ],
    "schedule": {"kind": "script", "delays": {"B->C": {"constant": 2}}},
    "initiators": [],
}


def applied(values: dict[str, Any], fields: dict[str, str]) -> dict[str, Any]:
    """The values with the fields of a form."""
    return done(values, fields).values


def changed(**fields: str) -> dict[str, Any]:
    """BANK with fields of the form changed; ``_`` stands for the dot in their names."""
    return applied(BANK, {name.replace("_", "."): value for name, value in fields.items()})


def shaped(name: str) -> str:
    """The shape of a library scenario, if it has one."""
    form = outline(read(LIBRARY.files()[name].read_text("utf-8"), name, limit=10**6).values)
    return form.shape if form else ""


def builds(values: dict[str, Any]) -> bool:
    """Is it a scenario?"""
    return build(read(written(values), "scenario", limit=10**6)) is not None


def test_a_form_shows_processes_channels_and_script() -> None:
    form = outline(BANK)
    assert form is not None
    assert form.processes == (("A", "10"), ("B", "20"), ("C", "0"))
    assert form.channels == (("A", "B"), ("B", "A"), ("B", "C"))
    assert form.script[:3] == (Row("start", "A", ""), Row("send", "B->A", "5"), Row("deliver", "A->B", ""))


def test_a_form_that_was_not_touched_changes_nothing() -> None:
    assert applied(BANK, {}) == BANK


@each("name", LIBRARY.names())
def test_the_form_of_a_library_scenario_sent_back_as_it_is_changes_nothing(name: str) -> None:
    values = read(LIBRARY.files()[name].read_text(encoding="utf-8"), name, limit=10**6).values
    form = outline(values)
    if form is None:
        return
    fields = {"shape": form.shape, "size": str(form.size)}
    for i, (process, first) in enumerate(form.processes):
        fields |= {f"process.{i}.name": process, f"process.{i}.first": first}
    for i, (a, b) in enumerate(form.channels):
        fields |= {f"channel.{i}.from": a, f"channel.{i}.to": b}
    for i, row in enumerate(form.script):
        fields |= {f"script.{i}.kind": row.kind, f"script.{i}.where": row.where, f"script.{i}.what": row.what}
    assert applied(values, fields) == values


def test_a_new_balance_is_a_number() -> None:
    assert changed(process_1_first="25")["program"]["accounts"] == {"A": 10, "B": 25, "C": 0}


def test_a_process_with_a_new_name_has_it_everywhere() -> None:
    made = changed(process_1_name="Bob")
    assert made["topology"] == {"processes": ["A", "Bob", "C"], "channels": ["A->Bob", "Bob->A", "Bob->C"]}
    assert made["program"]["accounts"] == {"A": 10, "Bob": 20, "C": 0}
    assert made["script"][1:] == [
        {"send": {"on": "Bob->A", "message": 5}},
        {"deliver": "A->Bob", "position": 0},
        {"deliver": "Bob->A"},
    ]
    assert made["schedule"]["delays"] == {"Bob->C": {"constant": 2}}
    assert builds(made)


def test_a_slow_process_keeps_its_ticks_under_its_new_name_and_takes_them_along_when_it_goes() -> None:
    slow = BANK | {"schedule": {"kind": "timed", "service": {"B": 5, "C": 2}}, "script": []}
    assert applied(slow, {"process.1.name": "Bob"})["schedule"]["service"] == {"Bob": 5, "C": 2}
    left = applied(slow, {"do": "process.remove.1"})
    assert left["schedule"]["service"] == {"C": 2}
    assert builds(left)


def test_a_name_that_is_taken_stays_where_it_was() -> None:
    assert changed(process_1_name="A") == BANK


def test_the_text_of_a_message_is_nobodys_name() -> None:
    values = copy.deepcopy(BANK)
    values["program"] = {"kind": "scripted", "states": {"B": {"start": "B"}}}
    values["script"] = [{"send": {"on": "B->A", "message": {"on": "B->A", "start": "B"}}}]
    made = applied(values, {"process.1.name": "Bob"})
    assert made["script"] == [{"send": {"on": "Bob->A", "message": {"on": "B->A", "start": "B"}}}]
    assert made["program"]["states"] == {"Bob": {"start": "B"}}


def test_a_line_keeps_its_caption_when_it_changes() -> None:
    assert changed(script_0_where="C")["script"][0] == {"start": "C", "say": {"en": "begins", "zh": "开始"}}
    sends = changed(script_0_kind="send")["script"][0]
    assert sends == {"send": {"on": "A->B", "message": 1}, "say": {"en": "begins", "zh": "开始"}}


def test_a_new_message_keeps_what_else_the_send_says() -> None:
    values = copy.deepcopy(BANK)
    values["program"] = {"kind": "variables", "values": {"A": {"X": 1}}}
    values["script"] = [{"send": {"on": "B->A", "message": "M", "then": {"X": 2}}}]
    made = applied(values, {"script.0.what": "N"})
    assert made["script"] == [{"send": {"on": "B->A", "message": "N", "then": {"X": 2}}}]


def test_a_channel_that_leads_elsewhere_takes_its_messages_along() -> None:
    made = changed(channel_1_to="C", channel_2_to="A")
    assert made["topology"]["channels"] == ["A->B", "B->C", "B->A"]
    made = changed(channel_0_from="C")
    assert made["topology"]["channels"] == ["C->B", "B->A", "B->C"]
    assert made["script"][2] == {"deliver": "C->B", "position": 0}


def test_lines_can_be_added_moved_and_removed() -> None:
    assert changed(do="script.up.1")["script"][0] == {"send": {"on": "B->A", "message": 5}}
    assert changed(do="script.down.3") == BANK
    assert changed(do="script.remove.1")["script"] == [BANK["script"][0], *BANK["script"][2:]]
    assert changed(do="script.add")["script"][-1] == {"deliver": "B->A"}  # B's marker is still on its way


def test_a_new_line_can_happen_where_the_script_ends() -> None:
    delivered = BANK | {"script": [*BANK["script"], {"deliver": "B->A"}, {"deliver": "B->C"}]}
    made = applied(delivered, {"do": "script.add"})
    assert made["script"][-1] == {"send": {"on": "A->B", "message": 3}}
    for _ in range(6):
        made = applied(made, {"do": "script.add"})
        record(build(read(written(made), "scenario", limit=10**6)))  # raises where a line is impossible


def test_a_new_line_of_a_machine_leaves_its_state_to_its_edges() -> None:
    values = read(LIBRARY.files()["state-that-never-was"].read_text("utf-8"), "scenario", limit=10**6).values
    for _ in range(4):
        values = applied(values, {"do": "script.add"})
    record(build(read(written(values), "scenario", limit=10**6)))


SCRIPTED = [n for n in LIBRARY.names() if LIBRARY.scenario(n).form.schedule.kind == "script"]


def mistake(values: dict[str, Any]) -> str:
    """What is wrong with a scenario or its run."""
    try:
        record(build(read(written(values), "scenario", limit=10**6)), most=300)
    except BluecutError as error:
        return str(error)
    return ""


def buttons(form: Outline) -> set[str]:
    """The buttons that a form may have; of those that move rows, every fourth."""
    lists = {"script": form.script} | ({} if form.shape else {"process": form.processes, "channel": form.channels})
    return {
        *(f"{part}.add" for part in lists),
        *(f"{part}.remove.{at}" for part, rows in lists.items() for at in range(len(rows))),
        *(f"{part}.{verb}.{at}" for part, rows in lists.items() for verb in MOVES for at in range(1, len(rows), 4)),
    }


@pytest.mark.parametrize("name", some(LIBRARY.names(), 9))
def test_each_button_of_a_library_scenario_leads_to_one_without_mistakes(name: str) -> None:
    values = read(LIBRARY.files()[name].read_text("utf-8"), name, limit=10**6).values
    form = outline(values)
    if form is None:
        pytest.skip("no form")
    there = offered(values, form, right=True)
    assert there <= buttons(form)
    for button in sorted(buttons(form)):
        made = done(values, {"do": button})
        assert not (wrong := mistake(made.values)), (button, wrong)
        assert made.values != values or made.refused or button not in there, button
        assert not (button in there and made.refused), button


@pytest.mark.parametrize("name", some([n for n in LIBRARY.names() if shaped(n)], 3))
def test_each_shape_and_size_leads_to_a_scenario_without_mistakes(name: str) -> None:
    values = read(LIBRARY.files()[name].read_text("utf-8"), name, limit=10**6).values
    form = outline(values)
    assert form is not None
    for shape in ("", *SHAPES):
        for size in {max(1, form.size - 1), form.size + 1}:
            assert not mistake(applied(values, {"shape": shape, "size": str(size)}))


def test_what_a_lost_line_leads_to_is_lost_with_it_and_counted() -> None:
    made = done(BANK, {"do": "script.remove.0"})
    assert (made.values["script"], made.lost) == ([BANK["script"][1], {"deliver": "B->A"}], 1)


def test_a_line_that_cannot_happen_earlier_stays_and_it_is_told_why() -> None:
    values = BANK | {"script": [{"start": "A"}, {"deliver": "A->B"}]}
    made = done(values, {"do": "script.up.1"})
    assert made.values == values
    assert str(made.refused).startswith("nothing is in flight on A->B at this point")


@pytest.mark.parametrize("name", some(SCRIPTED, 6))
def test_a_line_added_to_a_library_scenario_can_happen(name: str) -> None:
    values = read(LIBRARY.files()[name].read_text("utf-8"), name, limit=10**6).values
    made = applied(values, {"do": "script.add"})
    record(build(read(written(made), name, limit=10**6)))


def test_a_new_process_has_channels_there_and_back_and_a_balance() -> None:
    made = changed(do="process.add")
    assert made["topology"]["processes"] == ["A", "B", "C", "P1"]
    assert made["topology"]["channels"][-2:] == ["C->P1", "P1->C"]
    assert made["program"]["accounts"]["P1"] == 0
    assert builds(made)


FLOW: dict[str, Any] = {
    "title": {"en": "A", "zh": "B"},
    "topology": {"processes": ["JM", "s", "sum"], "channels": ["JM->s", "s->sum"]},
    "program": {
        "kind": "dataflow",
        "operators": {"JM": {"coordinator": True}, "s": {"source": [1, 2]}, "sum": {"sum": "all"}},
    },
    "algorithm": "aligned",
    "script": [
        {"read": "s"},
        {"start": "JM"},
        {"deliver": "s->sum"},
        {"crash": "sum"},
        {"wake": "s", "what": "stored"},
    ],
}


def test_a_dataflow_is_edited_by_what_its_processes_do() -> None:
    made = applied(
        FLOW, {"process.1.first": "source=[1, 2, 3], ends=true", "process.2.first": "count=all, emit=record"}
    )
    assert made["program"]["operators"]["s"] == {"source": [1, 2, 3], "ends": True}
    assert made["program"]["operators"]["sum"] == {"count": "all", "emit": "record"}
    called = applied(FLOW, {"process.1.name": "src", "process.2.name": "total"})
    assert list(called["program"]["operators"]) == ["JM", "src", "total"]
    assert [*called["script"][:2], *called["script"][3:]] == [
        {"read": "src"},
        {"start": "JM"},
        {"crash": "total"},
        {"wake": "src", "what": "stored"},
    ]


@each("name", LIBRARY.names())
def test_a_process_of_a_library_scenario_has_its_new_name_everywhere(name: str) -> None:
    values = read(LIBRARY.files()[name].read_text("utf-8"), name, limit=10**6).values
    shown = outline(values)
    for i in range(0 if shown is None or shown.shape else len(shown.processes)):
        assert builds(applied(values, {f"process.{i}.name": "Renamed"}))


def test_what_the_form_does_not_show_goes_with_its_channel() -> None:
    more = BANK | {"script": [{"drop": "A->B"}, {"crash": "C"}], "loss": {"A->B": 5}, "newcomers": {"C": "B"}}
    made = applied(more, {"do": "channel.remove.0"})
    assert (made["script"], made["loss"]) == ([{"crash": "C"}], {})
    made = applied(more, {"do": "process.remove.2"})
    assert (made["script"], made["newcomers"]) == ([{"drop": "A->B"}], {})


def test_nothing_is_said_of_a_process_that_is_gone() -> None:
    values = {
        "title": "A",
        "topology": {"processes": ["A", "B", "C"], "channels": ["A->B", "B->A", "B->C"]},
        "program": {
            "kind": "machine",
            "first": {"A": "C", "C": "idle"},
            "edges": {"B": [{"from": "C", "to": "C", "send": "C", "on": "B->C"}, {"from": "x", "to": "C"}], "C": []},
        },
        "schedule": {"kind": "seeded", "delays": {"B->C": {"constant": 1}}},
        "initiators": [{"process": "C"}],
        "explore": {"starts": ["C"], "moves": 2},
        "expect": {
            "steps": 4,
            "snapshots": [
                {"initiators": ["C"], "complete": True},
                {"initiators": ["A", "C"], "processes": {"A": "C", "C": "idle"}, "channels": {"B->C": []}},
            ],
            "final": {"processes": {"B": {"process": "C"}, "C": 1}},
        },
    }
    made = copy.deepcopy(values)
    forget(made, {"C", "B->C"})
    assert made == {
        "title": "A",
        "topology": values["topology"],
        "program": {"kind": "machine", "first": {"A": "C"}, "edges": {"B": [{"from": "x", "to": "C"}]}},
        "schedule": {"kind": "seeded", "delays": {}},
        "expect": {
            "steps": 4,
            "snapshots": [{"initiators": ["A"], "processes": {"A": "C"}, "channels": {}}],
            "final": {"processes": {"B": {"process": "C"}}},
        },
    }


def test_a_new_source_stands_between_the_coordinator_and_the_last_process() -> None:
    made = applied(FLOW, {"do": "process.add"})
    assert made["topology"]["channels"] == ["JM->s", "s->sum", "JM->P1", "P1->sum"]
    assert made["program"]["operators"]["P1"] == {"source": [1, 2, 3]}
    assert builds(made | {"script": []})
    alone = FLOW | {"program": {"kind": "dataflow", "operators": {"s": {"source": [1, 2]}, "sum": {"sum": "all"}}}}
    assert applied(alone, {"do": "process.add"})["topology"]["channels"][2:] == ["P1->sum"]


def test_lines_of_a_dataflow_read_crash_and_lead_back() -> None:
    turned = applied(FLOW, {"script.4.kind": "crash", "script.4.where": "s"})["script"][4]
    assert turned == {"crash": "s"}
    made = FLOW | {"script": []}
    for _ in range(12):
        made = applied(made, {"do": "script.add"})
    assert {next(iter(line)) for line in made["script"]} >= {"start", "read", "deliver", "wake"}
    record(build(read(written(made), "scenario", limit=10**6)))
    fallen = FLOW | {"script": [{"read": "s"}, {"crash": "sum"}]}
    assert {"restore": "latest"} in applied(applied(fallen, {"do": "script.add"}), {"do": "script.add"})["script"]


def test_a_process_goes_with_its_channels_and_its_lines() -> None:
    made = changed(do="process.remove.1")
    assert made["topology"] == {"processes": ["A", "C"], "channels": []}
    assert made["script"] == [{"start": "A", "say": {"en": "begins", "zh": "开始"}}]
    assert made["schedule"]["delays"] == {}
    assert builds(made)


def test_a_channel_goes_with_its_lines() -> None:
    made = changed(do="channel.remove.1")
    assert made["topology"]["channels"] == ["A->B", "B->C"]
    assert [*map(list, made["script"])] == [["start", "say"], ["deliver", "position"]]


def test_a_change_and_a_button_are_done_together() -> None:
    made = changed(script_1_what="7", do="script.up.1")
    assert made["script"][0] == {"send": {"on": "B->A", "message": 7}}


@pytest.mark.parametrize(
    "button",
    [
        "",
        "x",
        "script",
        "script.fly.1",
        "script.up",
        "script.up.-1",
        "script.remove.99",
        "process.remove.x",
        "a.b.c",
        "script.up." + "9" * 5_000,
    ],
)
def test_unknown_buttons_do_nothing(button: str) -> None:
    assert changed(do=button) == BANK


def test_a_shape_can_change_and_be_listed() -> None:
    ring = BANK | {"topology": {"ring": 3}, "script": [], "program": {"kind": "token", "holders": {"P1": 1}}}
    form = outline(ring)
    assert form is not None
    assert (form.shape, form.size, form.names) == ("ring", 3, ["P1", "P2", "P3"])
    assert applied(ring, {"shape": "star", "size": "4"})["topology"] == {"star": 4}
    assert applied(ring, {"shape": "star", "size": "9" * 5_000})["topology"] == {"star": 3}
    listed = applied(ring, {"shape": "", "size": "3"})["topology"]
    assert listed == {"processes": ["P1", "P2", "P3"], "channels": ["P1->P2", "P2->P3", "P3->P1"]}
    assert changed(shape="ring")["topology"] == {"ring": len(BANK["topology"]["processes"])}


@pytest.mark.parametrize(
    "values",
    [
        None,
        [],
        "x",
        {},
        {"topology": 1, "program": 2},
        {"topology": {"processes": [1]}, "program": {"kind": "token"}},
        {"topology": {"processes": ["A"], "channels": ["A"]}, "program": {"kind": "token"}},
        {"topology": {"ring": "many"}, "program": {"kind": "token"}},
        {"topology": {"ring": 61}, "program": {"kind": "token"}},
        {"topology": {"processes": ["A"]}, "program": {"kind": "magic"}},
        {"topology": {"processes": ["A"]}, "program": {"kind": ["token"]}},
        {"topology": {"processes": ["A"]}, "program": {"kind": "token", "holders": [1]}, "script": [{"start": 1}] * 61},
    ],
)
def test_what_has_no_form_is_left_to_the_text(values: Any) -> None:
    assert outline(values) is None
    if isinstance(values, dict):
        assert applied(values, {"do": "script.add"}) == values


def test_a_line_that_the_form_does_not_know_stays_as_it_is() -> None:
    odd = BANK | {"script": [{"strat": "A"}, "text", {"start": "A", "wake": "B"}, {"start": ["A"]}]}
    form = outline(odd)
    assert form is not None
    assert [row.other for row in form.script] == [True, True, True, True]
    assert applied(odd, {"script.0.kind": "start", "script.0.what": "x"}) == odd


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (3, "3"),
        ("idle", "idle"),
        ({"X1": 1, "Y1": "two"}, "X1=1, Y1=two"),
        ({"a": "x, y=1"}, '{"a": "x, y=1"}'),
        ("3", '"3"'),
        ("true", '"true"'),
        (None, "null"),
        ([1, [2]], "[1, [2]]"),
        ({"source": [{"a": 1}, {"b": 2}], "ends": True}, 'source=[{"a": 1}, {"b": 2}], ends=true'),
        ({"map": {"times": 10}}, 'map={"times": 10}'),
        ({"source": [[1], [2]]}, '{"source": [[1], [2]]}'),
        ("<img src=x>", '"<img src=x>"'),
    ],
)
def test_a_value_in_one_line_means_itself(value: Any, text: str) -> None:
    assert inline(value) == text
    assert typed(text) == value


ODD = st.one_of(
    st.none(),
    st.integers(0, 3),
    st.sampled_from(["A", "A->B", ""]),
    st.lists(st.sampled_from(["A", 1, None]), max_size=2),
)
BUTTONS = st.tuples(
    st.sampled_from(["process", "channel", "script"]),
    st.sampled_from(["add", "up", "down", "remove"]),
    st.integers(0, 3),
).map(lambda parts: ".".join(map(str, parts)))


@given(
    st.dictionaries(st.sampled_from(["schedule", "initiators", "expect", "explore", "script", "steps"]), ODD),
    st.dictionaries(st.sampled_from(["accounts", "edges", "amounts"]), ODD),
    st.dictionaries(
        st.sampled_from(["process.1.name", "process.1.first", "script.1.kind", "channel.0.to"]), st.text(max_size=3)
    ),
    BUTTONS,
)
def test_no_button_breaks_on_a_scenario_with_mistakes(
    values: dict[str, Any], program: dict[str, Any], fields: dict[str, str], button: str
) -> None:
    wrong = BANK | values | {"program": BANK["program"] | program}
    made = applied(wrong, {"script.1.kind": "send", **fields, "do": button})
    assert made.keys() >= {"title", "topology", "program"}
