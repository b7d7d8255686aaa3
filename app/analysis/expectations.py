"""A run compared with what its scenario expects: each difference as one sentence.

What ``expect`` does not give is not compared, with one exception: no check may be false unless ``expect`` says so.
"""

import json
from collections.abc import Iterable, Iterator
from itertools import chain

from pydantic import BaseModel

from app.analysis.checkpoint_sizes import WAYS, stores
from app.analysis.checkpoint_sizes import summary as weighed
from app.analysis.ledger import ledger, summary
from app.analysis.recovery_cost import recovery_cost
from app.analysis.recovery_cost import summary as paid
from app.core.model.program import conserved
from app.core.model.recorded_state import channels, parts
from app.core.model.values import Json
from app.core.oracle.checks import CHECKS
from app.run.explore import Exploration
from app.run.recovery_line import useless
from app.run.run import Run, final, snapshot
from app.scenario.expected_fields import (
    FinalForm,
    LedgerForm,
    LineForm,
    RecoveryForm,
    SnapshotForm,
    WayForm,
    WrittenForm,
)
from app.scenario.format import ExploreForm, OutcomeForm
from app.scenario.scenario import Scenario


def mismatches(run: Run) -> list[str]:
    """Return where the run differs from its scenario's ``expect``; for a run that the author did not write, only all
    checks must hold."""
    form = run.scenario.form.expect if run.scenario.own(run.key) else None
    told = {number: snapshot(run, number) for number in run.verdicts}
    found: list[str] = []
    if form is None or form.snapshots is None:
        for number in told:
            found += _compare_snapshot(run, told[number], SnapshotForm())
    else:
        found += _compare_snapshots(run, told, form.snapshots)
    if form is not None and form.steps is not None:
        found += _differs("steps", form.steps, len(run.steps))
    if form is not None and form.final is not None:
        found += _compare_final(form.final, final(run.system, run.end))
    if form is not None and form.ledger is not None and (book := ledger(run)) is not None:
        found += _compare_ledger(form.ledger, summary(book))
    if form is not None and form.recovery is not None and (cost := recovery_cost(run)) is not None:
        found += _compare(form.recovery, RecoveryForm.model_fields, paid(cost), "recovery: ")
    if form is not None and form.files is not None:
        written = stores(run)
        found += _compare_files(form.files, {} if written is None else weighed(written))
    if form is not None and form.line is not None:
        found += _compare_line(run, form.line)
    found += [f"line: the processes did not end on it: {plain(fall.line)}" for fall in run.falls if fall.exact is False]
    found += _differs("undisturbed", form is None or form.undisturbed, run.undisturbed)
    return [f"{run.scenario.name}: {sentence}" for sentence in found]


def _differs(field: str, expected: Json, got: Json) -> Iterator[str]:
    """Yield the sentence about one field, where it differs."""
    if not same(expected, got):
        yield f"{field}: expected {plain(expected)}, got {plain(got)}"


def _compare(form: BaseModel, fields: Iterable[str], got: Json, prefix: str = "") -> Iterator[str]:
    """Yield a sentence about each of these fields that a form gives, where it differs."""
    for field in fields:
        if (expected := getattr(form, field)) is not None:
            yield from _differs(f"{prefix}{field}", expected, got[field])


def same(a: Json, b: Json) -> bool:
    """Are the values the same? Unlike for ``==``, true is not 1."""
    match a, b:
        case dict(), dict():
            return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
        case ((list() | tuple()), (list() | tuple())):
            return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b, strict=True))
    return isinstance(a, bool) == isinstance(b, bool) and bool(a == b)


def plain(value: Json) -> str:
    """Return a value inside a sentence."""
    match value:
        case None | True | False:
            return json.dumps(value)
        case dict():
            return "{" + ", ".join(f"{key}: {plain(item)}" for key, item in value.items()) + "}"
        case list() | tuple():
            return "[" + ", ".join(map(plain, value)) + "]"
    return str(value)


def _compare_snapshots(run: Run, told: dict[int, Json], forms: Iterable[SnapshotForm]) -> Iterator[str]:
    """Compare all snapshots of the run, which must be listed; one without an id is the next of the run's."""
    left = dict(told)
    for place, form in enumerate(forms):
        number = form.id if form.id is not None else next(iter(left), None)
        got = left.pop(number, None) if number is not None else None
        if got is None:
            name = f"snapshot {form.id}" if form.id is not None else f"snapshots[{place}]"
            yield f"{name}: expected, but the run has none; it has {plain(list(told))}"
        else:
            yield from _compare_snapshot(run, got, form)
    for number in left:
        yield f"snapshot {number}: the run has it, but snapshots does not list it"


