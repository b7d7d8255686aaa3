"""Properties that stay true once they are, and what a snapshot says about them: ``/stable`` and ``/stable/REF``.

``/stable/REF?…&one=p:"A"&two=q:"D"&empty=p->q`` or ``…&left=p&right=q``: the query names the run as on other pages; the
rest asks whether one process can be in one state while another is in another (and nothing is between them), or whether
two are in the same. By default, the question is about the first snapshot's state.

What ``stable.html`` gets, besides what every page about a run gets (see ``app.web.shared.run_page.run_context``)
-------------------------------------------------------------------------------------------------
``properties`` (list of Told) ``question`` (Asked, or None) ``states`` [(process, [(value, text), …]), …]
``processes`` ``channels`` (names) ``hidden`` (the forms' hidden fields that name the run)
``instead`` (the run under another algorithm, and which, or None) ``faults`` (did the network
interfere in this run, or the system roll back?)
"""

import json
from collections.abc import Callable, Iterable
from typing import Annotated, Any

from fastapi import APIRouter
from fastapi import Query as Parameter
from markupsafe import Markup
from pydantic import StringConstraints
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from app.algorithms.registry import ALGORITHMS, FIRST, standing_for
from app.analysis.global_states import moments, spine, taken
from app.analysis.possibly_definitely import Answer, Question, answer, avoiding, having
from app.analysis.stable_properties import Conclusion, Span, conclusions, properties, spans
from app.compact_json import compact
from app.core.model.recorded_state import parts as recorded_parts
from app.core.model.value import Frozen
from app.core.model.values import BluecutError, Json
from app.core.oracle.deadlock import Wait, waits
from app.core.oracle.lattice import Cut, Lattice
from app.pictures import property_strip, render, wait_graph
from app.pictures.lattice_picture import DRAWN, HIGH, LONG, Drawing, Marks, draw, short, written
from app.run.run import Run, members, recorded_state
from app.run.stable_property import DEADLOCK
from app.scenario.library import LIBRARY
from app.scenario.run_key import RunKey
from app.scenario.scenario import unfit
from app.web.base.errors import answers
from app.web.base.language import language, named
from app.web.base.templates import Context, page
from app.web.shared.run_page import run_context
from app.web.shared.visit import Visit, VisitedRun
from app.wire.run_url import Address, canonical
from app.words.catalogues import readable

CARDS = (
    ("termination", "phantom-termination", "phantom-photographs"),
    ("deadlock", "phantom-deadlock", "real-deadlock"),
    ("lost", "photographs-none", "token-back"),
)
"""A property, the scenario that shows it, and another one beside it."""
POSSIBLY = ("state-that-never-was", {"one": 'p:"A"', "two": 'q:"D"', "empty": "p->q"})
DEFINITELY = ("state-that-never-was", {"one": 'p:"B"', "two": 'q:"D"'})
"""A question whose answer by a snapshot is possibly, and one whose answer is definitely."""

OFFERED = 400
"""The most states to choose from, of all processes together."""
MANY = 40
"""The most states of one process."""
LISTED = 12
"""The most waits described in words."""
LINKED = 120
"""A larger picture is not shown here: every state has a link, and a link may carry a scenario."""

router = APIRouter(responses=answers(400, 404))

State = Annotated[str, StringConstraints(max_length=400), Parameter(description='a process and its state: p:"A"')]
Name = Annotated[str, StringConstraints(max_length=40), Parameter()]


class Net(Frozen):
    """Which processes wait for which, ``of`` a moment (``polled``, ``recorded`` or ``end``): the drawing, if there is
    room for one, the stuck processes, and the waits in words."""

    of: str
    graph: wait_graph.Graph | None
    stuck: tuple[str, ...]
    waits: tuple[Wait, ...]


class Snapshot(Frozen):
    """What a snapshot says of a property, and, for a deadlock, which processes wait for which in it, if any seems
    stuck."""

    told: Conclusion
    nets: tuple[Net, ...]


class Told(Frozen):
    """A property: ``name`` is the end of its keys; when it is true, and what the snapshots say. ``since`` is the first
    step from which it is true to the end, None if it is false at the end; ``end``, for a deadlock, is the waits at the
    end."""

    name: str
    strip: property_strip.Strip
    snapshots: tuple[Snapshot, ...]
    since: int | None
    spans: tuple[Span, ...]
    end: Net | None


class Asked(Frozen):
    """A question about two processes and its answer. ``one`` and ``two`` are (process, value, text), ``left`` is set if
    it is about equality. ``instants`` are the steps after which the run satisfied it (the first few), ``often`` how
    many; ``snapshots`` (number, is it satisfied?) of those that recorded a state; ``examples`` (state, URL, the step
    after which the run was in it)."""

    one: tuple[str, str, str]
    two: tuple[str, str, str]
    empty: str
    same: bool
    answer: Answer
    instants: tuple[int, ...]
    often: int
    snapshots: tuple[tuple[int, bool], ...]
    examples: tuple[tuple[str, str, int | None], ...]
    drawing: Drawing | None
    urls: dict[str, str]


