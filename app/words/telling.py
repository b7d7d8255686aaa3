"""A step that is to be told in sentences, and what its notes say by themselves."""

from collections.abc import Callable, Iterable, Iterator
from functools import singledispatch
from typing import Any

from app.core.model.notes import N, Note, Rule, Sent, only
from app.core.model.value import Frozen
from app.core.model.values import CONTROL, END, MARKER, Action, Message
from app.words.sentence_fields import FIELDS, Sentence, control, sign


class Ending(Frozen):
    """The status of a snapshot after a step. ``lacking``: the processes whose parts are missing for good; ``absent``:
    those that take no part, or are gone; ``watched``: is any channel recorded, or is there none? ``parts``: the
    processes that have recorded; ``faults``: what the oracle finds wrong."""

    complete: bool
    lacking: tuple[str, ...]
    absent: tuple[str, ...]
    watched: bool
    parts: tuple[str, ...]
    faults: tuple[Sentence, ...]


class Telling(Frozen):
    """A step: its action and its notes, the ``facts``.

    ``show`` and ``view`` make payloads and states readable; ``logged(snapshot, channel)`` gives what a channel has
    recorded so far, ``ending(snapshot)`` the status of the snapshot after the step; ``overwrites(process)`` says
    whether its outputs replace earlier ones with the same names; ``photographs`` says that the algorithm has no
    markers, ``barriers`` that its markers are those of a dataflow, ``private`` that every process saves independently.
    """

    action: Action
    facts: tuple[Note, ...]
    show: Callable[[Any], Any]
    view: Callable[[Any], Any]
    logged: Callable[[int, str], list[Any]]
    ending: Callable[[int], Ending]
    overwrites: Callable[[str], bool]
    photographs: bool
    barriers: bool
    private: bool

    def of(self, kind: type[N]) -> Iterator[N]:
        """Yield the notes of one kind."""
        return only(kind, self.facts)

    def first(self, kind: type[N]) -> N | None:
        """Return the first note of one kind."""
        return next(self.of(kind), None)

    def has(self, *kinds: type[Note]) -> bool:
        """Is there a note of one of these kinds?"""
        return any(isinstance(note, kinds) for note in self.facts)

    def posted(self, kind: str) -> bool:
        """Is a message of this kind sent?"""
        return any(note.message.kind == kind for note in self.of(Sent))

    def executed(self) -> tuple[str, ...]:
        """Return the lines of the pseudocode that the step executes."""
        return tuple(line for note in self.of(Rule) for line in note.lines)

    def shown(self, payload: object) -> Any:
        """Return a payload for sentences, in which the end of a stream is a word rather than the content of an item."""
        return control(str(END)) if payload is END else self.show(payload)

    def named(self, message: Message) -> Any:
        """Return the name of a message."""
        if message.kind == MARKER:
            return sign(message.snapshot, self.barriers)
        return control(message.payload) if message.kind == CONTROL else self.shown(message.payload)

    def sentence(self, key: str, note: object) -> Sentence:
        """Return a sentence whose values are fields of a note."""
        return Sentence(key, tuple(self._value(note, name) for name in FIELDS[key]))

    def _value(self, note: Any, name: str) -> Any:
        """Return what a sentence says of a field: of a message its name, of a state what people see."""
        match name:
            case "message":
                return self.named(note.message)
            case "messages":
                return [self.named(message) for message in note.messages]
            case "state":
                return self.view(note.state)
            case "word":
                return control(note.what.word)
        value = getattr(note, name)
        return list(value) if isinstance(value, tuple) else value


@singledispatch
def noted(note: Note, told: Telling) -> Iterable[Sentence]:
    """Yield the sentences of a note besides those of the action: if nothing else is registered, the one of its key, if
    there is one."""
    if note.key in FIELDS:
        yield told.sentence(note.key, note)
