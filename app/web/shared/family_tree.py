"""The family tree of the algorithms.

None of it is written down here. An algorithm descends from the module that is its ``BASE`` or, without one, from the
first correct algorithm of the registry whose source is among its own References; nobody descends from what came later,
whichever module has the code. So a new module appears automatically.
"""

import inspect
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from app.algorithms.registry import ALGORITHMS, MODULES
from app.core.model.algorithm import AnyAlgorithm
from app.core.model.value import Frozen

_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
AUTHOR = re.compile(r"(?:[A-Z]\.[- ]?)+ ?(\w[\w’'-]+)")


class Kin(Frozen):
    """An algorithm in the tree.

    ``how`` it descends: ``base`` (its module continues the other's), ``cites`` (its source does), ``breaks`` (it omits
    a rule of the other), empty for a root. ``source`` is its authors and year, empty if they are those of its ancestor.
    """

    rules: AnyAlgorithm
    how: str
    source: str
    children: tuple["Kin", ...]

    @property
    def name(self) -> str:
        """Its name in addresses and files."""
        return self.rules.NAME

    def everyone(self) -> Iterator["Kin"]:
        """Yield this algorithm and all its descendants."""
        yield self
        for child in self.children:
            yield from child.everyone()


def tree() -> tuple[Kin, ...]:
    """Return the roots of the family, in the order of the registry."""
    above = {name: _parent(name) for name in ALGORITHMS}
    below: dict[str | None, list[str]] = {}
    for name, found in above.items():
        below.setdefault(found, []).append(name)

    def grown(name: str) -> Kin:
        children = tuple(grown(child) for child in below.get(name, ()))
        return Kin(ALGORITHMS[name], _how(name, above[name]), _source(name, above[name]), children)

    return tuple(grown(name) for name in below[None])


def _parent(name: str) -> str | None:
    """Return the algorithm's ancestor; None if it has no older base and cites the source of no older correct one."""
    for base in bases(name):
        if _year(base.NAME) <= _year(name):
            return str(base.NAME)
    mine = " ".join(_sources(name))
    for other, rules in ALGORITHMS.items():
        if other == name:  # only earlier algorithms, so that none descends from itself
            return None
        first = _authors(_sources(other)[0])
        older = _year(other) <= _year(name)
        if rules.WRONG is None and older and first and all(re.search(rf"\b{who}\b", mine) for who in first):
            return other
    return None


def _how(name: str, above: str | None) -> str:
    """Return how an algorithm descends from ``above``; see Kin."""
    if above is None:
        return ""
    if ALGORITHMS[name].WRONG is not None:
        return "breaks"
    return "base" if above in [base.NAME for base in bases(name)] else "cites"


def _year(name: str) -> int:
    """Return the year of the algorithm's first reference."""
    found = _YEAR.search(_sources(name)[0])
    return int(found[0]) if found else 0


def _source(name: str, above: str | None) -> str:
    """Return who described the algorithm, and when, from its first reference with other authors than its ancestor's;
    empty if there is none."""
    known = set(_authors(_sources(above)[0])) if above else set()
    for reference in _sources(name):
        who = _authors(reference)
        if not known.isdisjoint(who) or (year := _YEAR.search(reference)) is None:
            continue
        more = len(who) > 2 or "et al." in reference[: year.start()]
        return f"{_cited(who, more) if who else reference.split(',')[0]} {year[0]}"
    return ""


def _cited(who: tuple[str, ...], more: bool) -> str:
    """Return authors in citation style: only the first if there are ``more``."""
    return f"{who[0]} et al." if more else ", ".join(who)


def _authors(reference: str) -> tuple[str, ...]:
    """Return the surnames of a reference's authors: the words before its title."""
    people = re.split(r'"|, ACM|, IPL|, IEEE', reference, maxsplit=1)[0]
    return tuple(AUTHOR.findall(people))


@cache
def _sources(name: str) -> tuple[str, ...]:
    return references(inspect.getdoc(MODULES[name]) or "")


def bases(name: str) -> list[Any]:
    """Return the algorithms from which a module takes what it does not define itself, the nearest first. A base without
    a name is no algorithm, only what some share."""
    found, module = [], getattr(MODULES[name], "BASE", None)
    while module is not None:
        if getattr(module, "NAME", None) in ALGORITHMS:
            found.append(module)
        module = getattr(module, "BASE", None)
    return found


def references(text: str) -> tuple[str, ...]:
    """Return the section *References* of a docstring, each reference as one paragraph."""
    _, _, section = text.partition("References\n----------\n")
    whole = re.sub(r"(?<=[.)])\n(?=[A-Z]\.)", "\n\n", section.strip())
    return tuple(" ".join(part.split()) for part in re.split(r"\n\n+", whole) if part.strip())
