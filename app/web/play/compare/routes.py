"""Several algorithms on the same program, schedule and seed: their runs side by side, in step, and their costs.

``/compare/{ref}?with=NAME&with=NAME~DISCIPLINE&seed=&discipline=&beat=&lang=&of=RUN``

A column is an algorithm, with an order of delivery if it differs from the scenario's. A run under another algorithm
than the author's repeats the programs' actions, so the columns are aligned by application event (see
``app.analysis.alignment``). A column that cannot run says why.

What ``compare.html`` gets
--------------------------
``title`` ``head`` (see ``app.web.shared.run_head``; of the run ``of``)
``columns`` (see Column) ``now`` (where each of them is at ``still``, see Now; or None)
``rows`` (see ``app.web.shared.run_table``)
``hand`` (are they what people did, and what the rule would have done?)
``counter`` (the key of what the counters count) ``agreement`` (see ``agreement``) ``back`` (does a process crash?)
``beats`` (see Beats; None if no column runs)
``still`` (the beat that visitors without scripts see: the last, if the address names none) ``told`` (what has happened
by then) ``walk`` ({first, back, next, last}: the addresses of other beats, or None) ``form`` (see ``form``); for the
script ``page`` (see ``carried``), ``scenes`` (JSON bytes, of the columns that run) and ``words``.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Annotated, TypeVar
from urllib.parse import parse_qsl

from fastapi import APIRouter
from fastapi import Query as Parameter
from msgspec.structs import replace
from pydantic import Field, StringConstraints, ValidationError
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.algorithms.registry import ALGORITHMS
from app.analysis.alignment import Beats, Difference, beats, difference, moments
from app.analysis.cost import controls, cost, pauses
from app.analysis.ledger import ledger
from app.analysis.recovery_cost import recovery_cost
from app.core.model.algorithm import Kind
from app.core.model.system import DISCIPLINES
from app.core.model.value import Frozen
from app.core.model.values import BluecutError, Crash, Phrase, Start
from app.course.live_run import HAND, LiveRun
from app.forms.fields import STEPS
from app.run.recovery_line import Fall
from app.run.run import WORK, Run, repeated
from app.scenario.format import Seed
from app.scenario.library import FIRST
from app.scenario.run_key import RunKey
from app.scenario.scenario import Scenario
from app.web.base.errors import Stale, answers
from app.web.base.language import language
from app.web.base.root import below
from app.web.base.templates import Context, page, script_texts
from app.web.shared.algorithm_options import offered
from app.web.shared.compare_links import beside, pair
from app.web.shared.concurrent_starts import initiators, meaning
from app.web.shared.crash_scenarios import crash_scenarios
from app.web.shared.default_run import redirects_to
from app.web.shared.encoded_run import Recorded
from app.web.shared.last_word import LastWord, told
from app.web.shared.own_scenario import is_own, resolve
from app.web.shared.run_head import head_of
from app.web.shared.run_page import STAGE_WORDS, plan_link
from app.web.shared.run_table import Piece, Row, recovered, result_rows, table
from app.web.shared.step_view import walk
from app.web.shared.visit import Ref
from app.wire.event_words import described
from app.wire.run_url import Address, Fields, Query, address, canonical, is_stale, stamp, written_url
from app.words.catalogues import JOIN, word
from app.words.checkpoint_names import called

MOST = 4
"""The most columns."""

MOST_WORK = 500_000
"""How much work all runs of a visitor's comparison may be, with the one that they repeat (see ``app.run.run.effort``).
A run of 5,000 steps, with a few channels per process, is a tenth of it. The library's own runs have no such limit."""

SHOWN = 3
"""The most differing events shown, of each kind."""


NEEDED = (*STAGE_WORDS, "compare.", "player.blank", "player.pause", "player.play", "player.step", "step.colon")
"""The words that the script needs."""

T = TypeVar("T")
Word = Annotated[str, StringConstraints(max_length=80)]
router = APIRouter(responses=answers(400, 404))
redirects_to(router, "compare", FIRST)


