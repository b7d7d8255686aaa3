"""What sentences claim about a step is compared with its notes, in any run."""

import re
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest

from app.algorithms.registry import ALGORITHMS
from app.core.kernel.enabled import enabled
from app.core.kernel.step import step
from app.core.model.notes import (
    Aborted,
    Absent,
    Acked,
    Acted,
    Asked,
    Assembled,
    Blocked,
    Catalogued,
    Changed,
    Closed,
    Completed,
    Counted,
    Crashed,
    Derived,
    Discarded,
    Doubled,
    Down,
    Folded,
    Forgotten,
    Healed,
    Hurried,
    Joined,
    Leaving,
    Left,
    Logged,
    Lost,
    Note,
    Output,
    Overtook,
    Partitioned,
    Paused,
    Received,
    Recorded,
    Region,
    Restored,
    Resumed,
    Returned,
    Round,
    Sent,
    Started,
    Stored,
    Told,
    Unblocked,
    Uncollected,
    Unreachable,
    Unusable,
)
from app.core.model.recorded_state import channels, open_channels, parts
from app.core.model.values import APP, CONTROL, MARKER, PART, WORD, BluecutError, Deed, Restart, Restore, Wake
from app.core.oracle.checks import CHECKS
from app.run.run import Run, Step, record
from app.scenario.library import LIBRARY
from app.scenario.run_key import RunKey
from app.wire.frames import sentences_of_step
from app.words.catalogues import catalogue, tell
from app.words.sentence_fields import Sentence


class Facts:
    """Questions about the notes of a step."""

    def __init__(self, run: Run, at: Step, sentence: Sentence) -> None:
        self.run, self.at, self.notes, self.world = run, at, at.notes, run.world(at.number)
        self.fields: dict[str, Any] = sentence.fields()

    def has(self, *kinds: type[Note], **wanted: Any) -> bool:
        """Is there a note of one of the kinds with these fields, the sentence's own where they are ``...``?"""

        def fits(note: Note) -> bool:
            values = {name: self.fields.get(name) if value is ... else value for name, value in wanted.items()}
            return all(getattr(note, name) == value for name, value in values.items())

        return any(isinstance(note, kinds) and fits(note) for note in self.notes)

    def sends(self, *kinds: str) -> bool:
        """Does the process of the sentence put a message of a kind on a channel, or tell another process something?"""
        return any(
            isinstance(n, Sent) and n.message.kind in kinds and n.process == self.fields["process"] for n in self.notes
        )

    def markers(self) -> set[str]:
        """Return the channels on which the process of the sentence puts a marker."""
        mine = (n for n in self.notes if isinstance(n, Sent) and n.process == self.fields["process"])
        return {n.channel for n in mine if n.message.kind == MARKER}

    def outputs(self) -> set[str]:
        """Return the channels from the process of the sentence to those who are there."""
        return set(self.run.system.process(self.world, self.fields["process"]).outputs)

    def recorded_in_channel(self) -> list[Any]:
        """Return what the sentence's channel has recorded for its snapshot by the end of the step."""
        logged = [n for s in self.run.steps[: self.at.number] for n in s.notes if isinstance(n, Logged)]
        return [n for n in logged if (n.snapshot, n.channel) == (self.fields["snapshot"], self.fields["channel"])]

    def overtaken(self) -> list[Any]:
        """Return the program's messages that were in front of the barrier when it overtook."""
        arrived = [n.message for n in self.notes if isinstance(n, Received) and n.message.kind == MARKER]
        return [one for message in arrived for one in (message.payload or ())]

    def overwrites(self) -> bool:
        """Does the sink of the sentence replace what it wrote before?"""
        operator = self.run.system.program.operators[self.fields["process"]]  # type: ignore[attr-defined]
        batches = self.run.system.program.batches  # type: ignore[attr-defined]
        return bool(operator.sink == "idempotent" or (operator.sink == "batch" and batches))

    def inputs(self) -> tuple[str, ...]:
        """Return the channels that lead to the process of the sentence."""
        return self.run.system.topology.processes[self.fields["process"]].inputs

    def acted(self, detail: Deed) -> bool:
        """Has the program of the process made such a move on its own?"""
        return any(
            isinstance(n, Acted) and n.process == self.fields["process"] and n.move.detail == detail for n in self.notes
        )

    def all_closed(self) -> bool:
        """Is every channel between those that take part closed by the end of the step?"""
        number = self.fields["snapshot"]
        recorded = parts(self.run.system, self.world, number)
        closed = set(channels(self.run.system, recorded)) - set(open_channels(recorded))
        aside = {*self.run.history.recordings[number].absent, *self.world.gone}
        graph = self.run.system.topology
        between = [c for c, one in graph.channels.items() if one.source not in aside and one.target not in aside]
        return set(between) <= closed

    def wrong(self, snapshot: int) -> bool:
        """Has the oracle found by the end of the step that the snapshot is wrong?"""
        verdict = self.run.verdicts[snapshot]
        return any(CHECKS[name].of_state and verdict.since[name] <= self.at.number for name in verdict.broken)

    def quiet(self) -> bool:
        """Does nothing happen that could concern a snapshot?"""
        return not self.has(Recorded, Closed, Logged, Completed, Blocked, Hurried) and not any(
            isinstance(n, Sent) and n.message.kind in (MARKER, CONTROL) for n in self.notes
        )


