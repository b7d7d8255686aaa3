"""Common claims: all 148, in both languages, each with runs that show at their step what the claim says; and a wrong
file is refused by name, line and field."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.analysis.expectations import mismatches, total
from app.course.claim import FOLDER, NOTES, TOPICS, ClaimForm, LinkForm, Notes, load_note
from app.course.expression import Unanswerable, valued
from app.course.run_facts import Facts, names
from app.forms.yaml_source import SourceError
from app.run.run import Run, record
from app.scenario.library import LIBRARY
from app.scenario.run_key import RunKey
from app.words.catalogues import word

KNOW = ["A7", "A9", "A16", "A20", "B13", "B21", "C4", "C26", "D4", "D14", "E3", "E9", "E10", "E17", "E20", "E28", "E34"]
KNOW.append("E42")
OF_NO_RUN = ["B5", "D16"]
"""Claims about a paper's title, and about no snapshot at all."""

RIGHT = """title: {en: A note, zh: 一份笔记}
about: {en: On markers., zh: 关于标记。}
rows:
  - id: A1
    topic: rules
    says: {en: Markers., zh: 标记。}
    holds: wrong
    correction: {en: No., zh: 不对。}
    shows:
      - to: /run/queue?step=9
        label: {en: There., zh: 那里。}
        expects: "queue('k->j', step)|length == 6"
"""


def claims() -> list[ClaimForm]:
    """Return all claims, note by note."""
    return [row for note in NOTES.notes() for row in note.form.rows]


def links() -> Iterator[tuple[ClaimForm, LinkForm]]:
    """Yield every link, and its claim."""
    for row in claims():
        yield from ((row, link) for link in row.shows)


def ran(link: LinkForm) -> Run:
    """Return the run that a link opens."""
    return record(LIBRARY.scenario(link.of), RunKey(link.query.get("algorithm")))


def refused(text: str) -> str:
    """Return the error message for a wrong file."""
    with pytest.raises(SourceError) as error:
        load_note(text, "000.yaml")
    return str(error.value)


def test_every_claim_is_there_once_in_the_order_of_the_notes() -> None:
    lengths = {"A": 22, "B": 23, "C": 40, "D": 16, "E": 47}
    assert [row.id for row in claims()] == [f"{letter}{i}" for letter, n in lengths.items() for i in range(1, n + 1)]
    assert [note.name for note in NOTES.notes()] == ["000", "001", "002", "003", "004"]
    for note, letter in zip(NOTES.notes(), lengths, strict=True):
        assert {row.id[0] for row in note.form.rows} == {letter}


def test_those_to_know_are_marked_and_none_of_them_simply_holds() -> None:
    assert [row.id for row in claims() if row.know] == KNOW
    assert not [row.id for row in claims() if row.know and row.holds in ("whole", "none")]


def test_the_verdicts_are_those_that_were_found() -> None:
    verdicts = {row.id: row.holds for row in claims()}
    assert {name: verdicts[name] for name in ("A7", "A16", "B19", "B21", "E11", "E34")} == dict.fromkeys(
        ("A7", "A16", "B19", "B21", "E11", "E34"), "part"
    )
    assert verdicts["C13"] == verdicts["B23"] == verdicts["E47"] == "whole"
    assert [name for name, holds in verdicts.items() if holds == "wrong"] == [
        "A20", "C4", "C26", "D4", "E3", "E9", "E10", "E17", "E20", "E28", "E42",
    ]  # fmt: skip


def test_every_topic_has_claims() -> None:
    assert list(dict.fromkeys(sorted((row.topic for row in claims()), key=TOPICS.index))) == list(TOPICS)


def test_the_page_of_costs_says_of_stragglers_what_the_claim_says() -> None:
    (claim,) = [row for row in claims() if row.id == "B21"]
    for language, words in (("en", ("right for aligned barriers when it was written", "outdated since Flink 1.11")),):
        told = word("costs.straggler.today", language)
        assert claim.correction is not None
        assert all(each in told and each in claim.correction.en for each in words)


