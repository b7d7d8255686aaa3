"""Who records when, and which channels are being recorded."""

from app.core.kernel.enabled import obstacle
from app.core.model.notes import Opened, Recorded
from app.core.model.values import MARKER
from app.course.phrases import words_of
from app.course.question import Question
from app.run.run import Run
from app.scenario.format import Words


def recorder(run: Run, number: int, step: int, process: str) -> Words:
    """Explain why a process does not record for a snapshot in the step after ``step``."""
    seen = run.history.recordings[number]
    at = seen.recorded.get(process)
    if at is not None and at <= step:
        return words_of("wrong.process.already", process=process, step=at)
    world, graph = run.world(step), run.system.topology
    for channel in graph.processes[process].inputs:
        for place, message in enumerate(world.queues.get(channel, ())):
            if message.kind == MARKER and message.snapshot == number:
                fields = {"process": process, "channel": channel, "marker": marker(run)}
                if reason := obstacle(run.system, world, channel, place):
                    return words_of("wrong.process.held", reason=words_of(f"reason.{reason}"), **fields)
                return words_of("wrong.process.coming", **fields)
    cause = _first_marker(run, number, process)
    if cause is not None and seen.markers.get(cause) and seen.recorded.get(graph.channels[cause].source, 0) > step:
        source = graph.channels[cause].source
        return words_of("wrong.process.unsent", process=process, channel=cause, source=source, marker=marker(run))
    return words_of("wrong.process.nothing", process=process)


def _first_marker(run: Run, number: int, process: str) -> str | None:
    """Return the channel of the marker that makes a process record, if there is one."""
    notes = (note for _, note in run.told(Recorded))
    return next((note.channel for note in notes if (note.snapshot, note.process) == (number, process)), None)


def process(question: Question, number: int, given: str) -> Words:
    """Explain why this process is not the one that a question about a snapshot asks for."""
    run, step = question.run, question.address.step
    seen = run.history.recordings[number]
    if question.answer in seen.unreachable and given in seen.recorded:
        starters = list(seen.initiators)
        if given in starters:
            return words_of("wrong.process.starter", process=given)
        return words_of("wrong.process.reached", process=given, step=seen.recorded[given], starters=starters)
    if given in seen.unreachable:
        return words_of("wrong.process.unreached", process=given)
    return recorder(run, number, step, given)


def channel(run: Run, number: int, step: int, name: str) -> Words:
    """Explain why a channel is or is not recorded for a snapshot after ``step``."""
    seen, target = run.history.recordings[number], run.system.topology.channels[name].target
    at, closed = seen.recorded.get(target), seen.closed.get(name)
    fields = {"channel": name, "target": target, "step": closed, "marker": marker(run)}
    if closed is not None and closed <= step:
        return words_of("wrong.channel.first" if closed == at else "wrong.channel.closed", **fields)
    if at is None or at > step:
        return words_of("wrong.channel.early", **fields)
    opened = any((note.snapshot, note.channel) == (number, name) for _, note in run.told(Opened, step))
    return words_of("wrong.channel.open" if opened else "wrong.channel.never", **fields)


def channel_missing(run: Run, name: str) -> Words:
    """Say where to look for a channel that was left out."""
    return words_of("wrong.channel.missing", target=run.system.topology.channels[name].target, marker=marker(run))


def marker(run: Run) -> Words:
    """Return what a marker is called in the run: in a dataflow it is a barrier."""
    return words_of("wrong.barrier" if run.system.algorithm.COORDINATED else "wrong.marker")
