"""The sentences by their keys, and the names of the values in each. The catalogues have the words."""

from dataclasses import dataclass
from typing import Any

from app.core.model.values import Json

RESULTS = ("exactly-once", "at-least-once", "at-most-once", "neither", "wrong-values", "other-values")
"""What a dataflow's result can be, compared with the run without failures."""

FIELDS: dict[str, tuple[str, ...]] = {
    "start": ("process", "snapshot"),
    "start.alone": ("process", "snapshot"),
    "start.unrecorded": ("process", "snapshot"),
    "start.markers": ("process", "snapshot"),
    "photograph": ("process",),
    "unreachable": ("snapshot", "processes"),
    "send": ("process", "message", "channel"),
    "change": ("process", "state"),
    "receive": ("process", "message", "channel"),
    "receive.recorded": ("process", "message", "channel"),
    "logged": ("message", "channel", "snapshot"),
    "marker.first": ("process", "channel", "snapshot"),
    "marker.first.late": ("process", "channel", "snapshot"),
    "marker.first.end": ("process", "channel", "snapshot"),
    "marker.first.state": ("process", "channel", "snapshot"),
    "marker.close": ("process", "channel", "messages", "snapshot"),
    "marker.empty": ("process", "channel", "snapshot"),
    "marker.ignored": ("process", "channel"),
    "marker.forwarded": ("process", "channel"),
    **dict.fromkeys(("wake.markers", "wake.markers.nothing"), ("process", "snapshot")),
    "recorded": ("process", "snapshot"),
    "word.passes": ("process", "source", "target", "channel"),
    "lost": ("channel", "message"),
    "doubled": ("channel", "message"),
    "overtook": ("channel", "message"),
    "parted": ("channel",),
    "mended": ("channel",),
    "crashed": ("process", "state"),
    "joined": ("process", "parent"),
    "leaving": ("process",),
    "left": ("process",),
    "absent": ("process", "snapshot"),
    "unusable": ("process", "snapshot"),
    "unusable.unrecorded": ("process", "snapshot"),
    "aborted": ("process", "snapshot"),
    "discarded": ("process", "message"),
    "discarded.known": ("process", "message"),
    "discarded.attempt": ("process", "message"),
    "derived": ("channel", "messages", "snapshot"),
    "folded": ("process", "state", "snapshot"),
    "paused": ("process",),
    "paused.channel": ("process", "channel"),
    "resumed": ("process",),
    "resumed.channel": ("process", "channel"),
    **dict.fromkeys(
        ("start.record", "start.agree", "start.pause", "start.pause.again", "start.alarm", "start.version"),
        ("process", "snapshot"),
    ),
    **dict.fromkeys(("wake.record", "wake.record.nothing", "wake.alarm", "wake.version"), ("process", "snapshot")),
    **dict.fromkeys(
        (
            "told.agree",
            "told.agree.silent",
            "told.ack",
            "told.tick",
            "told.count",
            "told.copy",
            "told.done",
            "told.drained",
            "told.resume",
        ),
        ("process", "source", "snapshot"),
    ),
    "wake.commit": ("process", "message"),
    "wake.ack": ("process", "channel", "message"),
    "catalogued": ("process", "kept", "collected"),
    "wake.resend": ("process", "channel"),
    "wake.resend.nothing": ("process", "channel"),
    **dict.fromkeys(("start.node-record", "start.node-record.alone", "wake.node-record"), ("process", "snapshot")),
    **dict.fromkeys(("told.arrived", "told.upto", "told.fetch"), ("process", "source", "snapshot")),
    "control.pause": ("process", "channel", "snapshot"),
    "counted": ("process", "missing", "snapshot"),
    "complete": ("snapshot",),
    "complete.members": ("snapshot",),
    "complete.unseen": ("snapshot",),
    "complete.wrong": ("snapshot",),
    "fault.orphan": ("message",),
    "fault.missing": ("message", "channel"),
    "fault.extra": ("message", "channel"),
    "fault.doubled": ("message", "channel"),
    "fault.order": ("channel",),
    **dict.fromkeys(("fault.total", "fault.tokens"), ("recorded", "total")),
    "fault.impossible": (),
    "fault.markers": ("channel", "count"),
    "fault.records": ("process", "count"),
    "lacking": ("snapshot", "processes"),
    "lacking.now": ("snapshot",),
    "start.token": ("process", "snapshot"),
    "start.letter": ("process", "snapshot"),
    **dict.fromkeys(("wake.letter", "wake.letter.nothing"), ("process", "snapshot")),
    **dict.fromkeys(
        ("control.token", "control.token.again", "control.letter", "control.letter.again"),
        ("process", "channel", "snapshot"),
    ),
    "control.done": ("process", "channel", "snapshot"),
    "control.end": ("process", "channel", "snapshot"),
    "told.reply": ("process", "source", "snapshot"),
    "told.region": ("process", "source", "snapshot"),
    "told.exchange": ("process", "source", "snapshot"),
    "told.nothing": ("process", "source", "snapshot"),
    "region": ("process", "master"),
    "region.border": ("process", "master", "border"),
    "round": ("process", "known", "snapshot"),
    "start.init-snap": ("process", "snapshot"),
    "control.init-snap": ("process", "channel", "snapshot"),
    "control.regular": ("process", "channel", "snapshot"),
    "control.regular-ack": ("process", "channel", "snapshot"),
    "control.ahead": ("process", "channel", "snapshot"),
    "control.snap-completed": ("process", "channel", "snapshot"),
    "part.arrives": ("process", "part", "snapshot"),
    "part.passes": ("process", "part", "channel"),
    "read": ("process", "message"),
    "read.end": ("process",),
    "emits": ("process", "message", "channel"),
    "output": ("process", "message"),
    "output.keyed": ("process", "message"),
    "sealed": ("process",),
    "expired": ("process", "message"),
    "committed": ("process",),
    "start.barrier": ("process", "snapshot"),
    "barrier.recorded": ("process", "channel", "snapshot"),
    "barrier.recorded.only": ("process", "channel", "snapshot"),
    "barrier.recorded.end": ("process", "channel", "snapshot"),
    "barrier.blocked": ("process", "channel", "snapshot"),
    "barrier.closed": ("process", "channel", "messages", "snapshot"),
    "barrier.counted": ("process", "channel", "snapshot"),
    "deadlock": ("circle", "process", "snapshot"),
    "barrier.late": ("process", "channel", "snapshot"),
    "barrier.refused": ("process", "channel", "snapshot"),
    "barrier.first": ("process", "channel", "messages", "snapshot"),
    "barrier.first.empty": ("process", "channel", "snapshot"),
    "control.announce": ("process", "channel", "snapshot"),
    "wake.timeout": ("process", "snapshot"),
    "wake.timeout.nothing": ("process", "snapshot"),
    "unblocked": ("process", "channel"),
    "hurried": ("channel", "message"),
    "control.cancel": ("process", "channel", "snapshot"),
    **dict.fromkeys(("wake.upload", "wake.complete", "wake.abort"), ("process", "snapshot")),
    "abandon": ("snapshot",),
    "asked": ("process", "target", "word"),
    "forgotten": ("process", "word"),
    "stored": ("process", "saved", "state"),
    "down": ("process",),
    "start.range": ("process", "snapshot"),
    "start.again": ("process", "snapshot"),
    "control.range": ("process", "channel", "snapshot"),
    "control.again": ("process", "channel", "snapshot"),
    "control.go": ("process", "channel", "snapshot"),
    "told.rows": ("process", "source", "snapshot"),
    **dict.fromkeys(("start.epoch", "start.end"), ("process", "snapshot")),
    **dict.fromkeys(("epoch.reader", "end.reader"), ("process", "offset", "snapshot")),
    **dict.fromkeys(
        ("epoch.blocked", "epoch.aligned", "end.blocked", "end.aligned"), ("process", "channel", "snapshot")
    ),
    **dict.fromkeys(("epoch.passes", "epoch.sink", "end.passes", "end.sink"), ("process", "channel", "snapshot")),
    **dict.fromkeys(("wake.write", "wake.finish", "wake.writer", "wake.log"), ("process", "batch")),
    **dict.fromkeys(("wake.trigger", "wake.trigger.nothing"), ("process", "batch")),
    **dict.fromkeys(("wake.speculate", "wake.speculate.nothing"), ("process", "batch")),
    **dict.fromkeys(("wake.copy", "wake.copy.nothing"), ("process", "batch")),
    "wake.report": ("process", "task"),
    **dict.fromkeys(("wake.remake", "wake.remake.nothing"), ("process", "task")),
    "wake.offset": ("process", "offset"),
    "log.offsets": ("process", "batch", "ranges"),
    "log.commits": ("process", "batch"),
    "log.back": ("process", "batch"),
    "restored": ("snapshot",),
    "restored.beginning": (),
    "restarted": ("driver", "snapshot"),
    "restarted.beginning": ("driver",),
    **dict.fromkeys(("retried", "retried.beginning"), ("process", "state")),
    "returned": ("process", "saved", "state"),
    "returned.beginning": ("process", "state"),
    "start.own": ("process", "checkpoint", "state"),
    "returned.own": ("process", "checkpoint", "state"),
    "returned.own.beginning": ("process", "state"),
    "back.told": ("process", "target"),
    "back.orphan": ("process", "source"),
    "back.nothing": ("process", "source"),
    "back.further": ("process", "checkpoint"),
    "back.again": ("process", "message", "channel"),
    "assembled": ("process", "snapshot"),
    "assembled.wrong": ("process", "snapshot"),
    "assembled.before": ("process", "snapshot"),
    "uncollected": ("process",),
    **dict.fromkeys(("last.right", "last.price", "last.abandoned", "last.open"), ("snapshot",)),
    "last.right.of": ("count", "total"),
    **dict.fromkeys(("last.unusable", "last.silent"), ("snapshot", "processes")),
    "last.waits": ("snapshot", "process", "source"),
    **dict.fromkeys(
        ("last.right.one", "last.wrong.one", "last.sum", "last.reached", "last.none", "last.disturbed", "last.full"), ()
    ),
    **dict.fromkeys((f"last.result.{word}" for word in RESULTS), ()),
    "last.result.still": (),
    "last.kept": ("process", "state", "values"),
    "last.line": ("rollbacks", "events"),
    "last.line.start": ("events",),
    "last.line.disk": ("useless", "count"),
    **dict.fromkeys(("last.line.past", "last.line.open", "last.line.calm"), ()),
    "last.recorded": ("states", "messages"),
    "last.recorded.unseen": ("states",),
    "last.recorded.many": ("processes", "messages"),
    "last.recorded.many.unseen": ("processes",),
}
"""The sentences, and the names of their values in order."""

