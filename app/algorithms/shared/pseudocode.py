"""The pseudocode of an algorithm that is derived from another, and the lines of it that a handler has executed."""

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from app.core.model.algorithm import Effect
from app.core.model.notes import Rule

Lines: TypeAlias = tuple[tuple[str, int], ...]
"""Pseudocode: the name of each line, and how deep it is indented."""


def changed(lines: Lines, changes: Mapping[str, Lines]) -> Lines:
    """Return the pseudocode of another algorithm, with other lines in place of some."""
    return tuple(made for line in lines for made in changes.get(line[0], (line,)))


def reworded(effects: Iterable[Effect], words: Callable[[tuple[str, ...]], Iterable[str]]) -> tuple[Effect, ...]:
    """Return the effects; ``words`` gives other lines for those that were executed."""
    return tuple(Rule(tuple(words(effect.lines))) if isinstance(effect, Rule) else effect for effect in effects)


def without_lines(effects: Iterable[Effect]) -> list[Effect]:
    """Return the effects without the executed lines: the derived algorithm names its own."""
    return [effect for effect in effects if not isinstance(effect, Rule)]
