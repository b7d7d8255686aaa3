"""How many markers a snapshot takes."""

from collections.abc import Iterator

from app.course.facts import Snapshot
from app.course.generated.card import Subject, card, complete, titled, told
from app.course.question import Answer, Question
from app.simulator.run import Run
from app.view.address import Address

NAME = "markers"


def subjects(run: Run) -> Iterator[Subject]:
    """The complete snapshots."""
    if len(run.system.topology.channels) > 1:
        for number, _ in complete(run):
            yield (number,)


def ask(run: Run, address: Address, subject: Subject) -> Question:
    """How many are sent in all?"""
    (number,) = subject
    seen, graph = run.history.recordings[number], run.system.topology
    count = Snapshot(run, number).markers
    n, edges = len(graph.names), len(graph.channels)
    tempting: dict[Answer, str] = {str(n * (n - 1)): "M7", str(n - 1): "M6"}
    word = ".barriers" if run.system.algorithm.COORDINATED else ""
    each = all(seen.markers.get(channel) == 1 for channel in graph.channels)
    reason = "each" if each else "none" if not count else "other"
    fields = {"snapshot": titled(run, number), "count": count, "channels": edges, "processes": n}
    return card(
        NAME,
        "number",
        run,
        address,
        seen.started - 1,
        str(count),
        asks=told(f"quiz.markers.asks{word}", **fields),
        tempting=tempting,
        why=told(f"quiz.markers.{reason}{word}", others=seen.controls, **fields),
        shows=seen.completed or seen.started,
    )
