"""How many markers a snapshot takes."""

from collections.abc import Iterator

from app.course.phrases import words_of
from app.course.question import Answer, Question
from app.course.questions.card import Subject, card, complete, titled
from app.course.reasons.number import number
from app.course.reasons.recording import marker
from app.course.run_facts import Snapshot
from app.run.run import Run
from app.scenario.format import Words

LEVEL = 2


def subjects(run: Run) -> Iterator[Subject]:
    """Yield the complete snapshots."""
    if len(run.system.topology.channels) > 1:
        for number, _ in complete(run):
            yield (number,)


def _miscounted(run: Run, given: int, count: int) -> Words:
    """Explain a wrong count by what there are that many of: processes, other processes, channels, or pairs of
    processes."""
    n, edges = len(run.system.topology.names), len(run.system.topology.channels)
    known = {n * (n - 1): "pairs", 2 * edges: "twice", n - 1: "others", n: "processes", edges: "channels"}
    if given not in known or given == 0:
        return number(given, count)
    return words_of(f"wrong.markers.{known[given]}", given=given, channels=edges, processes=n, marker=marker(run))


def ask(run: Run, snapshot: int) -> Question:
    """How many are sent in all?"""
    seen, graph = run.history.recordings[snapshot], run.system.topology
    count = Snapshot(run, snapshot).markers
    n, edges = len(graph.names), len(graph.channels)
    tempting: dict[Answer, str] = {str(n * (n - 1)): "M7", str(n - 1): "M6"}
    each = all(seen.markers.get(channel) == 1 for channel in graph.channels)
    reason = "each" if each else "none" if not count else "other"
    fields = {
        "snapshot": titled(run, snapshot),
        "count": count,
        "channels": edges,
        "processes": n,
        "marker": marker(run),
    }
    return card(
        "number",
        run,
        seen.started - 1,
        str(count),
        scene=words_of("quiz.markers.scene", **fields),
        asks=words_of("quiz.markers.asks", **fields),
        tempting=tempting,
        wrong=lambda given: _miscounted(run, int(given), count),
        why=words_of(f"quiz.markers.{reason}", others=seen.controls, **fields),
        shows=seen.completed or seen.started,
    )
