"""What a deferred step is about, and what a move does: small values in place of words taken apart.

Their ``repr`` is that of their plain form, because the digest of a run is made of it and must never change.
"""

from enum import Enum
from typing import TypeAlias

from app.core.model.value import Value


class Todo(Value):
    """A step that a process has deferred, or that another one has asked it for: a word that only its algorithm
    understands, and what it is about. ``numbers`` begin with that of the snapshot where there is one; ``name`` is a
    process or a channel, ``item`` the id of an item. Its text is what links, files and scripts write."""

    word: str
    numbers: tuple[int, ...] = ()
    name: str = ""
    item: str = ""

    @property
    def number(self) -> int:
        """Return the first number."""
        return self.numbers[0]

    @property
    def about(self) -> str:
        """Return the text without the word."""
        thing = f"{self.name}:{self.item}" if self.name and self.item else self.name or self.item
        return " ".join((*((thing,) if thing else ()), *map(str, self.numbers)))

    def __str__(self) -> str:
        return f"{self.word} {self.about}".rstrip()

    def __repr__(self) -> str:
        return repr(str(self))


class Deed(Enum):
    """What a process of a dataflow does in a move without a channel; ``VOID`` alone has one."""

    READ = "read"
    """A source reads its next item."""
    OUT = "out"
    """Something leaves the system."""
    SEAL = "seal"
    """What is going to leave is prepared."""
    COMMIT = "commit"
    """What was prepared is released."""
    EXPIRE = "expire"
    """The world outside discards what was prepared."""
    LOG = "log"
    """A coordinator writes to a log; the payload is what ``Logs.written`` takes."""
    WRITE = "write"
    """A sink writes the batch that it has gathered."""
    VOID = "void"
    """The channel leads to a process that is gone: the message goes nowhere."""

    def __repr__(self) -> str:
        return repr(self.value)


class Into(Value):
    """A move leads its program into ``state``: the text of a scripted state, or the name of a machine's."""

    state: str

    def __repr__(self) -> str:
        return repr(self.state)


class Sets(Value):
    """A move gives variables new values."""

    pairs: tuple[tuple[str, object], ...]

    def __repr__(self) -> str:
        return repr(self.pairs)


Detail: TypeAlias = Deed | Into | Sets