class Wish(Fields):
    """The fields that may follow the question mark. The form sends ``order``: one order of delivery for each column in
    ``with``; the answer is then the address that says it with ``~``."""

    RUN = ("with", "order", "seed", "discipline")

    columns: list[Word] = Field([], alias="with", description="an algorithm, or ALGORITHM~DISCIPLINE")
    order: list[Word] = Field([], description="the order of delivery of each column")
    seed: Seed | None = Field(None, strict=False, description="the seed of the schedule")
    discipline: Word | None = Field(None, description=f"one of {', '.join(DISCIPLINES)}")
    beat: int = Field(0, ge=0, le=STEPS, description="the beat to show first")
    presenter: bool = Field(False, description="large type for a lecture hall")
    lang: Word | None = Field(None, description="en or zh")
    of: Annotated[str, StringConstraints(max_length=10_000)] = Field(
        "", description="the query of the run from which the visitor came"
    )

    def address(self, ref: str, scenario: Scenario, key: RunKey) -> Address:
        """Return the address of a run, shown as the comparison is."""
        lang = self.lang if self.lang in ("en", "zh") else None
        return Address(ref, scenario, key, presenter=self.presenter, lang=lang)


class Column(Frozen):
    """One run of the comparison, or why there is none (``reason``). ``meaning`` is what several starts at once mean to
    its algorithm (see ``app.web.shared.concurrent_starts``), None if the author lets one process start."""

    algorithm: str
    discipline: str
    address: Address
    recorded: Recorded | None
    reason: Phrase | None = None
    meaning: str | None = None

    @property
    def run(self) -> Run | None:
        """The run."""
        return self.recorded.run if self.recorded else None


class Now(Frozen):
    """Where a column is at a beat: its step, and how many ``controls`` there were (see ``counted``). ``over``: it is at
    its end, and only then its ``verdict`` is known."""

    step: int
    controls: int
    over: bool
    verdict: LastWord


@router.get("/compare/{ref}", response_class=HTMLResponse, responses={303: {"description": "said in one list"}})
def compare(request: Request, ref: Ref, wish: Annotated[Wish, Parameter()]) -> Response:
    """Return the comparison."""
    scenario, spoken = resolve(ref, request), language(request)
    names = _wanted(wish, scenario)
    if wish.order:
        shown = {"beat": wish.beat or None, "presenter": "1" if wish.presenter else None, "lang": wish.lang}
        there = beside(ref, names, seed=wish.seed, discipline=wish.discipline, **shown, of=wish.of)
        return RedirectResponse(there, 303)
    share = MOST_WORK // (1 + len(names)) if is_own(ref) else WORK
    hand = _by_hand(wish.of, ref, scenario) if HAND in names else None
    if hand is not None:
        columns = _deeds(request, ref, scenario, hand, wish, share)
    else:
        columns = [_column(request, ref, scenario, name, wish, share) for name in names]
    runs = [each.run for each in columns if each.run]
    together = beats(runs) if runs else None
    own = request.app.state.runs.recorded(scenario, canonical(scenario, RunKey(seed=wish.seed)), share)
    beat = min(wish.beat, together.last) if together else 0
    still = together.last if together and "beat" not in request.query_params else beat
    places = iter(range(len(runs)))
    at = [next(places) if each.run else None for each in columns]
    counts, gathering = counted(runs)
    carried = _carried(columns, at, together, beat, counts, spoken) if together else None
    context: Context = _head(request, ref, scenario, wish, share) | {
        "title": getattr(scenario.form.title, spoken),
        "columns": columns,
        "now": [
            _now(each, together.steps[i][still], counts[i], spoken) if together and i is not None else None
            for each, i in zip(columns, at, strict=True)
        ],
        "counter": "compare.counter.together" if gathering else "compare.counter",
        "rows": _rows(columns, starts(own.run), spoken),
        "hand": hand is not None,
        "agreement": [] if hand is not None else _agreement(columns, together),
        "holding": [word(f"algorithm.{c.algorithm}", spoken) for c in columns if c.run and pauses(c.run)[0]],
        "back": any(any(run.steps_of(Crash)) for run in runs),
        "beats": together,
        "still": still,
        "told": _told(carried["told"], still, together.last, spoken) if together and carried else "",
        "walk": walk(still, together.last, lambda beat: _here(request, beat=beat)) if together else {},
        "presenter": wish.presenter,
        "other_size": _here(request, presenter=None if wish.presenter else "1"),
        "form": _form(ref, scenario, columns, wish),
        "claims_on": scenario.name if any(scenario.name == one.name for one in crash_scenarios()) else None,
        "page": carried,
        "scenes": [each.recorded.scene for each in columns if each.recorded],
        "words": script_texts(spoken, NEEDED),
    }
    return page(request, "compare.html", **context)