def test_everything_is_said_in_both_languages() -> None:
    for note in NOTES.notes():
        words = [note.form.title, note.form.about]
        for row in note.form.rows:
            words += [row.says, *([row.correction] if row.correction else []), *(x.label for x in row.shows if x.label)]
        for each in words:
            assert re.search("[A-Za-z]", each.en) and not re.search("[\u4e00-\u9fff]", each.en), each.en
            assert re.search("[\u4e00-\u9fff]", each.zh), each.zh
            assert not re.search("[\u4e00-\u9fff][,;:!?]", each.zh), each.zh


def test_what_is_no_claim_says_why_and_every_other_is_shown_by_a_run() -> None:
    assert [row.id for row in claims() if row.holds == "none"] == ["D16"]
    shown = {row.id for row, link in links() if link.place in ("run", "compare")}
    assert [row.id for row in claims() if row.id not in shown] == OF_NO_RUN


def test_every_claim_comes_up_in_a_lesson_and_every_lesson_in_a_claim() -> None:
    assert [row.id for row in claims() if not row.lessons] == ["D16"]
    assert {number for row in claims() for number in row.lessons} == set(range(1, 15))


def test_the_runs_are_what_their_scenarios_expect() -> None:
    names = dict.fromkeys(link.of for _, link in links() if link.of in LIBRARY.names())
    assert len(names) > 70
    assert [sentence for name in names for sentence in mismatches(record(LIBRARY.scenario(name)))] == []


def test_a_link_opens_at_a_step_that_the_run_has() -> None:
    beyond = [
        (row.id, link.to)
        for row, link in links()
        if link.place == "run" and not ("step" in link.query and int(link.query["step"]) <= len(ran(link).steps))
    ]
    assert beyond == []


def test_each_run_shows_at_its_step_what_the_label_says_of_it() -> None:
    facts: dict[str, Facts] = {}
    false = []
    for row, link in links():
        if link.place == "run":
            key = link.of + str(link.query.get("algorithm"))
            facts.setdefault(key, Facts(ran(link)))
            known = names(facts[key]) | {"step": int(link.query["step"])}
            if valued(link.expects or "", known) is not True:
                false.append((row.id, link.to, link.expects))
    assert false == []


