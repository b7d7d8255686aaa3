"""A snapshot carried out by hand: ``/lessons/NAME/by-hand?m=record:P1&m=mark:P1->P2&…``. The moves are in the address,
so the server stores nothing.

What ``_hand.html`` gets: ``hand``, a Shown.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from app.core.model.values import Phrase
from app.course.by_hand import Hand, replayed
from app.course.yaml_forms import HandForm
from app.pictures import render
from app.scenario.library import LIBRARY
from app.web.shared.question_view import NARROW, WIDE
from app.wire.run_url import Address


@dataclass(frozen=True, slots=True)
class Try:
    """A move that can be tried; ``where`` as people read it."""

    value: str
    doing: str
    where: str


@dataclass(frozen=True, slots=True)
class Shown:
    """The exercise as a page shows it. ``kept`` are the moves that were allowed; ``refused`` says why the last one was
    not; ``checks`` are those of the oracle at the end, by name."""

    asks: str
    action: str
    kept: tuple[str, ...]
    keeps: tuple[tuple[str, str], ...]
    refused: Phrase | None
    groups: tuple[tuple[str, tuple[Try, ...]], ...]
    drawings: tuple[Markup, ...]
    counts: tuple[int, int, int, int]
    checks: tuple[tuple[str, bool], ...] = ()
    url: str = ""


def shown(form: HandForm, action: str, keeps: Sequence[tuple[str, str]], moves: Sequence[str], spoken: str) -> Shown:
    """Return the exercise after these moves. Raises BluecutError if one of them is no move."""
    hand, refused = replayed(form.scenario, form.initiator, form.sent, moves)
    kept = tuple(moves[:-1]) if refused is not None else tuple(moves)
    graph = hand.system.topology
    checks, url = _judged(hand) if hand.done else ((), "")
    return Shown(
        getattr(form.asks, spoken),
        action,
        kept,
        tuple(keeps),
        refused.phrase if refused is not None else None,
        tuple(
            (name, tuple(Try(f"{doing}:{where}", doing, where.replace("->", "→")) for doing, where in offered))
            for name, offered in hand.offers()
        ),
        _drawn(hand, spoken),
        (len(hand.recorded), len(graph.names), len(hand.closed), len(graph.channels)),
        checks,
        url,
    )


def _drawn(hand: Hand, spoken: str) -> tuple[Markup, ...]:
    """Return the stage for a screen and for a phone. A marker that nobody has put into its channel is not in it."""
    run, hidden = hand.run(), {str(one) for one in hand.unsent}

    def veiled(svg: str) -> str:
        return re.sub(
            r'(<g [^>]*data-message="(\d+)")', lambda m: m[1] + ' visibility="hidden"' if m[2] in hidden else m[1], svg
        )

    return tuple(
        Markup(veiled(render.stage(run, hand.shown, spoken, mark, ring=False, rooms=rooms)))
        for mark, rooms in (("hand", WIDE), ("hand-narrow", NARROW))
    )


def _judged(hand: Hand) -> tuple[tuple[tuple[str, bool], ...], str]:
    """Return what the oracle says of the snapshot, and the address of the run."""
    run, scenario = hand.run(), LIBRARY.scenario(hand.scenario)
    decided = [(name, holds) for name, holds in run.verdicts[1].checks.items() if holds is not None]
    return tuple(decided), Address(hand.scenario, scenario, hand.key, len(run.steps)).here