def _head(request: Request, ref: str, scenario: Scenario, wish: Wish, share: int) -> Context:
    """Return the head of the page: the run from which the visitor came, or the author's if it is there no more."""
    own = replace(wish.address(ref, scenario, RunKey()), presenter=False)
    recorded = partial(request.app.state.runs.recorded, most_work=share)
    try:
        query = Query.model_validate(dict(parse_qsl(wish.of)))
        here = replace(address(ref, scenario, query), lang=own.lang)
        run = recorded(scenario, here.key).run
        if is_stale(query, scenario):
            raise Stale("v: the scenario or the engine has changed since this link was made")
    except (BluecutError, ValidationError):
        here, run = own, recorded(scenario, own.key).run
    return head_of(here, run, "compare", language(request))


def _wanted(wish: Wish, scenario: Scenario) -> list[str]:
    """Return the columns as ``ALGORITHM`` or ``ALGORITHM~DISCIPLINE``; by default, the author's algorithm beside the
    first other that is right and fits. Raises BluecutError for more than MOST."""
    orders = [*wish.order, *[""] * len(wish.columns)]
    names = [f"{n}~{order}" if order and n else n for n, order in zip(wish.columns, orders, strict=False) if n]
    if len(names) > MOST:
        raise BluecutError("with: {count} columns; at most {most} stand side by side", count=len(names), most=MOST)
    return names or pair(scenario)


def _column(request: Request, ref: str, scenario: Scenario, name: str, wish: Wish, share: int) -> Column:
    """Return the run of one column, or why there is none: it is impossible, or more work than its share."""
    algorithm, _, discipline = name.partition("~")
    order = discipline or wish.discipline or scenario.form.discipline
    key = canonical(scenario, RunKey(algorithm, wish.seed, order))
    here = wish.address(ref, scenario, key)
    known = ALGORITHMS.get(algorithm)
    said = meaning(known) if known and len(initiators(scenario)) > 1 else None
    recorded = partial(request.app.state.runs.recorded, scenario, most_work=share)
    try:
        scenario.system(key)  # what is impossible is said first
        if scenario.follows(key):
            _refuse_above(share, recorded(key=repeated(key)))
        return Column(algorithm, order, here, _refuse_above(share, recorded(key=key)), None, said)
    except BluecutError as error:
        return Column(algorithm, order, here, None, error.phrase, said)


def _deeds(request: Request, ref: str, scenario: Scenario, hand: RunKey, wish: Wish, share: int) -> list[Column]:
    """Return what people did by hand, and beside it what the rule would have done."""
    order = scenario.discipline(hand)

    def column(algorithm: str, key: RunKey) -> Column:
        recorded = _refuse_above(share, request.app.state.runs.recorded(scenario, key, most_work=share))
        return Column(algorithm, order, wish.address(ref, scenario, key), recorded)

    own = scenario.form.algorithm
    try:
        return [column(HAND, hand), column(own, _by_rule(scenario, hand))]
    except BluecutError as error:
        names = ((HAND, hand), (own, hand))
        return [Column(name, order, wish.address(ref, scenario, key), None, error.phrase) for name, key in names]


def _refuse_above(share: int, recorded: Recorded) -> Recorded:
    """Return a run that is no more work than its share. Raises BluecutError for another, which has no end."""
    if recorded.run.work > share < WORK:
        raise BluecutError(
            "after {steps:,} steps this run is too long to be compared; compare fewer runs, or open it alone",
            steps=len(recorded.run.steps),
        )
    return recorded


