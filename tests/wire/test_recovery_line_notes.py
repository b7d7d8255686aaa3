"""What the browser gets to know about a recovery line, and how a picture draws it."""

from app.pictures.spacetime.diagram import timeline
from app.run.run import record
from app.scenario.library import LIBRARY
from app.scenario.run_key import RunKey
from app.wire.frames import frames, scene
from app.wire.recovery_line_notes import fallen

DOMINO, STOPPED = (record(LIBRARY.scenario(name)) for name in ("domino", "domino-stopped"))


def test_the_line_is_told_one_rollback_at_a_time_and_named_when_all_are_on_it() -> None:
    told = fallen(DOMINO)
    lines = {step: note[2:] for step, notes in told.items() for note in notes if note[0] == "line"}
    disk = {"P": 2, "Q": 2}
    assert lines[16] == [{"P": 2, "Q": None}, disk, {}]
    assert lines[17] == [{"P": 2, "Q": 2}, disk, {}]
    last = max(lines)
    assert lines[last] == [{"P": 0, "Q": 0}, disk, {"P": [1, 2], "Q": [1, 2]}]
    assert [step for step in sorted(lines) if lines[step][0] == {"P": 0, "Q": 0}] == [21, 22]
    assert told[last][-1] == ["fallen", 15, 5, {"P": 5, "Q": 5}, True]


def test_orphans_are_told_whenever_they_change() -> None:
    """m4, m3, m2 and m1 are undone one after another; each is an orphan until its receiver has rolled back."""
    told = {step: [note[1] for note in notes if note[0] == "orphans"] for step, notes in fallen(DOMINO).items()}
    assert {step: found for step, found in told.items() if found} == {
        16: [[3]],
        18: [[2]],
        19: [[1]],
        20: [[0]],
        21: [[]],
    }


def test_the_notes_are_in_the_frames_and_the_scene_says_that_starts_are_private() -> None:
    assert scene(DOMINO)["private"] is True
    keys = [[note[0] for note in frame["n"]] for frame in frames(DOMINO)]
    assert "line" in keys[15] and "fallen" in keys[21] and not any("line" in each for each in keys[:15])


def test_where_all_go_back_together_none_of_this_is_told() -> None:
    together = record(LIBRARY.scenario("domino"), RunKey(algorithm="chandy-lamport"))
    assert fallen(together) == {} and scene(together)["private"] is False
    assert timeline(together, len(together.steps), "en").recovery == ""


def test_a_picture_names_the_checkpoints_and_crosses_out_what_is_of_no_use() -> None:
    falling = timeline(STOPPED, 18, "en")
    assert falling.checkpoints[-1].said == "back so far"
    assert [arrow.fate for arrow in falling.arrows].count("orphan") == 1
    drawn = timeline(STOPPED, len(STOPPED.steps), "en")
    assert [(text.said, text.ink) for text in drawn.checkpoints] == [
        ("p1 ×", "mute"),
        ("q1 ×", "mute"),
        ("p2", "tone"),
        ("q2", "tone"),
        ("recovery line", "tone"),
    ]
    assert drawn.recovery.startswith("M")


def test_before_the_crash_a_picture_has_names_and_no_line() -> None:
    drawn = timeline(DOMINO, 14, "zh")
    assert [text.said for text in drawn.checkpoints] == ["p1", "q1", "p2", "q2"] and drawn.recovery == ""
    assert timeline(DOMINO, 22, "zh").checkpoints[-1].said == "恢复线：起点"
