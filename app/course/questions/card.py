"""What every kind of question needs: the shape of a kind, its words in both languages, and what is said of a run."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from random import Random
from typing import Any, Protocol, TypeAlias, TypeVar

from app.core.model.notes import Recorded, only
from app.core.oracle.history import Event, Recording
from app.course.misconception import beliefs
from app.course.phrases import arrow, both, plain, words_of
from app.course.question import Answer, Option, Question, parts, same
from app.course.reasons.parts import About, apart, single
from app.course.run_facts import Sent, sent
from app.run.run import Run
from app.scenario.format import Words
from app.wire.frames import sentences_of_step
from app.wire.run_url import Address
from app.words.catalogues import plain as unmarked
from app.words.catalogues import tell

T = TypeVar("T")

Subject: TypeAlias = tuple[Any, ...]
"""What one question is about, such as a snapshot and a process: numbers and texts."""

MOST_OPTIONS = 10
"""So many things are offered at most."""

LONGEST = 600
"""So many characters an option, or a value in a question, may have at most."""


class Kind(Protocol):
    """The shape of a kind of question: a module with these names. Its own name is that in addresses and catalogues."""

    LEVEL: int
    """How hard it is: 1, it is seen in the picture; 2, a rule is applied; 3, the run as a whole is judged."""

    def subjects(self, run: Run) -> Iterable[Subject]:
        """Return what it can ask about, each once, in an order that follows from the run."""

    ask: Callable[..., Question]
    """Returns the question about a run and the parts of one of its subjects."""


def card(
    kind: str,
    run: Run,
    step: int,
    answer: Answer,
    *,
    asks: Words,
    why: Words,
    shows: int,
    wrong: About,
    lacking: About | None = None,
    scene: Words | None = None,
    options: Iterable[Option] = (),
    tempting: Mapping[Answer, str] | None = None,
    figure: str = "stage",
    cut: Mapping[str, int] | None = None,
    orphans: tuple[str, ...] = (),
    state: Option | None = None,
) -> Question:
    """Return a question after a step, as yet without a name. ``wrong`` explains why another answer, or a part of
    one, is wrong, and ``lacking`` where to look for a part that was left out. Of the ``tempting`` answers, it keeps
    those that are wrong, can be given, and show a known misconception. ``orphans`` are all as right as the answer."""
    accepts = (lambda given: given in orphans) if orphans else None
    at = Address(run.scenario.name, run.scenario, run.key, step)
    bare = Question("", kind, run, at, asks, answer, tuple(options), {}, shows, why, None, False, figure, cut, accepts)
    offered = {one.value for one in bare.options}
    kept = {
        given: belief
        for given, belief in (tempting or {}).items()
        if belief in beliefs()
        and not same(bare, given, answer)
        and given not in orphans
        and (kind == "number" or all(part in offered for part in parts(given)))
    }
    explains = apart(bare, wrong, lacking) if lacking else single(wrong)
    return replace(bare, tempting=kept, scene=scene, explains=explains, state=state)


def placed(question: Question, name: str, address: Address) -> Question:
    """Return the question with its name, at its step of the run as ``address`` names it."""
    return replace(question, id=name, address=address.at(question.address.step))


def narrated(run: Run, step: int) -> Words:
    """Return the sentences of a step, in words, shortened if they are very long."""
    told = sentences_of_step(run, run.steps[step - 1])

    def sentence(language: str) -> str:
        text = unmarked(tell(told, language))
        return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"

    return words_of("quiz.step", step=step, said=both(sentence))


def complete(run: Run) -> Iterator[tuple[int, Recording]]:
    """Yield the snapshots in which every process has recorded and every channel is closed."""
    names = run.system.topology.names
    for number, seen in run.history.recordings.items():
        partial = seen.absent or seen.unusable or seen.aborted is not None
        if seen.completed is not None and not partial and len(seen.recorded) == len(names):
            yield number, seen


def records(run: Run) -> Iterator[tuple[int, Recorded]]:
    """Yield the steps in which exactly one process records, for one snapshot."""
    for step in run.steps:
        found = list(only(Recorded, step.notes))
        if len(found) == 1:
            yield step.number, found[0]


def events_of(run: Run, seen: Recording | None = None) -> dict[str, list[Event]]:
    """Return the events of each process, in the life in which a snapshot was taken if there is one."""
    found: dict[str, list[Event]] = {name: [] for name in run.system.topology.names}
    for event in ((seen and seen.life) or run.history).events:
        found[event.process].append(event)
    return found


def letter(run: Run, message: Sent) -> Option:
    """Return a message as an option: its content, and where and when it was sent."""
    send = run.history.sends.get(message.id)
    if send is None or send.channel is None:
        return Option(str(message.id), words_of("quiz.value", value=message))
    fields = {"message": message, "channel": arrow(send.channel), "step": send.step}
    return Option(str(message.id), words_of("quiz.message", **fields))


def letters(run: Run, messages: Iterable[Sent]) -> tuple[Option, ...]:
    """Return messages as options, each once, in the order in which they were sent."""
    once = {one.id: one for one in messages}
    return tuple(letter(run, once[key]) for key in sorted(once))


def app_messages(run: Run, step: int) -> dict[str, list[Sent]]:
    """Return the program's messages by channel after a step, in the scenario's order of channels."""
    flying = run.world(step).in_flight()
    return {channel: sent(run, flying[channel]) for channel in run.system.topology.channels if channel in flying}


def titled(run: Run, number: int) -> Words:
    """Return what a snapshot is called: in a dataflow it is a checkpoint."""
    return words_of("quiz.checkpoint" if run.system.program.EAGER else "quiz.snapshot", number=number)


def distinct(options: Iterable[Option]) -> bool:
    """Can people tell the options apart, and read them?"""
    texts = [one.text for one in options]
    short = all(len(one.en) <= LONGEST and len(one.zh) <= LONGEST for one in texts)
    return short and len({one.en for one in texts}) == len(texts) == len({one.zh for one in texts})


def ids(messages: Iterable[Sent]) -> tuple[str, ...]:
    """Return messages as parts of an answer, each once."""
    return tuple(dict.fromkeys(str(one.id) for one in messages))


def channels(names: Iterable[str]) -> tuple[Option, ...]:
    """Return channels as options."""
    return tuple(Option(name, plain(arrow(name))) for name in names)


def choices(name: str, *values: str) -> tuple[Option, ...]:
    """Return the options of a choice, with the words ``quiz.NAME.VALUE``."""
    return tuple(Option(one, words_of(f"quiz.{name}.{one}")) for one in values)


def shuffled(items: Iterable[T], rng: Random) -> list[T]:
    """Return the items in another order, the same on every machine."""
    left, found = list(items), []
    while left:
        found.append(left.pop(int(rng.random() * len(left))))
    return found