def counted(runs: list[Run]) -> tuple[list[list[int]], bool]:
    """Return by run and step how many control messages there were; and, do recorded parts count as well? They do where
    some runs send parts to be collected and others do not: collecting counts in all columns, or in none."""
    alone, whole = ([controls(run, parts=parts) for run in runs] for parts in (False, True))
    send = [one[-1] != other[-1] for one, other in zip(alone, whole, strict=True)]
    gathering = any(send) and not all(send)
    return whole if gathering else alone, gathering


def _now(column: Column, step: int, counts: list[int], spoken: str) -> Now | None:
    """Return where a column is; None if it has no run."""
    if column.recorded is None:
        return None
    run = column.recorded.run
    return Now(step, counts[step], step == len(run.steps), told(column.recorded.card, spoken))


def _told(events: list[str], beat: int, last: int, spoken: str) -> str:
    """Return what has happened at a beat: see ``static/js/compare/bar.js``."""
    count = len(events)
    if beat == 0:
        return word("compare.begin", spoken)
    if beat > count:
        return word("compare.after", spoken, beat=beat - count, beats=last - count)
    return word("compare.event", spoken, event=beat, events=count) + word("step.colon", spoken) + events[beat - 1]


def _here(request: Request, **fields: object) -> str:
    """Return the address of this page with other fields; None removes one."""
    kept = [(name, value) for name, value in request.query_params.multi_items() if name not in fields]
    return written_url(
        request.url.path, kept + [(name, str(value)) for name, value in fields.items() if value is not None]
    )


def _rows(columns: list[Column], wanted: int, spoken: str) -> tuple[Row, ...]:
    """Return the rows of the table; ``wanted`` is how many starts there are in the author's run."""

    def of(counted: Callable[[Run], T]) -> list[T | None]:
        return [counted(each.run) if each.run else None for each in columns]

    begun = _begun(wanted, columns, spoken)
    return (
        *((begun,) if begun.differs else ()),
        *table(of(cost), spoken),
        *result_rows(of(ledger), spoken),
        *recovered(of(recovery_cost), spoken),
        *setbacks([each.run for each in columns], spoken),
    )


def starts(run: Run) -> int:
    """Return how many starts there are in a run."""
    return sum(1 for _ in run.steps_of(Start))


def _begun(wanted: int, columns: list[Column], spoken: str) -> Row:
    """Return the row of the starts in the author's run: how many each column made of them, and how many merged into one
    snapshot."""

    def cell(run: Run) -> tuple[Piece, ...]:
        made = starts(run)
        seen = run.history.recordings
        together = [(number, each.initiators) for number, each in sorted(seen.items()) if len(each.initiators) > 1]
        return (
            Piece(word("compare.starts", spoken, made=made, asked=max(wanted, made))),
            *(Piece(word("compare.together", spoken, processes=who), of=f"#{number}") for number, who in together),
        )

    return Row("starts", "cost", tuple(cell(each.run) if each.run else None for each in columns))


def _agreement(columns: list[Column], together: Beats | None) -> list[dict[str, object]]:
    """Return, for each column that interfered, how it differed from the run with the most events."""
    runs = [(each, each.run) for each in columns if each.run]
    found = []
    for each, run in runs:
        reference = runs[together.reference][1] if together else run
        apart = difference(run, reference)
        if not apart.same or run.missed:
            told = {"missed": run.missed, "kinds": _kinds(apart, run, reference), "order": apart.order}
            found.append({"column": each, "paused": pauses(run)[0], "full": run.full, **told})
    return found


def _kinds(apart: Difference, run: Run, reference: Run) -> list[dict[str, object]]:
    """Return the events that differ, by kind: how many, and the first of them as catalogue keys and fields."""
    told = (("missing", apart.missing, reference), ("extra", apart.extra, run), ("changed", apart.changed, run))
    return [
        {"kind": kind, "count": len(events), "events": [described(of, event) for event in events[:SHOWN]]}
        for kind, events, of in told
        if events
    ]