@router.get("/stable", response_class=HTMLResponse)
def start(request: Request) -> Response:
    """Return the three properties, and what need not stay true."""
    spoken, lang = language(request), named(request)

    def door(name: str, **more: str) -> tuple[str, str]:
        scenario = LIBRARY.scenario(name)
        return Address(name, scenario, RunKey()).url("stable", **more, lang=lang), getattr(scenario.form.title, spoken)

    cards = [
        {"name": name, "first": door(first), "other": door(other), "picture": _thumbnail(first, spoken)}
        for name, first, other in CARDS
    ]
    unstable = {
        "first": door(POSSIBLY[0], **POSSIBLY[1]),
        "other": door(DEFINITELY[0], **DEFINITELY[1]),
        "picture": _thumbnail(POSSIBLY[0], spoken),
    }
    return page(request, "stables.html", cards=cards, unstable=unstable)


def _thumbnail(name: str, spoken: str) -> Markup:
    return Markup(render.graph(LIBRARY.scenario(name), spoken))


@router.get("/stable/{ref}", response_class=HTMLResponse)
def stable(
    shown: VisitedRun, one: State = "", two: State = "", empty: Name = "", left: Name = "", right: Name = ""
) -> Response:
    """Return what stays true in a run, what its snapshots say of it, and a question about two of its processes."""
    run, here = shown.run, shown.address
    offered = _states(run, shown.language)
    question = None
    if len(run.system.topology.names) > 1:
        question = _question_view(shown, offered, one, two, empty, left, right)
    context: Context = run_context(shown, "stable") | {
        "properties": [_property_told(run, name) for name in properties(run)],
        "question": question,
        "states": offered,
        "processes": run.system.topology.names,
        "channels": tuple(run.system.topology.channels),
        "hidden": here.query(lang=here.lang),
        "instead": _photographed(shown),
        "faults": bool(run.history.vanished or run.history.lives or run.history.twins),
    }
    return page(shown.request, "stable.html", **context)


# --- what stays true ----------------------------------------------------------------------------------------------


def _property_told(run: Run, name: str) -> Told:
    found, snapshots = spans(run, name), conclusions(run, name)
    since = found[-1].first if found[-1].true else None
    drawn = property_strip.strip(found, snapshots, len(run.steps))
    end = _net(run, "end", members(run.end), run.end.in_flight()) if name == DEADLOCK and since is not None else None
    return Told(name, drawn, tuple(_snapshot(run, name, one) for one in snapshots), since, found, end)


def _snapshot(run: Run, name: str, one: Conclusion) -> Snapshot:
    if name != DEADLOCK:
        return Snapshot(one, ())
    states, channels = recorded_state(run, one.number)
    nets = (_net(run, "polled", states, {}), _net(run, "recorded", states, channels))
    found = tuple(each for each in nets if each is not None)
    return Snapshot(one, found if any(each.stuck for each in found) else ())


def _net(run: Run, of: str, states: Any, channels: Any) -> Net | None:
    """Return which processes wait for which in a global state."""
    found = waits(run.system, states, channels)
    if found is None:
        return None
    return Net(of, wait_graph.graph(run.system.topology, found), found.stuck, found.waits[:LISTED])


def _photographed(shown: Visit) -> tuple[str, str] | None:
    """Return the same run with photographs instead of its algorithm, or, if it has photographs, with Chandy–Lamport,
    and which of the two (``photos`` or ``snapshot``); None if that is impossible."""
    run, here = shown.run, shown.address
    kind, wanted = "photos", standing_for("uncoordinated-states")
    if wanted == run.system.algorithm.NAME:
        kind, wanted = "snapshot", FIRST
    fits = unfit(ALGORITHMS[wanted], run.system.topology, run.system.program) is None
    if here.key.choices or here.key.manual or run.system.eager or not fits or not properties(run):
        return None
    key = canonical(here.scenario, RunKey(wanted, here.key.seed, here.key.discipline))
    return Address(here.ref, here.scenario, key).url("stable", lang=here.lang), kind


# --- what need not stay true --------------------------------------------------------------------------------------