CLAIMS: list[tuple[str, Callable[[Facts], bool]]] = [
    (r"(?<!to )(?<!would )\bsends? (its |a )?markers?\b(?! yet)", lambda f: f.sends(MARKER)),
    (r"sends no markers?\b", lambda f: not f.sends(MARKER)),
    (r"no output to send a marker on|It goes no further", lambda f: not f.sends(MARKER) and not f.outputs()),
    (r"sends a marker on every output", lambda f: f.markers() >= f.outputs()),
    (r"sends the barrier on|sends a barrier|, and sends it on", lambda f: f.sends(MARKER)),
    (r"sends a cancellation", lambda f: f.sends(CONTROL)),
    (r"sends (everybody )?(a|the next) token|sends a pause|tells its children", lambda f: f.sends(CONTROL)),
    (r"\*\* on \{channel\}\.$|sends \{message\}", lambda f: f.has(Sent, Received, channel=...)),
    (r"\{process\}\*\* records\b|\{process\} records( at once|\b)(?! nothing)|(It|it) records its state|turns red\*\*",
     lambda f: f.has(Recorded, process=...)),
    (r"records nothing|Nobody records|is red already", lambda f: not f.has(Recorded, process=...)),
    (r"(closes \{channel\}|channel is empty)", lambda f: f.has(Closed, channel=...)),
    (r"closes its channels|its channels are final", lambda f: f.has(Closed) or not f.run.system.topology.channels),
    (r"closes \{channel\} as empty|channel is empty", lambda f: not f.recorded_in_channel()),
    (r"Both ends of", lambda f: f.has(Derived, channel=...)),
    (r"a copy is recorded", lambda f: f.has(Logged, channel=...)),
    (r"has overtaken|overtakes", lambda f: f.has(Hurried, Overtook) or bool(f.overtaken())),
    (r"was ahead of the barrier", lambda f: not f.overtaken()),
    (r"barriers overtake", lambda f: f.has(Recorded, process=...)),
    (r"rolls back|comes back", lambda f: f.has(Restored, Returned)),
    (r"aborts", lambda f: f.has(Aborted)),
    (r"(Snapshot|Checkpoint) \{snapshot\} is complete:", lambda f: f.has(Completed, snapshot=...)),
    (r"is assembled", lambda f: f.has(Assembled, snapshot=...)),
    (r"discards", lambda f: f.has(Discarded, process=...)),
    (r"network loses", lambda f: f.has(Lost, channel=...)),
    (r"network duplicates", lambda f: f.has(Doubled, channel=...)),
    (r"is partitioned", lambda f: f.has(Partitioned, channel=...)),
    (r"has healed", lambda f: f.has(Healed, channel=...)),
    (r"\{process\} crashes", lambda f: f.has(Crashed, Down, process=...)),
    (r"\{process\} joins,", lambda f: f.has(Joined, process=...)),
    (r"is leaving", lambda f: f.has(Leaving, process=...)),
    (r"\{process\} has left", lambda f: f.has(Left, process=...)),
    (r"blocks \{channel\}", lambda f: f.has(Blocked, channel=...)),
    (r"reads from \{channel\} again", lambda f: f.has(Unblocked, channel=...)),
    (r"\{process\} pauses|It pauses", lambda f: f.has(Paused, process=...)),
    (r"\{process\} resumes", lambda f: f.has(Resumed, process=...)),
    (r"\{process\} saves|\{process\}\*\* saves", lambda f: f.has(Stored, process=...)),
    (r"emits \{message\}|writes \{message\}", lambda f: f.has(Output, process=...)),
    (r"Nobody can take it back", lambda f: not f.overwrites()),
    (r"would only replace it", lambda f: f.overwrites()),
    (r"commits what", lambda f: f.acted(Deed.COMMIT)),
    (r"pre-commits its transaction", lambda f: f.acted(Deed.SEAL)),
    (r"outside world drops", lambda f: f.acted(Deed.EXPIRE)),
    (r"acknowledges(?! to)", lambda f: f.sends(CONTROL, WORD) or f.has(Asked, Acked)),
    (r"acknowledges to the coordinator", lambda f: f.has(Acked, process=...)),
    (r"replies to the initiator", lambda f: f.sends(WORD, CONTROL) or f.has(Told)),
    (r"nothing changes|nothing happens|nothing is sent", lambda f: f.quiet()),
    (r"receives \{message\}", lambda f: f.has(Received, process=..., channel=...)),
    (r"starts (snapshot|checkpoint)", lambda f: f.has(Started, process=..., snapshot=...)),
    (r"is unusable", lambda f: f.has(Unusable, snapshot=...)),
    (r"changes the recorded state", lambda f: f.has(Folded, process=...)),
    (r"\{word\}\) is lost", lambda f: f.has(Forgotten, process=...)),
    (r"drops ids below the low watermark", lambda f: f.has(Catalogued, process=...)),
    (r"forwards", lambda f: f.sends(PART, WORD)),
    (r"sends \{message\} again|It sends again", lambda f: f.sends(APP, MARKER)),
    (r"every channel is closed", lambda f: f.all_closed()),
    (r"channels are not recorded", lambda f: not f.has(Closed)),
    (r"joins the region|is at the border", lambda f: f.has(Region, process=..., master=...)),
    (r"ends a round", lambda f: f.has(Round, process=..., known=...)),
    (r"can never complete|Deadlock:", lambda f: f.has(Unreachable, snapshot=...) or f.at.number == len(f.run.steps)),
    (r"takes no part", lambda f: f.has(Absent, process=..., snapshot=...)),
    (r"What is left of|The rest of it", lambda f: f.has(Completed, snapshot=...)),
    (r"reads \{message\}|has read its last|changes its state|plans a batch", lambda f: f.has(Changed, process=...)),
    (r"receives what \{part\}", lambda f: f.has(Received, process=...)),
    (r"stays where it is", lambda f: f.has(Uncollected, process=...)),
    (r"still waits for the copies", lambda f: f.has(Counted, process=..., missing=...)),
    (r"Offset log|Commit log:|Commit log, entry", lambda f: f.acted(Deed.LOG)),
    (r"\{process\} tells \{target\}", lambda f: f.has(Asked, process=..., target=...)),
    (r"is counted|no longer waits for it", lambda f: f.has(Received, channel=...) and not f.has(Blocked)),
    (r"has everything that was in flight for snapshot \{snapshot\}:", lambda f: f.has(Assembled, snapshot=...)),
    (r"may not send on \{channel\}", lambda f: f.has(Paused, channel=...)),
    (r"may send on \{channel\} again", lambda f: f.has(Resumed, channel=...)),
    (r"runs it again", lambda f: f.has(Started, process=..., snapshot=...)),
    (r"takes a checkpoint of its own", lambda f: f.has(Stored, process=...)),
    (r"so it stays", lambda f: not f.has(Returned)),
    (r"ends an epoch|time of the batch is up", lambda f: f.has(Started, process=..., snapshot=...)),
    (r"sends the marker|tells (every reader|the sources)|passes the epoch marker|sends the end on|goes behind its last",
     lambda f: f.sends(MARKER)),
    (r"notes (its offset|that)|batch is over|keeps its state", lambda f: f.has(Recorded, process=..., snapshot=...)),
    (r"reaches the writer|It has no other input", lambda f: len(f.inputs()) == 1 and f.has(Closed, channel=...)),
    (r"reaches the writer|behind all its items", lambda f: not f.sends(MARKER)),
    (r"stops (reading|taking from) \{channel\}", lambda f: f.has(Blocked, channel=...) and not f.has(Recorded)),
    (r"\{snapshot\} from every input|now come on every", lambda f: all(f.has(Closed, channel=c) for c in f.inputs())),
    (r"\{snapshot\} from every input", lambda f: f.has(Unblocked)),
    (r"query restarts|restarts from", lambda f: f.has(Restored) and not f.world.down),
    (r"no channel holds anything", lambda f: not any(f.world.queues.values())),
    (r"restarts, and nobody else does", lambda f: f.has(Returned, process=...) and not f.has(Restored)),
]  # fmt: skip
"""What words of the English catalogue claim, and how the notes are checked for it."""

