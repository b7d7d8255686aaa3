"""The global states of a run: ``/states`` and ``/states/REF``.

``/states/REF?…&at=2,1,0&of=1``: the query names the run as on other pages; ``at`` is the state shown, as the number of
events of each process in it, ``of`` the snapshot whose passage by Theorem 1 is drawn. The default for ``at`` is the
state after ``step``, or the first recorded one.

What ``states.html`` gets, besides what every page about a run gets (see ``app.web.shared.run_page.run_context``)
------------------------------------------------------------------------------------------------
``drawing`` (see ``app.pictures.lattice_picture``) ``urls`` (by state) ``counted`` (Counted) ``here`` (Here)
``snapshots`` (list of Seen) ``of`` (the number of the snapshot, or None) ``passage`` (its first and last state)
``stages`` (SVG, for a screen and for a phone) ``cuts`` (the address of the page to draw a cut)
``before`` (the address of the run before its first rollback)
``lives`` ``lost`` (has the system rolled back; was anything lost?)
``wrong``: the requested cut that is not a state.
"""

import math
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Annotated

from fastapi import APIRouter
from fastapi import Query as Parameter
from msgspec.structs import replace
from pydantic import StringConstraints
from starlette.responses import HTMLResponse, Response

from app.analysis.global_states import Taken, hindrance, inside, moments, route, spine, taken, world
from app.core.model.value import Frozen
from app.core.model.values import BluecutError, Json, World
from app.core.oracle.history import Event
from app.core.oracle.lattice import Cut, Lattice, Levels
from app.forms.fields import STEPS
from app.forms.whole_number import whole_numbers
from app.pictures.lattice_picture import WIDE, Marks, draw, short, written
from app.web.base.errors import answers
from app.web.base.templates import Context, page
from app.web.shared.default_run import redirects_to
from app.web.shared.question_view import stages
from app.web.shared.run_page import run_context
from app.web.shared.step_view import Fields, Worded
from app.web.shared.visit import Visit, VisitedRun
from app.wire.event_words import described
from app.wire.run_url import Address, stamp, written_url
from app.words.catalogues import readable, word

FIRST = "state-that-never-was"
SCREEN, PHONE = ((560, 240, 360), (560, 240, 320)), ((340, 176, 640),)
"""The places of the stage on a screen and on a phone, in px: a lower one where messages would have to be left out."""
BESIDE = 12
"""The most neighbours of a state, and the most of its events, that are listed."""
DIGITS = 15
"""Longer numbers are written as powers of ten."""

At = Annotated[
    Annotated[str, StringConstraints(max_length=2_000)],
    Parameter(description="a global state: how many events of each process, as 2,1,0"),
]
Of = Annotated[int | None, Parameter(ge=0, le=STEPS, description="the snapshot whose passage is drawn")]

router = APIRouter(responses=answers(400, 404))
redirects_to(router, "states", FIRST)


class Counted(Frozen):
    """``states`` of ``cuts`` are consistent, or more if they are not the ``whole``; ``orders`` of ``events`` are
    possible. All as texts."""

    states: str
    cuts: str
    events: int
    whole: bool
    orders: str | None


class Next(Frozen):
    """A state one event away: the event as a catalogue key with its fields, and the state's address."""

    name: str
    key: str
    fields: Fields
    url: str


class Here(Frozen):
    """The state shown, also in words, ``said``. ``step`` and ``run``: the run was in it after that step, and the
    address of that; ``way``: the address of another run that passes through it, or ``hindrance``, why there is none;
    ``recorded``: the snapshots that recorded it, ``cutting`` those with its cut that recorded something else.
    ``latest`` are the last of its events, ``earlier`` counts the others."""

    said: str
    events: int
    step: int | None
    run: str | None
    way: str | None
    hindrance: str
    recorded: tuple[int, ...]
    cutting: tuple[int, ...]
    processes: tuple[tuple[str, int, Json], ...]
    channels: tuple[tuple[str, list[Json]], ...]
    latest: tuple[Worded, ...]
    earlier: int
    more: tuple[Next, ...]
    less: tuple[Next, ...]