def _states(run: Run, spoken: str) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the states of each process in the run, as values of a form and as texts."""
    seen: dict[str, dict[str, str]] = {}
    count = 0
    for name in run.system.topology.names:
        if count < OFFERED:
            seen[name] = {}
            _add(seen[name], name, run.system.program.view(run.begin.states[name]), spoken)
            count += 1
    for event in run.history.events:
        mine = seen.get(event.process)
        if mine is not None and len(mine) < MANY and count < OFFERED:
            count += _add(mine, event.process, run.system.program.view(event.state), spoken)
    return [(name, list(values.items())) for name, values in seen.items()]


def _add(values: dict[str, str], name: str, view: Json, spoken: str) -> bool:
    """Offer a state; was it new?"""
    value = f"{name}:{compact(view)}"
    new = value not in values
    values.setdefault(value, readable(view, spoken) if view != "" else "–")
    return new


def _question_view(
    shown: Visit,
    offered: list[tuple[str, list[tuple[str, str]]]],
    one: str,
    two: str,
    empty: str,
    left: str,
    right: str,
) -> Asked:
    """Return the question of the address, or a default one, and its answer."""
    run, topology, view = shown.run, shown.run.system.topology, shown.run.system.program.view
    lattice = Lattice(run.history)
    same = bool(left or right)
    if same:
        ends = [(name, "", "") for name in (left, right)]
    elif one or two:
        ends = [_chosen(text, shown.language) for text in (one, two)]
    else:
        ends = [_chosen(text, shown.language) for text in _first(run, offered)]
        empty = ""
    names = [name for name, _, _ in ends]
    if names[0] == names[1] or any(name not in topology.processes for name in names):
        raise BluecutError(
            "choose two different processes of this run, not {one} and {two}", one=names[0], two=names[1]
        )
    if empty and (empty not in topology.channels or sorted(empty.split("->")) != sorted(names)):
        raise BluecutError(
            "empty: {channel} is not a channel between {one} and {two}", channel=empty, one=names[0], two=names[1]
        )
    question = _question(names, [value.partition(":")[2] for _, value, _ in ends], empty, same=same, view=view)
    found = answer(run, lattice, question)
    has = having(run, lattice, question)
    when = moments(run, lattice)
    instants = sorted(step for cut, step in when.items() if has(cut))
    drawing = _drawn(run, lattice, question, found, has, when)
    here = shown.address

    def url(cut: Cut) -> str:
        return here.url("states", at=written(cut), lang=here.lang)

    return Asked(
        ends[0],
        ends[1],
        empty,
        same,
        found,
        tuple(instants[:3]),
        len(instants),
        tuple(_recorded(run, lattice, question)),
        tuple((short(lattice.names, cut) or written(cut), url(cut), when.get(cut)) for cut in found.examples),
        drawing,
        {dot.name: url(dot.cut) for dot in drawing.dots} if drawing else {},
    )


def _question(names: list[str], values: list[str], empty: str, *, same: bool, view: Callable[[Json], Json]) -> Question:
    """Return whether both processes have these values, or the ``same``, while the channel ``empty`` is."""
    if same:
        return Question(names[0], names[1], lambda a, b: bool(a == b), empty or None, lambda state: _bare(view(state)))
    return Question(
        names[0], names[1], lambda a, b: [a, b] == values, empty or None, lambda state: compact(view(state))
    )


def _bare(view: Json) -> Json:
    """Return a state without the names of its variables, which differ from process to process."""
    return list(view.values()) if isinstance(view, dict) else view


def _chosen(text: str, spoken: str) -> tuple[str, str, str]:
    """Return a process, its state as the form says it, and as people read it. Raises BluecutError."""
    name, _, said = text.partition(":")
    try:
        state = json.loads(said)
        shown = readable(state, spoken) if state != "" else "–"
        shown.encode()  # half a character cannot be shown
    except ValueError:
        raise BluecutError("{text!r} is not a process and its state, as in p:1", text=text[:40]) from None
    return name, f"{name}:{compact(state)}", shown


def _first(run: Run, offered: list[tuple[str, list[tuple[str, str]]]]) -> tuple[str, str]:
    """Return the states of two processes that the first snapshot recorded; of the most active ones if there are
    several."""
    counts = {name: run.history.counts.get(name, 0) for name, _ in offered}
    names = sorted(counts, key=lambda name: -min(counts[name], 1))[:2]
    view = run.system.program.view
    for number, seen in sorted(run.history.recordings.items()):
        if seen.completed is not None and seen.life is None:
            parts = recorded_parts(run.system, run.end, number)
            if all(name in parts for name in names):
                found = [f"{name}:{compact(view(parts[name].state))}" for name in names]
                return found[0], found[1]
    values = dict(offered)
    return values[names[0]][0][0], values[names[1]][0][0]


def _recorded(run: Run, lattice: Lattice, question: Question) -> Iterable[tuple[int, bool]]:
    """Return, for each snapshot that recorded a state, whether it satisfies the question."""
    has: Callable[[Cut], bool] = having(run, lattice, question)
    return ((one.number, has(one.cut)) for one in taken(run, lattice) if one.exact)


def _drawn(
    run: Run,
    lattice: Lattice,
    question: Question,
    found: Answer,
    has: Callable[[Cut], bool],
    when: dict[Cut, int],
) -> Drawing | None:
    """Return the lattice with the states that satisfy the question and an order without them; None if it is too
    large."""
    every = lattice.levels(min(DRAWN, LINKED))
    if not every.whole or len(every.levels) > LONG or max(map(len, every.levels)) > HIGH or found.possibly is None:
        return None
    saved = {one.cut: (one.number,) for one in taken(run, lattice) if one.exact}
    with_it = [cut for level in every.levels for cut in level if has(cut)]
    way = avoiding(lattice, question, found)
    return draw(lattice, every, Marks(spine(run, lattice), when, (), saved, {}, None, with_it, way))
