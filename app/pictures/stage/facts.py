"""What a stage shows at a step: the facts, without their places."""

import math
import re
from collections.abc import Collection

from app.algorithms.registry import DESCRIPTIONS
from app.core.model import recorded_state
from app.core.model.notes import Lost, Region, only
from app.core.model.values import CONTROL, MARKER, Json, Message, Part, World
from app.pictures.layout.colours import current
from app.programs.dataflow import Dataflow, Record
from app.run.barrier_deadlock import deadlock
from app.run.run import Run, Step
from app.wire.dataflow_roles import roles
from app.wire.membership import held, lives
from app.wire.note_codec import visible_tag
from app.wire.part_status import DIED, blocked, full, standing
from app.words.catalogues import readable, word
from app.words.sentence_fields import control, sign

NUMBER = re.compile(r".*\.(\d+).*")
"""An id with the number of an item, such as ``src.3`` or ``a.3/m+2``."""


class Facts:
    """The facts of a step, in a language; ``unclosed`` channels are shown as still being recorded."""

    def __init__(self, run: Run, step: int, language: str, unclosed: Collection[str] = ()) -> None:
        self.run, self.language, self.number = run, language, step
        self.system = run.system
        self.view, self.show = self.system.program.view, self.system.program.show
        self.world: World = run.world(step)
        self.step: Step | None = run.steps[step - 1] if step else None
        self.snapshot = current(run, step)
        self.parts: dict[str, Part] = (
            recorded_state.parts(self.system, self.world, self.snapshot) if self.snapshot is not None else {}
        )
        still = {*recorded_state.open_channels(self.parts), *unclosed}
        self.logs = {
            c: (messages, c in still) for c, messages in recorded_state.channels(self.system, self.parts).items()
        }
        self.faults = self.found()
        self.lives = lives(run, step)
        self.held = held(run, step)[1] if self.system.algorithm.PAUSES else ()
        regions = (note for _, note in run.told(Region, step))
        self.regions = {note.process: note.master for note in regions if note.snapshot == self.snapshot}
        self.roles = roles(self.system)
        self.lost = [*only(Lost, self.step.notes if self.step else ())]
        self.blocked = blocked(run, step) if self.system.algorithm.COORDINATED else {}
        self.full = full(run, self.world)
        self.saved = (
            {} if self.snapshot is not None else {n: mine for n, mine in self.world.durable.saved.items() if mine}
        )

    def in_words(self, value: object) -> str:
        """Return a value as people read it."""
        return readable(value, self.language)

    def outside(self, name: str) -> tuple[Record, ...]:
        """Return the items that have left the system at a sink."""
        program = self.system.program
        return program.visible(self.world.durable.outside.get(name)) if isinstance(program, Dataflow) else ()

    def found(self) -> dict[str, list[tuple[str, Json]]]:
        """Return the faults that checks have found on channels by now: their kinds and messages."""
        verdict = self.run.verdicts.get(self.snapshot) if self.snapshot is not None else None
        faults: dict[str, list[tuple[str, Json]]] = {}
        for witness in verdict.failures(self.number).values() if verdict else ():
            message = witness.get("message")
            if isinstance(message, dict):
                there = faults.setdefault(witness.get("channel") or message["channel"], [])
                if (witness["fault"], message) not in there:  # several checks may find the same fault
                    there.append((witness["fault"], message))
        return faults

    def troubles(self, name: str) -> tuple[tuple[str, str], ...]:
        """Return the faults of a channel, each with its word: it is partitioned, it has just lost something, a check
        failed."""
        found = [("", "partitioned")] if name in self.world.partitioned else []
        found += [(self.called(n.message), "dropped") for n in self.lost if n.channel == name]
        found += [(self.in_words(message["payload"]), kind) for kind, message in self.faults.get(name, ())]
        return tuple((said, word(f"player.stage.fault.{kind}", self.language)) for said, kind in found)

    def standing(self, name: str) -> str:
        """Return the status of the copy of a process."""
        if self.snapshot is None or name not in self.parts:
            return "whole"
        return standing(self.run, self.number, self.snapshot, name)

    def heard(self) -> list[str]:
        """Return what the coordinator knows of the others' parts."""
        if self.snapshot is None or not self.system.algorithm.COORDINATED:
            return []
        done = self.run.history.recordings[self.snapshot].done
        others = [name for name in self.system.topology.names if name != self.system.topology.root]
        return [
            "lost" if self.standing(name) == DIED else "stored" if done.get(name, math.inf) <= self.number else "open"
            for name in others
        ]

    def stuck(self) -> list[str]:
        """Return the processes that wait in a circle at the end of the run."""
        if self.snapshot is None or self.number < len(self.run.steps):
            return []
        found = deadlock(self.system, self.world, self.snapshot)
        return [] if found is None else [process for process, _ in found.waits]

    def closed(self, channel: str) -> bool:
        """Has the recording of the channel been closed?"""
        return self.snapshot is not None and (
            self.run.history.recordings[self.snapshot].closed.get(channel, self.number + 1) <= self.number
        )

    def payload(self, message: Message) -> object:
        """Return what a message says."""
        if message.kind == CONTROL:
            return control(message.payload)
        return self.show(message.payload) if message.kind == "app" else message.payload

    def called(self, message: Message) -> str:
        """Return the sign of a marker, or what another message says."""
        if message.kind == MARKER:
            return sign(message.snapshot, self.system.algorithm.COORDINATED)
        return self.in_words(self.payload(message))

    def mode(self, channel: str) -> str:
        """Return how the recording of a channel stands: ``none``, ``recording``, ``recorded``, or ``unwatched`` if the
        algorithm does not record it."""
        log = self.logs.get(channel)
        return "none" if log is None else "recording" if log[1] else "recorded" if self.closed(channel) else "unwatched"

    def life(self, name: str) -> str:
        """Return the life of a process, see ``app.wire.membership``; ``stuck`` if it waits in a circle."""
        life = self.lives.get(name, "member")
        return "stuck" if life == "member" and name in self.stuck() else life

    # colours

    @property
    def coloured(self) -> bool:
        """Does the algorithm know colours?"""
        return DESCRIPTIONS[self.system.algorithm.NAME].colours

    def colour(self, name: str) -> int:
        """Return the last snapshot that a process has recorded; 0 if none."""
        recordings = self.run.history.recordings.items()
        return max((n for n, seen in recordings if seen.recorded.get(name, math.inf) <= self.number), default=0)

    def letter(self, number: int) -> str:
        """Return the letter of a colour, or from the second snapshot on its number."""
        return "W" if number < self.system.first else "R" if number == self.system.first else str(number)

    def colour_name(self, number: int) -> str:
        """Return the name of a colour, or from the second snapshot on its number."""
        if number > self.system.first:
            return str(number)
        return word(f"player.stage.colour.{'white' if number < self.system.first else 'red'}", self.language)

    def tag(self, message: Message) -> tuple[str, bool]:
        """Return the tag of a message as its ring shows it, and whether it is red; see ``static/js/stage/tag.js``."""
        tag = visible_tag(self.system.program, message)
        if isinstance(tag, tuple) and tag and isinstance(tag[0], str):
            return NUMBER.sub(r"\1", tag[0]), False
        if isinstance(tag, tuple):
            return f"{len(tag)}×" if len(tag) > 2 else "·".join(map(str, tag)), False
        if self.coloured:
            return self.letter(tag), tag >= self.system.first
        return str(tag), False