KINDS: dict[str, Callable[[Facts], bool]] = {
    "complete.wrong": lambda f: f.has(Completed, snapshot=...) and f.wrong(f.fields["snapshot"]),
    "assembled.wrong": lambda f: f.has(Assembled, snapshot=...) and f.wrong(f.fields["snapshot"]),
    "fault.": lambda f: any(f.wrong(note.snapshot) for note in f.notes if isinstance(note, Completed)),
    "told.": lambda f: f.has(Told, process=...),
    "control.": lambda f: f.has(Received, process=...),
    "wake.": lambda f: isinstance(f.at.action, Wake) and f.at.action.process == f.fields["process"],
    "back.": lambda f: isinstance(f.at.action, Wake | Restart),
}
"""What sentences of a kind claim, whatever their words: a process hears something, or takes a deferred step."""


def claimed(key: str) -> list[tuple[str, Callable[[Facts], bool]]]:
    """Return the claims of a sentence: those of its kind, and those of its words."""
    text = catalogue("en")[f"say.{key}"]
    kinds = [(kind, holds) for kind, holds in KINDS.items() if key.startswith(kind)]
    return kinds + [(pattern, holds) for pattern, holds in CLAIMS if re.search(pattern, text)]


def untrue(run: Run) -> Iterator[str]:
    """Yield the sentences of a run that claim what has not happened."""
    for at in run.steps:
        for sentence in sentences_of_step(run, at):
            facts = Facts(run, at, sentence)
            for pattern, holds in claimed(sentence.key):
                if not holds(facts):
                    yield f"{run.scenario.name} {run.key} step {at.number}: {sentence.key}: {pattern}"