def _happened(columns: list[Column], together: Beats) -> list[tuple[str, dict[str, object]]]:
    """Return the application events of the beats, described."""
    reference = [each.run for each in columns if each.run][together.reference]
    found: list[tuple[str, dict[str, object]]] = []
    for moment in moments(reference):
        if moment.event:
            found.append(described(reference, moment.event))
        elif isinstance(moment.action, Crash):
            found.append(("action.crash", {"process": moment.action.process}))
        else:
            found.append(("compare.back-again", {}))
    return found


def _carried(
    columns: list[Column], at: list[int | None], together: Beats, beat: int, counts: list[list[int]], spoken: str
) -> Context:
    """Return what the script needs besides the scenes and the words; positions count the columns that run."""
    found = []
    for place, (each, index) in enumerate(zip(columns, at, strict=True)):
        if index is None or each.run is None:
            continue
        by_step, steps = counts[index], together.steps[index]
        links = {
            "events": each.address.url("run", "events", v=stamp(each.address.scenario)),
            "plan": plan_link(each.address),
            "run": each.address.link_to(),
        }
        shown = {"place": place, "steps": steps, "controls": [by_step[step] for step in steps]}
        found.append(shown | below(links))
    return {
        "language": spoken,
        "columns": found,
        "told": [word(key, spoken, **fields) for key, fields in _happened(columns, together)],
        "last": together.last,
        "beat": beat,
    }


def _form(ref: str, scenario: Scenario, columns: list[Column], wish: Wish) -> dict[str, object]:
    """Return the values of the GET form that asks for another comparison, with as many columns as possible."""
    rows = [(each.algorithm, each.discipline) for each in columns]
    return {
        "action": beside(ref, ()),
        "groups": offered(scenario),
        "disciplines": DISCIPLINES,
        "own": scenario.form.discipline,
        "rows": [*rows, *[("", "")] * (MOST - len(rows))],
        "seeded": any(scenario.draws(RunKey(each.algorithm)) for each in columns),
        "seed": scenario.seed(RunKey(seed=wish.seed)),
        "of": wish.of,
    }


def _by_hand(of: str, ref: str, scenario: Scenario) -> RunKey | None:
    """Return the key of the run by hand that is named by the query of a run; None if it is another run, or none."""
    try:
        query = Query.model_validate(dict(parse_qsl(of)))
        key = address(ref, scenario, query).key
    except (BluecutError, ValidationError):
        return None
    whole = [step for step, _ in key.choices] == [*range(len(key.choices))]
    return key if key.algorithm == HAND and key.manual and whole and not is_stale(query, scenario) else None


def _by_rule(scenario: Scenario, hand: RunKey) -> RunKey:
    """Return the key of the run in which the same is done, and the scenario's own algorithm takes the snapshot."""
    return LiveRun(scenario, (index for _, index in hand.choices)).as_it_should()


def setbacks(runs: Sequence[Run | None], language: str) -> tuple[Row, ...]:
    """Return how many events were lost, how many rollbacks that took, and how useful the checkpoints on disk were; none
    if no process has recovered, or what was lost is read again."""
    if not any(run and run.falls and not run.system.eager for run in runs):
        return ()

    def row(key: str, made: Callable[[Run], str]) -> Row:
        return Row(f"setback.{key}", "recovery", tuple(None if run is None else (Piece(made(run)),) for run in runs))

    return (
        row("lost", lambda run: str(sum(sum(fall.lost.values()) for fall in run.falls))),
        row("returns", lambda run: str(sum(fall.rollbacks for fall in run.falls))),
        row("useless", lambda run: JOIN[language].join(_unused(run, fall, language) for fall in run.falls) or "–"),
    )


def _unused(run: Run, fall: Fall, language: str) -> str:
    """Return the checkpoints that no line could use; if the whole system rolls back together, there are none of that
    kind."""
    if run.system.algorithm.KIND is not Kind.PRIVATE:
        return "–"
    names = [called(name, number) for name, numbers in fall.useless.items() for number in numbers]
    count = sum(fall.disk.values())
    return word("compare.useless", language, useless=len(names), count=count, checkpoints=names)