CHECKPOINT = (
    "unreachable", "logged", "recorded", "absent", "unusable", "unusable.unrecorded", "aborted", "complete",
    "complete.members", "complete.unseen", "complete.wrong", "lacking",
    "last.right", "last.right.of", "last.abandoned", "last.open", "last.unusable", "last.silent", "last.waits",
)  # fmt: skip
"""Sentences that call a snapshot of a dataflow a checkpoint; their keys then end in ``.checkpoint``."""

FIELDS.update({f"{key}.checkpoint": FIELDS[key] for key in CHECKPOINT})


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence: ``key`` in the catalogues, ``values`` in the order of FIELDS[key]."""

    key: str
    values: tuple[Any, ...]

    def of_dataflow(self) -> "Sentence":
        """Return the sentence that calls a snapshot of a dataflow a checkpoint."""
        return Sentence(f"{self.key}.checkpoint", self.values) if self.key in CHECKPOINT else self

    def fields(self) -> dict[str, object]:
        """Return the values by name."""
        return dict(zip(FIELDS[self.key], self.values, strict=True))


def spoken(word: Any) -> str:
    """Return the kind of a control message: its word, or the first of several words."""
    return str(word[0] if isinstance(word, tuple) else word)


def sign(snapshot: int | None, barriers: bool) -> str:
    """Return the name of a marker: a diamond, or for a barrier in a dataflow, a bar; and its snapshot."""
    return f"{'▮' if barriers else '◆'}{snapshot or ''}"


def control(word: Any) -> Json:
    """Return a control word as a value of a sentence: the catalogues name it."""
    return {"word": spoken(word)}
