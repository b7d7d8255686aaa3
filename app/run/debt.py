"""What the oracle must remember of the past, so that two states with the same future are known to be the same."""

from immutables import Map

from app.core.model.notes import (
    Absent,
    Acted,
    Changed,
    Discarded,
    Doubled,
    Note,
    Overtook,
    Received,
    Recorded,
    Sent,
)
from app.core.model.topology import source_of
from app.core.model.value import Value
from app.core.model.values import APP, MARKER

_OWING = frozenset({Recorded, Absent, Sent, Doubled, Overtook, Received, Discarded, Acted, Changed})
"""The notes that change what must be remembered."""


class Debt(Value):
    """What the oracle must remember of the past.

    For each message in flight or logged, the snapshots outside whose cut it was sent; for each copy that the network
    made, those that its sender had recorded by then; which snapshots have an orphan; what has arrived across each cut,
    in order; the channels on which a fault has changed the order; and, for each snapshot, which channels have had a
    marker and which processes have recorded: once (1), or more often (2).
    """

    outside: "Map[int, tuple[int, ...]]" = Map()
    recorded: "Map[str, tuple[int, ...]]" = Map()
    orphans: tuple[int, ...] = ()
    crossed: tuple[tuple[int, str, int], ...] = ()
    disordered: tuple[str, ...] = ()
    made: "Map[int, tuple[int, ...]]" = Map()
    counted: tuple[tuple[int, str, int], ...] = ()

    def after(self, notes: tuple[Note, ...]) -> "Debt":
        """Return the debt after one more step."""
        outside, recorded, orphans, crossed = self.outside, self.recorded, self.orphans, self.crossed
        disordered, made, counted = self.disordered, self.made, self.counted
        received: Received | None = None
        aside = False
        for note in notes:
            if type(note) not in _OWING:
                continue
            match note:
                case Recorded() | Absent(inside=False):
                    before = recorded.get(note.process, ())
                    recorded = recorded.set(note.process, tuple(sorted({*before, note.snapshot})))
                    if isinstance(note, Recorded):
                        counted = _one_more(counted, note.snapshot, note.process)
                case Sent() if note.message.kind == APP and note.message.origin is None:
                    outside = outside.set(note.message.id, recorded.get(note.process, ()))
                case Sent() if note.message.kind == MARKER and note.message.snapshot is not None:
                    counted = _one_more(counted, note.message.snapshot, note.channel)
                case Doubled() if note.message.kind == APP:
                    outside = outside.set(note.copy.id, outside[note.message.identity])
                    made = made.set(note.copy.id, recorded.get(source_of(note.channel), ()))
                    disordered = tuple(sorted({*disordered, note.channel}))
                case Overtook():
                    disordered = tuple(sorted({*disordered, note.channel}))
                case Received():
                    received = note if note.message.kind == APP else None
                case Discarded():
                    received = None
                case Acted():
                    aside = received is not None  # a move that takes effect before what has arrived
                case Changed() if aside:
                    aside = False
                case Changed() if received is not None:  # only now: it may have recorded before
                    identity, here = received.message.identity, recorded.get(received.process, ())
                    sent_outside = outside[identity]
                    orphans = tuple(sorted({*orphans, *(s for s in sent_outside if s not in here)}))
                    crossed += tuple((s, received.channel, identity) for s in here if s not in sent_outside)
                    received = None
        return Debt(outside, recorded, orphans, crossed, disordered, made, counted)


def _one_more(counted: tuple[tuple[int, str, int], ...], snapshot: int, name: str) -> tuple[tuple[int, str, int], ...]:
    """Count one more marker on a channel, or record of a process. Two are as wrong as three."""
    counts = {(number, one): count for number, one, count in counted}
    counts[snapshot, name] = min(2, counts.get((snapshot, name), 0) + 1)
    return tuple(sorted((*where, count) for where, count in counts.items()))
