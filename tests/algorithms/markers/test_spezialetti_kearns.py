"""The rules of Spezialetti–Kearns, as notes of a run."""

from app.core.model.notes import Assembled, Note, Region, Round, Sent, Told
from app.run.run import Run, summary
from tests.tiny import notes, run

RING = """
    topology: {processes: [A, B, C, D], channels: [A->B, B->A, B->C, C->B, C->D, D->C, D->A, A->D]}
    program: {kind: bank, accounts: {A: 10, B: 10, C: 10, D: 10}}
    algorithm: spezialetti-kearns
"""
BOTH = RING + "    script: [{start: A}, {start: C}, {deliver: A->B}, {deliver: A->D}]"


def markers(run: Run, name: str) -> list[tuple[str, object]]:
    """Return what the markers of a process say."""
    sent = [n for n in notes(run, "sent") if isinstance(n, Sent) and n.message.kind == "marker" and n.process == name]
    return [(note.channel, note.message.payload) for note in sent]


def of(run: Run, kind: type[Note]) -> list[Note]:
    return [note for step in run.steps for note in step.notes if isinstance(note, kind)]


def test_markers_carry_the_master_and_name_the_parent() -> None:
    made = run(BOTH)
    assert markers(made, "A") == [("A->B", ("A", None)), ("A->D", ("A", None))]
    assert markers(made, "B") == [("B->A", ("A", "A")), ("B->C", ("A", "A"))]


def test_two_initiators_on_a_ring_of_four_take_eight_markers_in_one_snapshot() -> None:
    (told,) = summary(run(BOTH))["snapshots"]
    assert (told["initiators"], told["markers"], told["complete"]) == (["A", "C"], 8, True)
    assert False not in told["checks"].values()


def test_the_regions_and_the_borders_are_those_of_the_canonical_ring() -> None:
    last = {note.process: note for note in of(run(BOTH), Region) if isinstance(note, Region)}
    assert {name: (note.master, note.border) for name, note in last.items()} == {
        "A": ("A", ()),
        "B": ("A", ("C",)),
        "C": ("C", ("A",)),
        "D": ("A", ("C",)),
    }


def test_children_tell_their_parent_and_masters_tell_each_other_until_nothing_is_new() -> None:
    made = run(BOTH)
    told = [(n.source, n.process, n.word) for n in of(made, Told) if isinstance(n, Told)]
    assert sorted(told) == [
        ("A", "C", ("exchange", 1, ("A", "B", "D"))),
        ("A", "C", ("exchange", 2, ("C",))),
        ("A", "C", ("nothing", 3)),
        ("B", "A", ("region", ("B",), ("C",))),
        ("C", "A", ("exchange", 1, ("C",))),
        ("C", "A", ("exchange", 2, ("A", "B", "D"))),
        ("C", "A", ("nothing", 3)),
        ("D", "A", ("region", ("D",), ("C",))),
    ]
    assert [n.known for n in of(made, Round) if isinstance(n, Round)] == [4, 4, 4, 4]
    assert sorted(n.process for n in of(made, Assembled) if isinstance(n, Assembled)) == ["A", "C"]
    assert summary(made)["snapshots"][0]["controls"] == 8


def test_one_initiator_alone_needs_no_rounds() -> None:
    made = run(RING + "    script: [{start: A}]")
    assert of(made, Round) == [] and of(made, Assembled) == [Assembled(1, "A")]
    words = {n.word[0] for n in of(made, Told) if isinstance(n, Told)}
    assert words == {"region"}


def test_a_start_after_the_end_is_a_snapshot_of_its_own() -> None:
    deliveries = "".join(
        f", {{deliver: {c}}}" for c in ("A->B", "A->D", "B->C", "B->A", "D->C", "D->A", "C->B", "C->D")
    )
    first, second = summary(run(RING + f"    script: [{{start: A}}{deliveries}, {{start: C}}]"))["snapshots"]
    assert (first["initiators"], second["initiators"]) == (["A"], ["C"])
    assert first["markers"] == second["markers"] == 8 and first["complete"] and second["complete"]


def test_everybody_can_be_a_master_and_a_process_alone_is_done_at_once() -> None:
    made = run(RING + "    script: [{start: A}, {start: B}, {start: C}, {start: D}]")
    assert sorted(n.process for n in of(made, Assembled) if isinstance(n, Assembled)) == ["A", "B", "C", "D"]
    alone = "topology: {processes: [p]}\nprogram: {kind: token, holders: {p: 1}}\nalgorithm: spezialetti-kearns"
    assert of(run(alone + "\nscript: [{start: p}]"), Assembled) == [Assembled(1, "p")]
