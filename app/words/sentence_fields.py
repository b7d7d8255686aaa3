"""The sentences by their keys, and the names of the values in each. The catalogues have the words."""

from typing import Any

from app.core.model.value import Value
from app.core.model.values import Json
from app.core.oracle.checks import CHECKS

_SENTENCES = {
    "process snapshot": """
        start start.alone start.unrecorded start.markers wake.markers wake.markers.nothing recorded absent unusable
        unusable.unrecorded aborted start.record start.agree start.pause start.pause.again start.alarm start.version
        wake.record wake.record.nothing wake.alarm wake.version start.node-record start.node-record.alone
        wake.node-record start.token start.letter wake.letter wake.letter.nothing start.init-snap start.barrier
        wake.timeout wake.timeout.nothing wake.upload wake.complete wake.abort start.range start.again start.epoch
        start.end assembled assembled.wrong assembled.before wake.hand-record wake.hand-done
    """,
    "process": "photograph leaving left paused resumed read.end sealed committed down uncollected",
    "snapshot processes": "unreachable lacking last.unusable last.silent",
    "process message channel": "send receive receive.recorded emits back.again",
    "process state": "change crashed retried retried.beginning returned.beginning returned.own.beginning",
    "message channel snapshot": "logged",
    "process channel snapshot": """
        marker.first marker.first.late marker.first.end marker.first.state marker.empty control.pause control.token
        control.token.again control.letter control.letter.again control.done control.end control.init-snap
        control.regular control.regular-ack control.ahead control.snap-completed barrier.recorded
        barrier.recorded.only barrier.recorded.end barrier.blocked barrier.counted barrier.late barrier.refused
        barrier.first.empty control.announce control.cancel control.range control.again control.go epoch.blocked
        epoch.aligned end.blocked end.aligned epoch.passes epoch.sink end.passes end.sink wake.hand-send
    """,
    "process channel messages snapshot": "marker.close barrier.closed barrier.first wake.hand-close",
    "process channel snapshot message": "wake.hand-log",
    "process channel": """
        marker.by-hand marker.ignored marker.forwarded paused.channel resumed.channel wake.resend wake.resend.nothing
        unblocked
    """,
    "process source target channel": "word.passes",
    "channel message": "lost doubled overtook hurried",
    "channel": "partitioned healed hurried.announced",
    "process parent": "joined",
    "process message": "discarded discarded.known discarded.attempt wake.commit read output output.keyed expired",
    "channel messages snapshot": "derived",
    "process state snapshot": "folded",
    "process source snapshot": """
        told.agree told.agree.silent told.ack told.tick told.count told.copy told.done told.drained told.resume
        told.arrived told.upto told.fetch told.reply told.region told.exchange told.nothing told.rows
    """,
    "process channel message": "wake.ack",
    "process kept collected": "catalogued",
    "process missing snapshot": "counted",
    "snapshot": """
        complete complete.members complete.unseen complete.wrong lacking.now abandon restored last.right last.price
        last.abandoned last.open
    """,
    "recorded total": "fault.total fault.tokens",
    "": """
        fault.impossible restored.beginning last.right.one last.wrong.one last.sum last.reached last.none
        last.disturbed last.full last.result.exactly-once last.result.at-least-once last.result.at-most-once
        last.result.neither last.result.wrong-values last.result.other-values last.result.still last.promised
        last.line.past last.line.open last.line.calm
    """,
    "process master": "region",
    "process master border": "region.border",
    "process known snapshot": "round",
    "process part snapshot": "part.arrives",
    "process part channel": "part.passes",
    "circle process snapshot": "deadlock",
    "process target word": "asked",
    "process word": "forgotten",
    "process saved state": "stored returned",
    "process offset snapshot": "epoch.reader end.reader",
    "process batch": """
        wake.write wake.finish wake.writer wake.log wake.trigger wake.trigger.nothing wake.speculate
        wake.speculate.nothing wake.copy wake.copy.nothing log.commits log.back
    """,
    "process task": "wake.report wake.remake wake.remake.nothing",
    "process offset": "wake.offset",
    "process batch ranges": "log.offsets",
    "driver snapshot": "restarted",
    "driver": "restarted.beginning",
    "process checkpoint state": "start.own returned.own",
    "process target": "back.told",
    "process source": "back.orphan back.nothing",
    "process checkpoint": "back.further",
    "count total": "last.right.of",
    "snapshot process source": "last.waits",
    "process state values": "last.kept",
    "rollbacks events": "last.line",
    "waiting": "last.result.waiting",
    "events": "last.line.start",
    "useless count": "last.line.disk",
    "states messages": "last.recorded",
    "states": "last.recorded.unseen",
    "processes messages": "last.recorded.many",
    "processes": "last.recorded.many.unseen",
}
"""The names of a sentence's values in order, and the sentences that have them."""

FIELDS = {key: tuple(names.split()) for names, keys in _SENTENCES.items() for key in keys.split()}
FIELDS |= {f"fault.{word}": names for check in CHECKS.values() for word, names in check.faults.items() if names}

CHECKPOINT = (
    "unreachable", "logged", "recorded", "absent", "unusable", "unusable.unrecorded", "aborted", "complete",
    "complete.members", "complete.unseen", "complete.wrong", "lacking",
    "last.right", "last.right.of", "last.abandoned", "last.open", "last.unusable", "last.silent", "last.waits",
)  # fmt: skip
"""Sentences that call a snapshot of a dataflow a checkpoint; their keys then end in ``.checkpoint``."""

FIELDS.update({f"{key}.checkpoint": FIELDS[key] for key in CHECKPOINT})


class Sentence(Value):
    """One sentence: ``key`` in the catalogues, ``values`` in the order of FIELDS[key]."""

    key: str
    values: tuple[Any, ...]

    def of_dataflow(self) -> "Sentence":
        """Return the sentence that calls a snapshot of a dataflow a checkpoint."""
        return Sentence(f"{self.key}.checkpoint", self.values) if self.key in CHECKPOINT else self

    def fields(self) -> dict[str, object]:
        """Return the values by name."""
        return dict(zip(FIELDS[self.key], self.values, strict=True))


def spoken(word: object) -> str:
    """Return the kind of a control message: its word, or the first of several words."""
    return str(word[0] if isinstance(word, tuple) else word)


def sign(snapshot: int | None, barriers: bool) -> str:
    """Return the name of a marker: a diamond, or for a barrier in a dataflow, a bar; and its snapshot."""
    return f"{'▮' if barriers else '◆'}{snapshot or ''}"


def control(word: object) -> Json:
    """Return a control word as a value of a sentence: the catalogues name it."""
    return {"word": spoken(word)}