def _compare_snapshot(run: Run, told: Json, form: SnapshotForm) -> list[str]:
    plain_fields = ("initiators", "complete", "aborted", "markers", "controls", "absent", "unusable")
    found = list(_compare(form, plain_fields, told))
    for field in ("processes", "channels"):
        for name, expected in (getattr(form, field) or {}).items():
            got = told[field].get(name, "nothing recorded" if field == "processes" else "not closed")
            found += _differs(f"{field}.{name}", expected, got)
    for check in CHECKS:
        got, named = told["checks"][check], form.checks is not None and check in form.checks.model_fields_set
        if named:
            found += _differs(f"checks.{check}", getattr(form.checks, check), got)
        elif got is False:
            found.append(f"checks.{check}: got false: {plain(told['witnesses'][check])}")
    unfinished = told["witnesses"].get("complete", {"unreachable": [], "open": []})
    found += _compare(form, ("unreachable", "open"), unfinished)
    if form.stable is not None:
        found += _differs("stable", form.stable.model_dump(), told.get("stable"))
    if "total" in form.model_fields_set:
        found += _differs("total", form.total, total(run, told["id"]))
    return [f"snapshot {told['id']}: {sentence}" for sentence in found]


def total(run: Run, number: int) -> Json:
    """Return the total of what the program conserves in all processes and channels of a snapshot: a number, or a
    mapping where there are several quantities."""
    recorded = parts(run.system, run.end, number)
    logged = chain.from_iterable(channels(run.system, recorded).values())
    amounts = conserved(run.system.program, (part.state for part in recorded.values()), logged)
    return next(iter(amounts.values())) if len(amounts) == 1 else dict(amounts)


def _compare_final(form: FinalForm, got: Json) -> Iterator[str]:
    for field in ("processes", "channels", "outside"):
        for name, expected in (getattr(form, field) or {}).items():
            yield from _differs(f"final: {field}.{name}", expected, got.get(field, {}).get(name))


def _compare_ledger(form: LedgerForm, got: Json) -> Iterator[str]:
    for field in LedgerForm.model_fields:
        expected = getattr(form, field)
        if isinstance(expected, dict):
            for name, count in expected.items():
                yield from _differs(f"ledger: {field}.{name}", count, got[field].get(name))
        elif expected is not None:
            yield from _differs(f"ledger: {field}", expected, got[field])


def _compare_files(form: WrittenForm, got: Json) -> Iterator[str]:
    for way in WAYS:
        part, told = getattr(form, way) or WayForm(), got.get(way)
        if told is None:
            yield f"files: {way}: expected, but no checkpoint of this run is written"
            continue
        told = told | {"wasted": told["wasted"]["files"], "reads": [one["files"] for one in told["reads"].values()]}
        yield from _compare(part, WayForm.model_fields, told, f"files: {way}.")


def _compare_line(run: Run, form: LineForm) -> Iterator[str]:
    """Compare the outcome of the last crash."""
    last = run.falls[-1] if run.falls else None
    named = last.useless if last else useless(run.history)
    yield from _compare(form, ("useless",), {"useless": named}, "line: ")
    for name, place in (form.places or {}).items():
        yield from _differs(f"line: places.{name}", place, last.places.get(name) if last else "no crash")
    done = {"rollbacks": last.rollbacks if last else 0, "lost": sum(last.lost.values()) if last else 0}
    yield from _compare(form, done, done, "line: ")


# --- explorations ------------------------------------------------------------------------------------------------


def unexplained(scenario: Scenario, found: Exploration) -> list[str]:
    """Return where an exploration differs from the scenario's ``explore`` block.

    ``outcomes`` are compared as a set. A check must have a counter-example where ``breaks`` names it, and no other may
    have one.
    """
    form = scenario.form.explore or ExploreForm()
    sentences: list[str] = []
    if form.states is not None:
        sentences += _differs("states", form.states, found.states)
    if form.outcomes is not None:
        expected = [outcome(scenario, o) for o in form.outcomes]
        got: list[object] = [{"processes": o.processes, "channels": o.channels} for o in found.outcomes]
        sentences += [f"outcomes: not possible: {plain(o)}" for o in expected if not any(same(o, g) for g in got)]
        sentences += [f"outcomes: not listed: {plain(g)}" for g in got if not any(same(o, g) for o in expected)]
    for check in CHECKS:
        broken = check in found.counterexamples
        if broken != (check in (form.breaks or ())):
            sentences.append(f"breaks: {check}: " + ("has a counter-example" if broken else "has no counter-example"))
    if found.bounded:
        sentences.append(f"stopped at its bound of {found.states} states; nothing is proved")
    return [f"{scenario.name}: explore: {sentence}" for sentence in sentences]


def outcome(scenario: Scenario, form: OutcomeForm) -> Json:
    """Return an expected outcome in full: channels that are not given are empty."""
    return {
        "processes": form.processes,
        "channels": {c: form.channels.get(c, []) for c in scenario.topology.channels},
    }
