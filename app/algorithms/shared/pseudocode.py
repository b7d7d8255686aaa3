"""The lines of the pseudocode that a handler of another algorithm has executed, in the words of a derived one."""

from collections.abc import Callable, Iterable

from app.core.model.algorithm import Effect
from app.core.model.notes import Rule


def reworded(effects: Iterable[Effect], words: Callable[[tuple[str, ...]], Iterable[str]]) -> tuple[Effect, ...]:
    """Return the effects; ``words`` gives other lines for those that were executed."""
    return tuple(Rule(tuple(words(effect.lines))) if isinstance(effect, Rule) else effect for effect in effects)


def without_lines(effects: Iterable[Effect]) -> list[Effect]:
    """Return the effects without the executed lines: the derived algorithm names its own."""
    return [effect for effect in effects if not isinstance(effect, Rule)]