class Seen(Frozen):
    """A complete snapshot: its state, also in words, ``said``, the step after which the run was in it, and the
    addresses of both."""

    number: int
    name: str
    said: str
    consistent: bool
    exact: bool
    step: int | None
    url: str | None


@router.get("/states/{ref}", response_class=HTMLResponse)
def states(shown: VisitedRun, at: At = "", of: Of = None) -> Response:
    """Return the lattice of global states, and one of them on the stage."""
    run, spoken = shown.run, shown.language
    lattice = Lattice(run.history)
    real, when, snapshots = spine(run, lattice), moments(run, lattice), taken(run, lattice)
    asked = _read(at, lattice) if at and not shown.stale else None
    wrong = asked if asked is not None and not lattice.consistent(asked) else None
    usable = [one for one in snapshots if one.consistent]
    drawn = _passing(usable, None if shown.stale else of)
    cut = asked if asked is not None and wrong is None else _chosen(shown, real, drawn)
    found = lattice.levels()
    recorded = {one.cut: _numbers(one.cut, usable, exact=True) for one in usable if one.exact}
    cutting = {one.cut: _numbers(one.cut, usable, exact=False) for one in usable if not one.exact}
    passage = drawn.passage if drawn else ()
    marks = Marks(real, when, passage, recorded, cutting, cut)
    drawing = draw(lattice, found, marks)
    showing = drawn.number if drawn and len(usable) > 1 else None
    there = world(run, lattice, cut)
    here = _about(shown, lattice, cut, when, usable, showing, there)
    still, said = run.standing(there), _in_words(here, spoken)
    context: Context = run_context(shown, "states") | {
        "drawing": drawing,
        "urls": {dot.name: _url(shown.address, dot.cut, showing) for dot in drawing.dots},
        "counted": _counted(lattice, found),
        "here": here,
        "snapshots": [_listed(shown, one, when) for one in snapshots],
        "of": drawn.number if drawn else None,
        "exact": bool(drawn and drawn.exact),
        "passage": [_state_text(lattice.names, end, spoken) for end in (passage[0], passage[-1])] if passage else None,
        "stages": stages(still, 0, spoken, "state", rooms=SCREEN, narrow=PHONE, said=said),
        "cuts": shown.address.url("cuts", lang=shown.address.lang),
        "lives": bool(run.history.lives),
        "before": before(shown),
        "lost": bool(run.history.vanished),
        "wrong": _state_text(lattice.names, wrong, spoken) if wrong is not None else None,
        "wide": WIDE,
    }
    return page(shown.request, "states.html", **context)


def _read(text: str, lattice: Lattice) -> Cut:
    """Return the cut that an address names. Raises BluecutError if this run has no such cut."""
    cut = whole_numbers(text.split(",")) or ()
    if len(cut) == len(lattice.names) and all(count <= most for count, most in zip(cut, lattice.top, strict=True)):
        return cut
    raise BluecutError(
        "at: {text!r} is not a cut of this run; write how many events of each process, at most {most}",
        text=text[:40],
        most=written(lattice.top),
    )


def _passing(snapshots: list[Taken], number: int | None) -> Taken | None:
    """Return the snapshot whose passage is drawn: the requested one, else the first. Raises BluecutError."""
    if number is None:
        return next(iter(snapshots), None)
    found = next((one for one in snapshots if one.number == number), None)
    if found is None:
        raise BluecutError("of: there is no snapshot {number} with a consistent cut in this run", number=number)
    return found


def _chosen(shown: Visit, real: tuple[Cut, ...], drawn: Taken | None) -> Cut:
    """Return the state to show if the address names none."""
    step = shown.address.step
    if step or drawn is None:
        return real[min(len(real) - 1, sum(event.step <= step for event in shown.run.history.events))]
    return drawn.cut


def _numbers(cut: Cut, snapshots: Iterable[Taken], *, exact: bool) -> tuple[int, ...]:
    return tuple(one.number for one in snapshots if one.cut == cut and one.exact == exact)


