"""Frames: a run as the browser receives it. One scene, then one small change per step, then the end.

The browser folds the changes into scenes and keeps them all. No frame contains text in a particular language.

Scene
-----
``checks``      what is asked of each snapshot, by the names of ``app.core.oracle.checks.CHECKS``
``run``         scenario, algorithm, discipline, seed, choices, drain, digest, engine, own, steps (how many)
``orders``      {channel: order} of the channels that do not deliver in the order of ``run.discipline``
``processes``   [{name, x, y, state}], x and y in 0..1
``channels``    ["P1->P2", …] in the scenario's order
``layers``      is the graph drawn in layers, from left to right? ``back`` then names the channels that lead back, the
                back-edges of a depth-first search; otherwise it is empty
``pseudocode``  [[line, depth], …]; ``wrong`` names the wrong line of a broken variant, or is null
``total``       what the program conserves, by quantity, or null: what a snapshot should add up to
``first``       the id of the first snapshot; ``most`` snapshots per run
``colours``     do messages carry the number of the last snapshot that the sender had recorded?
``private``     does a start save one process only, so that it is not a snapshot?
``newcomers``   {process: parent}: processes that are not members yet, and those that will bring them in
``root``        the only process that may start snapshots, or null if all may
``roles``       of a dataflow, {process: {role, …}}: see ``app.wire.dataflow_roles``; ``capacity`` {channel: most
                messages}
``captions``    {step: {en, zh}}: the author's words
``predict``     {step: kind}: what the author asks there, see ``static/js/run/predict.js``; left out without questions
``phases``      {snapshot: [[name, first step, last step, how it ends], …]}: see ``app.analysis.phases``
``membership``  {snapshot: [[process, event, step, [[step, where it stands], …]], …]}: see
                ``app.analysis.membership_log``

Step (the event's id is the step's number, from 1)
--------------------------------------------------
``a``  the action as text: ``start P1``, ``send P1->P2 5``, ``change P1 …``, ``deliver P1->P2``, ``deliver P1->P2 2``
       (the position), ``collect P1->P2``, ``wake P1 markers 1``; faults: ``drop P1->P2 2``, ``duplicate P1->P2``,
       ``overtake P1->P2 1``, ``partition P1->P2``, ``heal P1->P2``, ``crash P1``, ``join P3``, ``leave P3``,
       ``abandon 1``, ``forget P1 ack 3``, ``restore 1``, ``restart P1``; of a dataflow: ``read s1``, ``output out 5``
``n``  the notes: [key, …]; see ``app.wire.note_codec.NOTES`` for what follows the key
``s``  the sentences: [[key, value, …], …]; the names of the values are in ``app.words.sentence_fields.FIELDS``
``t``  the virtual time of the step, in ticks; only if the schedule is timed

End
---
``full`` (stopped at the limit), ``undisturbed`` (I6), ``stable`` ({snapshot: {before, recorded, after}}), ``astray``
([step, snapshot] of the first rollback to a wrong snapshot: I6 is judged up to there), ``card`` (the last word: see
``app.wire.end_card``)
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from app.algorithms.registry import DESCRIPTIONS
from app.analysis.membership_log import membership
from app.analysis.phases import phases
from app.core.model import recorded_state
from app.core.model.algorithm import Kind
from app.core.model.values import Json
from app.core.oracle import checks
from app.run.barrier_deadlock import Deadlock, deadlock
from app.run.run import Run, Step
from app.scenario.run_key import ENGINE, written
from app.wire.action_text import text
from app.wire.dataflow_roles import roles
from app.wire.dedup_state import dedup_notes
from app.wire.end_card import EndCard, end_card
from app.wire.note_codec import NoteCodec
from app.wire.recovery_line_notes import fallen
from app.words.fault_sentences import fault_sentences
from app.words.sentence_fields import Sentence
from app.words.step_sentences import ordinary, sentences
from app.words.telling import Ending, Telling


def scene(run: Run) -> Json:
    """Return everything that exists before the first step."""
    system, scenario, key = run.system, run.scenario, run.key
    layout = system.topology.layout
    return {
        "checks": list(checks.CHECKS),
        "run": {
            "scenario": scenario.name,
            "algorithm": system.algorithm.NAME,
            "discipline": system.discipline,
            "seed": scenario.seed(key),
            "choices": written(key.choices),
            "drain": key.drain,
            "digest": scenario.digest,
            "engine": ENGINE,
            "own": scenario.own(key),
            "steps": len(run.steps),
        },
        "processes": [
            {
                "name": name,
                "x": round(layout[name][0], 4),
                "y": round(layout[name][1], 4),
                "state": system.program.view(run.begin.states[name]),
            }
            for name in system.topology.names
        ],
        "channels": list(system.topology.channels),
        "orders": dict(system.exceptions),
        "layers": system.topology.layers,
        "back": list(system.topology.back_edges) if system.topology.layers else [],
        "pseudocode": [list(line) for line in system.algorithm.PSEUDOCODE],
        "wrong": system.algorithm.WRONG,
        "total": _total(run),
        "first": system.first,
        "most": system.most if system.algorithm.KIND is not Kind.ITEMS else 0,
        "colours": DESCRIPTIONS[system.algorithm.NAME].colours,
        "private": system.algorithm.KIND is Kind.PRIVATE,
        "newcomers": dict(system.newcomers),
        "root": system.topology.root if system.algorithm.COORDINATED else None,
        "roles": roles(system),
        "capacity": dict(system.capacity),
        "captions": {
            step.number: {"en": words.en, "zh": words.zh} for step in run.steps if (words := run.caption(step.number))
        },
        **(
            {"predict": asked}
            if (asked := {step.number: kind for step in run.steps if (kind := run.question(step.number))})
            else {}
        ),
        "phases": {
            number: [[phase.name, phase.first, phase.last, phase.end] for phase in found]
            for number, found in phases(run).items()
        },
        "membership": {
            number: [[each.process, each.event, each.step, [*map(list, each.standings)]] for each in found]
            for number, found in membership(run).items()
        },
    }


def _total(run: Run) -> Json:
    """Return what there is of each conserved quantity at the beginning; None where nothing is conserved, or where
    processes join that bring more."""
    program, processes = run.system.program, run.system.topology.processes
    if run.system.newcomers:
        return None
    found: Counter[str] = Counter()
    for process in processes.values():
        amounts = program.amounts(program.start(process))
        if amounts is None:
            return None
        found.update(amounts)
    return found[""] if set(found) == {""} else dict(found)


def frames(run: Run) -> Iterator[Json]:
    """Yield one change per step, in order."""
    observed, show, last = _observed(run), run.system.program.show, len(run.steps)
    codec = NoteCodec(run.system.program, run.begin)
    repeats = run.system.algorithm.RECOVERY.repeats
    for step in run.steps:
        notes = codec.encoded(step.notes)
        if step.number in observed:
            notes += observed[step.number]
        if repeats:
            notes += dedup_notes(run, step)
        if step.number == last:
            notes += [found.note() for found in _deadlocks(run)]
        said = [[s.key, *s.values] for s in sentences_of_step(run, step)]
        frame: Json = {"a": text(step.action, show), "n": notes, "s": said}
        if step.at is not None:
            frame["t"] = step.at
        yield frame


def sentences_of_step(run: Run, step: Step) -> tuple[Sentence, ...]:
    """Return the sentences of a step."""
    said = ordinary(step.action, step.notes, run.system.program.show) or sentences(telling(run, step))
    return (
        said if step.number < len(run.steps) else (*said, *(Sentence("deadlock", one.told) for one in _deadlocks(run)))
    )


def telling(run: Run, step: Step) -> Telling:
    """Return a step as sentences tell it."""
    program = run.system.program

    def logged(snapshot: int, channel: str) -> list[object]:
        target = run.system.topology.channels[channel].target
        process = run.system.topology.processes[target]
        part = run.system.algorithm.result(process, run.world(step.number).memories[target], snapshot)
        messages = dict(part.channels)[channel] if part else ()
        return [program.show(m.payload) for m in messages]

    def view(state: object) -> Any:
        shown = program.view(state)
        return None if shown == "" else shown  # a sentence must not end with an empty value

    eager, processes = run.system.eager, run.system.topology.processes
    return Telling(
        step.action,
        step.notes,
        show=program.show,
        view=view,
        logged=logged,
        ending=lambda snapshot: _ending(run, step, snapshot),
        overwrites=lambda name: eager is not None and eager.overwrites(processes[name]),
        photographs=run.system.algorithm.KIND.alone,
        barriers=run.system.algorithm.COORDINATED,
        private=run.system.algorithm.KIND is Kind.PRIVATE,
    )


def _deadlocks(run: Run) -> Iterator[Deadlock]:
    """Return the circles in which the snapshots still running at the end are stuck."""
    for number in sorted(run.end.snapshots):
        if (found := deadlock(run.system, run.end, number)) is not None:
            yield found


def _ending(run: Run, step: Step, snapshot: int) -> Ending:
    topology, world = run.system.topology, run.world(step.number)
    progress = world.snapshots[snapshot]
    closed = run.history.recordings[snapshot].closed
    away = (*progress.absent, *progress.unusable)
    between = [name for name, c in topology.channels.items() if c.source not in away and c.target not in away]
    return Ending(
        complete=progress.waiting == 0 and not progress.aborted,
        lacking=progress.unusable,
        absent=tuple(dict.fromkeys((*progress.absent, *world.gone))),
        watched=not between or any(closed.get(name, step.number + 1) <= step.number for name in between),
        parts=tuple(recorded_state.parts(run.system, world, snapshot)),
        faults=fault_sentences(run.verdicts[snapshot].failures(step.number)),
    )


def _observed(run: Run) -> dict[int, list[list[Json]]]:
    """Return what an observer says, as notes by the step after which it holds: the oracle's decisions, and where the
    processes stand that roll back."""
    found: dict[int, list[list[Json]]] = {}
    for number, verdict in run.verdicts.items():
        for check in checks.CHECKS:
            if check in verdict.since:
                note = ["judged", number, check, verdict.checks[check]]
                if check in verdict.witnesses:
                    note.append(verdict.witnesses[check])
                found.setdefault(verdict.since[check], []).append(note)
    for step, notes in fallen(run).items():
        found.setdefault(step, []).extend(notes)
    return found


def end(run: Run, card: EndCard | None = None) -> Json:
    """Return what is known at the end of the run; ``card`` if it is known already."""
    stable = {number: told for number in run.verdicts if (told := run.stable(number)) is not None}
    stuck = {found.snapshot: found.as_json(run.system) for found in _deadlocks(run)}
    known = {"full": run.full, "undisturbed": run.undisturbed, "stable": stable, "deadlock": stuck}
    known["card"] = (card or end_card(run)).as_json()
    return known | ({"astray": [run.astray.step, run.astray.snapshot]} if run.astray else {})
