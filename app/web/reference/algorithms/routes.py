"""The family of algorithms: all of them in one table, and a page for each.

What ``algorithms.html`` gets
-----------------------------
``groups``   [(kind, members)]: the right ones, those right within limits, the broken ones; see Member
``ground``   the function of that name: where an algorithm without a scenario can be run
``meanings`` see ``meanings``

What ``algorithm.html`` gets
----------------------------
``member`` (a Member), ``kind`` (see ``app.web.shared.algorithm_options``), ``rules`` [(line, depth), …], ``references``
(paragraphs of the module's docstring), ``example`` (the scenario of ``others``) and ``others`` [(name, URL of the
comparison)], ``meanings`` (see ``meanings``; empty if this algorithm stands for none), ``succession`` (see
``app.web.reference.algorithms.succession``), ``succeeds``: the algorithm whose page has it, None if this one is not in
it

What ``kinship.html`` gets
--------------------------
``roots``  the algorithms that descend from no other, as ``app.web.shared.family_tree.Kin``
``total``  how many algorithms there are
"""

import inspect
import re

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from app.algorithms.registry import ALGORITHMS, MODULES, no_algorithm
from app.algorithms.shared import defaults
from app.analysis.promise import EXACTLY
from app.core.model.algorithm import AnyAlgorithm, Kind
from app.core.model.value import Frozen
from app.scenario.library import FIRST, LIBRARY
from app.scenario.scenario import Scenario, unfit
from app.web.base.errors import NoSuchStep, answers
from app.web.base.language import named
from app.web.base.templates import Context, page
from app.web.reference.algorithms.succession import COLUMNS, succession
from app.web.shared.algorithm_options import grouped, kind
from app.web.shared.compare_links import beside
from app.web.shared.concurrent_starts import MEANINGS, example
from app.web.shared.family_tree import bases, references, tree

SUCCEEDING = COLUMNS[1]
"""The algorithm whose page has the succession from Chandy–Lamport: the first with barriers."""

SYMBOLS = {"|E|": "E", "…": "more", "∞": "endless", "x": "exchange"} | {name: name for name in "abkmnsu"}
"""The symbols in a formula of control messages, each with the end of the key that explains it."""

SHOWN = 3
"""The most scenarios that the table names for each algorithm."""

COMMON = ("three-banks", "three-guarantees")
"""Where algorithms without a scenario are compared: a graph on which all those can run that need no coordinator, and
one for the others."""

router = APIRouter(responses=answers(404))


class Member(Frozen):
    """An algorithm of the family, and the scenarios of the library that use it."""

    rules: AnyAlgorithm
    scenarios: tuple[Scenario, ...]

    @property
    def name(self) -> str:
        """Its name in addresses and files."""
        return self.rules.NAME

    @property
    def promise(self) -> str | None:
        """What it promises of a dataflow's state, if that is less than exactly once."""
        return self.rules.PROMISE if self.rules.PROMISE != EXACTLY else None

    @property
    def graph(self) -> str:
        """What it requires of the graph, as the end of a key. If nothing floods the graph, any will do: recordings
        follow the colours of the program's messages, or nothing at all."""
        if self.rules.KIND is Kind.ITEMS:
            return "records"
        if self.rules.KIND is Kind.PRIVATE:
            return "alone"
        if self.rules.KIND is Kind.FLOOD or self.rules.GRAPH != "any":
            return self.rules.GRAPH
        return "alone" if self.rules.carries is defaults.carries else "coloured"

    @property
    def symbols(self) -> tuple[str, ...]:
        """The ends of the keys that explain its formula."""
        return symbols(self.rules.COST)


@router.get("/algorithms", response_class=HTMLResponse)
def algorithms(request: Request) -> Response:
    """Return the family in one table."""
    groups = [(each, [member(name) for name in names]) for each, names in grouped().items()]
    context: Context = {
        "groups": groups,
        "shown": SHOWN,
        "ground": ground,
        "meanings": _meanings(named(request)),
    }
    return page(request, "algorithms.html", **context)


@router.get("/algorithms/{name}", response_class=HTMLResponse)
def algorithm(request: Request, name: str) -> Response:
    """Return the page of one algorithm. Raises NoSuchStep if there is none of that name."""
    if name not in ALGORITHMS:
        raise NoSuchStep("{reason}", reason=no_algorithm(name))
    one, lang = member(name), named(request)
    seen = ground(one)
    context: Context = {
        "member": one,
        "kind": kind(one.rules),
        "rules": one.rules.PSEUDOCODE,
        "references": references(inspect.getdoc(MODULES[name]) or ""),
        "example": seen,
        "others": [(other, beside(seen.name, (name, other), lang=lang)) for other in _others(name, seen)],
        "meanings": _meanings(lang) if name in MEANINGS else (),
        "succession": succession(request) if name == SUCCEEDING else None,
        "succeeds": SUCCEEDING if name in COLUMNS else None,
    }
    return page(request, "algorithm.html", **context)


def member(name: str) -> Member:
    """Return the algorithm called ``name``."""
    using = tuple(scenario for scenario in LIBRARY.scenarios() if scenario.form.algorithm == name)
    return Member(ALGORITHMS[name], using)


def ground(one: Member) -> Scenario:
    """Return the scenario on which an algorithm is compared: the first about it, else one on which everything runs."""
    if one.scenarios:
        return one.scenarios[0]
    common = [LIBRARY.scenario(name) for name in (*COMMON, FIRST) if name in LIBRARY.names()]
    return next((s for s in common if unfit(one.rules, s.topology, s.program) is None), common[-1])


def _others(name: str, scenario: Scenario) -> tuple[str, ...]:
    """Return what to compare an algorithm with on a scenario: what it breaks or continues first, then all right
    ones."""
    near = [base.NAME for base in bases(name)]
    right = [one for one, rules in ALGORITHMS.items() if rules.WRONG is None]
    graph, program = scenario.topology, scenario.program
    fit = [one for one in (*near, *right) if one != name and not unfit(ALGORITHMS[one], graph, program)]
    return tuple(dict.fromkeys(fit))


def symbols(formula: str) -> tuple[str, ...]:
    """Return the ends of the keys that explain the symbols of a formula, in its order."""
    found = re.findall(r"\|E\||[a-z]|…|∞", formula)
    return tuple(dict.fromkeys(SYMBOLS[sign] for sign in found))


def _meanings(lang: str | None) -> tuple[tuple[str, str, str | None], ...]:
    """Return the three meanings of several starts at once: (meaning, algorithm that stands for it, URL of the
    comparison of all of them on the same scenario, None if there is nothing to compare)."""
    seen = example()
    url = beside(seen.name, MEANINGS, lang=lang) if seen and len(MEANINGS) > 1 else None
    return tuple((meaning, name, url) for name, meaning in MEANINGS.items())


@router.get("/family", response_class=HTMLResponse)
def family(request: Request) -> Response:
    """Return the family tree."""
    return page(request, "kinship.html", roots=tree(), total=len(ALGORITHMS))