def _url(address: Address, cut: Cut, of: int | None = None) -> str:
    """Return the address of a state of the run on this page: a picture has hundreds of these, and a ref may be long."""
    return written_url("", address.query(at=written(cut), of=of, lang=address.lang, v=stamp(address.scenario)))


def _listed(shown: Visit, one: Taken, when: dict[Cut, int]) -> Seen:
    place = _url(shown.address, one.cut, one.number) if one.consistent else None
    told = _state_text(shown.run.history.names, one.cut, shown.language)
    return Seen(one.number, written(one.cut), told, one.consistent, one.exact, when.get(one.cut), place)


def _state_text(names: Sequence[str], cut: Cut, spoken: str) -> str:
    """Return a state as people read it: with many processes, only the number of its events."""
    return short(names, cut) or word("states.long", spoken, events=sum(cut))


def _counted(lattice: Lattice, found: Levels) -> Counted:
    """Return how many states and cuts there are."""
    orders = _number(found.orders) if found.orders is not None else None
    return Counted(_number(found.count), _number(lattice.cuts), sum(lattice.top), found.whole, orders)


def _number(value: int) -> str:
    if value < 10**DIGITS:
        return f"{value:,}"
    tens = int(math.log10(value))
    leading = str(value // 10 ** (tens - 1))
    return f"{leading[0]}.{leading[1]} × 10^{tens}"


def _about(
    shown: Visit,
    lattice: Lattice,
    cut: Cut,
    when: dict[Cut, int],
    snapshots: list[Taken],
    of: int | None,
    there: World,
) -> Here:
    """Return the page's information on the state shown."""
    run, address, step = shown.run, shown.address, when.get(cut)
    happened = list(inside(run, lattice, cut))
    by_place = {(event.process, event.index): event for event in run.history.events}
    program, topology = run.system.program, run.system.topology
    key = route(run, lattice, cut)
    way = replace(address, key=key).of_step(sum(cut)) if key else None
    queues = there.in_flight()
    return Here(
        _state_text(lattice.names, cut, shown.language),
        sum(cut),
        step,
        address.of_step(step) if step is not None else None,
        way,
        hindrance(run, lattice, cut) if key is None else "",
        _numbers(cut, snapshots, exact=True),
        _numbers(cut, snapshots, exact=False),
        tuple((n, cut[i], program.view(there.states[n])) for i, n in enumerate(topology.names)),
        tuple((c, [program.show(m.payload) for m in queues.get(c, ())]) for c in topology.channels),
        tuple(described(run, event) for event in happened[-BESIDE:]),
        max(0, len(happened) - BESIDE),
        tuple(islice(_neighbours(shown, lattice, cut, lattice.after(cut), by_place, of), BESIDE)),
        tuple(islice(_neighbours(shown, lattice, cut, lattice.before(cut), by_place, of), BESIDE)),
    )


def _neighbours(
    shown: Visit,
    lattice: Lattice,
    cut: Cut,
    others: Iterable[Cut],
    events: dict[tuple[str, int], Event],
    of: int | None,
) -> Iterable[Next]:
    """Yield the states one event away, with that event."""
    for other in others:
        p = next(i for i, (a, b) in enumerate(zip(cut, other, strict=True)) if a != b)
        event = events[lattice.names[p], max(cut[p], other[p])]
        yield Next(written(other), *described(shown.run, event), _url(shown.address, other, of))


def _in_words(here: Here, spoken: str) -> str:
    """Return the state in words for those who cannot see the stage."""
    processes = [word("states.process", spoken, process=n, state=readable(s, spoken)) for n, _, s in here.processes]
    channels = [word("states.channel", spoken, channel=c, messages=m) for c, m in here.channels if m]
    return readable([*processes, *channels], spoken)


def before(shown: Visit) -> str | None:
    """Return the address of the run just before its first rollback, if it has one."""
    lives, here = shown.run.history.lives, shown.address
    return here.link_to(step=lives[0].steps - 1) if lives else None
