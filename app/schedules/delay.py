"""How long things take, in ticks of virtual time."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Delay:
    """How long a message travels, in ticks of virtual time: uniform in ``low``..``high``, or, where ``digits`` is
    given, the digits of that text in the order in which messages are sent."""

    low: int = 0
    high: int = 4
    digits: str | None = None


@dataclass(frozen=True, slots=True)
class Phase:
    """For ``ticks`` ticks programs move after this ``gap``; then comes the next phase, after the last the first."""

    ticks: int
    gap: Delay


def gap_at(phases: tuple[Phase, ...], now: int) -> Delay:
    """Return how fast programs move at the time ``now``. ``phases`` must not be empty."""
    since = now % sum(phase.ticks for phase in phases)
    for phase in phases:
        if since < phase.ticks:
            break
        since -= phase.ticks
    return phase.gap
