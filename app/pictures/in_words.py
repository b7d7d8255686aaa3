"""What the descriptions of pictures in words have in common, for those who do not see them."""

from app.core.model.system import System
from app.core.model.value import Frozen
from app.core.model.values import CONTROL, MARKER, PART, WORD, Message
from app.words.catalogues import readable, word
from app.words.sentence_fields import control


class Described(Frozen):
    """A part of a picture, by its ``name``, and what is told of it; ``line``: it is the line of a process, so each of
    ``parts`` stands on its own."""

    name: str
    parts: tuple[str, ...]
    line: bool = False


def message_name(system: System, message: Message, language: str) -> str:
    """Return what a message is called where no sign of it is seen."""
    if message.kind == MARKER:
        key = "drawn.barrier" if system.algorithm.COORDINATED else "drawn.marker"
        return word(key, language, snapshot=message.snapshot or "").strip()
    if message.kind == CONTROL:
        return readable(control(message.payload), language)
    if message.kind == WORD:
        return readable(control(message.payload[2]), language)
    if message.kind == PART:
        return word("drawn.part", language, process=message.payload)
    return readable(system.program.show(message.payload), language)