def test_what_a_label_says_of_a_step_is_not_true_at_every_step() -> None:
    facts: dict[str, Facts] = {}
    always = []
    for row, link in links():
        if link.place != "run" or "step" not in (link.expects or "") or link.query["step"] == "0":
            continue
        key = link.of + str(link.query.get("algorithm"))
        found = facts.setdefault(key, Facts(ran(link)))

        def holds(step: int, found: Facts = found, expects: str = link.expects or "") -> bool:
            try:
                return valued(expects, names(found) | {"step": step}) is True
            except Unanswerable:  # the question is about a missing step
                return False

        if all(holds(step) for step in {0, found.steps // 3, found.steps // 2, found.steps}):
            always.append((row.id, link.to))
    assert always == []


def test_totals_in_the_words_are_those_of_the_runs() -> None:
    """“14 of 10” beside a link: 14 were recorded, 10 exist."""
    told = [
        (row.id, link, [int(figure) for figure in found.groups()])
        for row, link in links()
        if link.label and link.place == "run" and (found := re.search(r"\b(\d+) of (\d+)\b", link.label.en))
    ]
    assert len(told) > 12
    for claim, link, (recorded, right) in told:
        run = ran(link)
        there = [run.system.program.amounts(state) or {} for state in run.world(0).states.values()]
        assert (total(run, 1), sum(sum(each.values()) for each in there)) == (recorded, right), (claim, link.to)


def test_a_right_note_is_read_as_it_is_written() -> None:
    note = load_note(RIGHT, "000.yaml")
    ((row,), (link,)) = note.form.rows, note.form.rows[0].shows
    assert (note.name, row.id, row.holds, row.know) == ("000", "A1", "wrong", False)
    assert (link.place, link.of, link.query) == ("run", "queue", {"step": "9"})


@pytest.mark.parametrize(
    ("right", "wrong", "says"),
    [
        (RIGHT, "", "000.yaml, line 1: empty; a note has title, about and rows"),
        (RIGHT, "- A1", "000.yaml, line 1: a note is a mapping with title, about and rows"),
        ("about: {en: On markers., zh: 关于标记。}\n", "", "000.yaml, line 1: about: missing; it must be given"),
        (
            "zh: 标记。}\n    holds",
            "zh: 标记。}\n    hold",
            "000.yaml, line 7: rows[0].hold: unknown field; did you mean holds?",
        ),
        ("holds: wrong", "holds: half", "000.yaml, line 7: rows[0].holds: must be one of whole, part, wrong, none"),
        (
            "id: A1",
            "id: F1",
            "000.yaml, line 4: rows[0].id: must be a letter from A to E and a number, such as A7, not 'F1'",
        ),
        ("says: {en: Markers., zh: 标记。}", "says: Markers.", "line 6: rows[0].says: must be a text in each language"),
        (
            "    correction: {en: No., zh: 不对。}\n",
            "",
            "line 4: rows[0].correction: missing; a claim that is not wholly true needs a correction",
        ),
        (
            RIGHT[RIGHT.index("    shows") :],
            "",
            "line 4: rows[0].shows: missing; a claim is shown by at least one page",
        ),
        (
            "/run/queue",
            "/run/queu",
            "line 10: rows[0].shows[0].to: no scenario is called 'queu'; did you mean queue?",
        ),
        ("/run/queue", "/run/zzz", "line 10: rows[0].shows[0].to: no scenario is called 'zzz'"),
        (
            "/run/queue",
            "/runs/queue",
            "line 10: rows[0].shows[0].to: no page is called 'runs'; known here: run, compare",
        ),
        (
            "rows:\n",
            RIGHT[RIGHT.index("rows") :],
            "000.yaml, line 13: rows[1].id: A1 is given twice; keep one",
        ),
        ("label: {en: There., zh: 那里。}", "label: [There]", "line 11: rows[0].shows[0].label: must be a text"),
        (
            RIGHT[RIGHT.index("        expects") :],
            "",
            "line 10: rows[0].shows[0].expects: missing; say what must be true of the run at this step",
        ),
        (
            "length == 6",
            "length ==",
            "line 12: rows[0].shows[0].expects: \"queue('k->j', step)|length ==\" is not an expression",
        ),
        ("topic: rules", "topic: rulez", "line 5: rows[0].topic: must be one of snapshot, model, rules, completion"),
        (
            "to: /run",
            "to: run",
            "line 10: rows[0].shows[0].to: must be an address of these pages, such as /run/queue?step=9",
        ),
        ("title: {en", "title: &a {en", "000.yaml, line 1: anchors and aliases (& and *) are not allowed"),
    ],
)
def test_a_wrong_note_is_refused_by_name_line_and_field(right: str, wrong: str, says: str) -> None:
    assert right in RIGHT
    assert says in refused(RIGHT.replace(right, wrong, 1))


def test_the_library_is_asked_for_its_names_once_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    names = LIBRARY.names()

    def noted(_: object) -> tuple[str, ...]:
        asked.append("names")
        return names

    monkeypatch.setattr(type(LIBRARY), "names", noted)
    note = NOTES.folder / "000.yaml"
    load_note(note.read_text(encoding="utf-8"), note.name)
    assert len(asked) == 1


def test_a_note_is_read_again_after_it_has_changed(tmp_path: Path) -> None:
    file, notes = tmp_path / "000.yaml", Notes(tmp_path)
    file.write_text(RIGHT, encoding="utf-8")
    first = notes.notes()
    assert notes.notes() is first
    file.write_text(RIGHT.replace("A1", "A2"), encoding="utf-8")
    (note,) = notes.notes()
    assert [row.id for row in note.form.rows] == ["A2"]


def test_the_library_takes_no_note_for_a_scenario() -> None:
    assert FOLDER.is_dir() and not {"000", "claims"} & set(LIBRARY.names())
