"""What a snapshot will record in a channel: asked when both ends have recorded, and the channel is not closed."""

from collections.abc import Iterator

from app.core.model.recorded_state import channels, open_channels, part, parts
from app.core.oracle.history import Recording
from app.course.phrases import joined, words_of
from app.course.question import Answer, Question
from app.course.questions.card import MOST_OPTIONS, Subject, card, complete, distinct, ids, letters, narrated, titled
from app.course.reasons.cut import of_snapshot
from app.course.run_facts import Sent, sent
from app.run.run import Run

LEVEL = 2
MOST = 40
"""Only so many channels of a snapshot are asked about."""


def subjects(run: Run) -> Iterator[Subject]:
    """Yield the channels of each complete snapshot that the picture does not give away yet."""
    for number, seen in complete(run):
        found, crossing = _contents(run, number), _crossers(run, seen)
        holds = run.verdicts[number].checks["channels"] is not False
        known = [name for name in found if name in seen.closed]
        if holds:  # what the network lost, or made, crosses as well, and need not be recorded
            known = [name for name in known if sorted(ids(crossing.get(name, []))) == sorted(ids(found[name]))]
        for channel in sorted(known, key=lambda name: not found[name])[:MOST]:  # those with something in them first
            step, content = _moment(run, seen, channel), found[channel]
            options = letters(run, _offers(run, seen, channel, content))
            told_already = content and _logged(run, step, number, channel) == ids(content)
            if step and options and len(content) < MOST_OPTIONS and not told_already and distinct(options):
                yield number, channel


def _contents(run: Run, number: int) -> dict[str, list[Sent]]:
    """Return by channel what the snapshot recorded there. Channels that are not closed are left out."""
    recorded = parts(run.system, run.end, number)
    still = set(open_channels(recorded))
    return {name: sent(run, queue) for name, queue in channels(run.system, recorded).items() if name not in still}


def _crossers(run: Run, seen: Recording) -> dict[str, list[Sent]]:
    """Return by channel the messages that cross the cut."""
    history = seen.life or run.history
    return {name: sent(run, queue) for name, queue in history.crossing(seen.cut).items()}


def _moment(run: Run, seen: Recording, channel: str) -> int:
    """Return the step in which the question is asked: both ends have recorded; if the channel is closed by then, the
    step before it is."""
    ends = run.system.topology.channels[channel]
    both = max(seen.recorded[ends.source], seen.recorded[ends.target])
    return both if both < seen.closed[channel] else seen.closed[channel] - 1


def _logged(run: Run, step: int, number: int, channel: str) -> tuple[str, ...]:
    """Return what the receiver has recorded in the channel up to a step."""
    found = part(run.system, run.world(step), run.system.topology.channels[channel].target, number)
    return ids(sent(run, dict(found.channels).get(channel, ()))) if found else ()


def _waiting(run: Run, step: int, channel: str) -> list[Sent]:
    """Return the program's messages in the channel after a step."""
    return sent(run, run.world(step).queues.get(channel, ()))


def _offers(run: Run, seen: Recording, channel: str, content: list[Sent]) -> list[Sent]:
    """Return the messages to choose from: the content, what is in the channel, what was received last, and what is sent
    next."""
    step = _moment(run, seen, channel)
    found = [*content, *_waiting(run, step, channel), *_received(run, channel, step), *_later(run, channel, step)]
    return list({one.id: one for one in found}.values())[:MOST_OPTIONS]


def _received(run: Run, channel: str, step: int) -> list[Sent]:
    """Return the last messages that were received on the channel up to a step."""
    arrived = [e.message for e in run.history.receives.values() if e.channel == channel and e.step <= step]
    return sent(run, [message for message in arrived if message][-3:])


def _later(run: Run, channel: str, step: int) -> list[Sent]:
    """Return the first messages that are sent on the channel after a step."""
    sends = [e.message for e in run.history.sends.values() if e.channel == channel and e.step > step]
    return sent(run, [message for message in sends if message][:3])


def ask(run: Run, number: int, channel: str) -> Question:
    """What will be recorded there?"""
    seen, ends = run.history.recordings[number], run.system.topology.channels[channel]
    step = _moment(run, seen, channel)
    content = _contents(run, number)[channel]
    options = letters(run, _offers(run, seen, channel, content))
    coming = [*_waiting(run, step, channel), *content, *_later(run, channel, step)]
    early = ids(_waiting(run, seen.started - 1, channel))
    tempting: dict[Answer, str] = {ids(coming): "M4"}
    if started := tuple(one for one in ids(content) if one in early):
        tempting[started] = "M5"
    crossing = _crossers(run, seen).get(channel, [])
    kept = sorted(ids(crossing)) == sorted(ids(content))
    mover = next((name for name in (ends.target, ends.source) if seen.recorded[name] == step + 1), "")
    moving, cut = ".next" if mover else "", of_snapshot(run, number)
    fields = {
        "channel": channel,
        "source": ends.source,
        "target": ends.target,
        "process": mover,
        "snapshot": titled(run, number),
        "messages": content,
        "crossing": crossing,
        "sent": seen.recorded[ends.source],
        "received": seen.recorded[ends.target],
    }
    why = words_of(("quiz.content.why" if content else "quiz.content.none") if kept else "quiz.content.wrong", **fields)
    return card(
        "set",
        run,
        step,
        ids(content),
        asks=words_of(f"quiz.content.asks{moving}", **fields),
        options=options,
        tempting=tempting,
        wrong=cut.no_member,
        lacking=cut.member,
        why=joined(why, narrated(run, seen.closed[channel])),
        shows=seen.closed[channel],
    )