def wandering(name: str, algorithm: str | None, seed: int, steps: int = 60) -> Run:
    """Return a run of a scenario with arbitrary actions, including faults and recovery, and then the rest."""
    scenario, rng = LIBRARY.scenario(name), Random(f"{name} {algorithm} {seed}")
    system = scenario.system(RunKey(algorithm=algorithm))
    world, choices = system.begin(), []
    for at in range(steps):
        possible = enabled(system, world)
        back = [i for i, action in enumerate(possible) if isinstance(action, Restore | Restart)]
        index = back[-1] if back and rng.random() < 0.7 else rng.randrange(len(possible)) if possible else None
        if index is None:
            break
        world, _ = step(system, world, possible[index])
        choices.append((at, index))
    return record(scenario, RunKey(algorithm=algorithm, choices=tuple(choices)), most=steps + 40)


def test_an_announcement_is_called_that_of_who_sends_the_barrier() -> None:
    run = record(LIBRARY.scenario("patience-ends"))
    said = sentences_of_step(run, run.steps[3])
    assert "Its announcement overtakes what is waiting in s1→sum." in tell(said, "en")
    assert "在 s1→sum 中，它的预告越过正在等待的内容。" in tell(said, "zh")


def test_no_sentence_of_the_library_claims_what_has_not_happened() -> None:
    assert [one for scenario in LIBRARY.scenarios() for one in untrue(record(scenario))] == []


@pytest.mark.parametrize("every", [6, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_no_sentence_under_another_algorithm_claims_what_has_not_happened(algorithm: str, every: int) -> None:
    """By day each algorithm runs in a sixth of the scenarios, neighbours in others."""
    found, runs = [], 0
    for scenario in list(LIBRARY.scenarios())[list(ALGORITHMS).index(algorithm) % every :: every]:
        try:
            run = record(scenario, RunKey(algorithm=algorithm, seed=1), most=120)
        except BluecutError:
            continue  # it cannot run there
        found += list(untrue(run))
        runs += 1
    assert found == [] and runs


WANDERERS = (
    *(("three-banks", name) for name in ("chandy-lamport", "merged", "lai-yang", "mattern", "sequenced", "members")),
    *(("widget-trade", name) for name in ("late-marker", "no-channels", "stop-the-world", "photographs", "wall-clock")),
    *(("two-regions", name) for name in ("spezialetti-kearns", "venkatesan", "acharya-badrinath", "alagar-venkatesan")),
    *(("barriers-wait", name) for name in ("aligned", "unaligned", "aligned-timeout", "at-least-once", "millwheel")),
    *(("barriers-wait", name) for name in ("micro-batch", "lineage", "real-time", "at-most-once", "aligned-strict")),
    *((name, None) for name in ("leave-in-order", "domino", "continuous", "loop-logged", "idempotent-sink")),
    *((name, None) for name in ("commit-after-prepare", "micro-batch", "slow-task", "crash-unusable", "chain-from-a")),
    *((name, None) for name in ("task-retried", "continuous-aligns", "real-time", "lineage")),
)


@pytest.mark.parametrize(("name", "algorithm"), WANDERERS)
def test_no_sentence_of_a_run_in_which_anything_happens_claims_what_has_not(name: str, algorithm: str | None) -> None:
    found = []
    for seed in range(6):
        try:
            found += list(untrue(wandering(name, algorithm, seed)))
        except BluecutError:
            continue  # a choice made a line of the script impossible
    assert found == []


def test_every_sentence_about_a_snapshot_claims_something() -> None:
    """A sentence without any known words would be compared with nothing."""
    at_steps = [key for key in catalogue("en") if key.startswith("say.") and not key.startswith("say.last.")]

    assert [key for key in at_steps if not claimed(key.removeprefix("say."))] == []
