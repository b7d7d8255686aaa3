"""The algorithms by name, in the order in which people meet them.

Every module of this package that has a ``NAME`` is an algorithm, in whatever folder. It defines only what differs from
its ``BASE``, another module; without one, that is ``app.algorithms.shared.defaults``. So a broken variant is as long as
its mistake. The file beside it says what pages say about it; see ``app.algorithms.description``.
"""

import pkgutil
from collections.abc import Iterator
from importlib import import_module
from types import ModuleType, SimpleNamespace
from typing import cast

from app import algorithms
from app.algorithms.description import Description, Role, described
from app.algorithms.shared import defaults
from app.core.model.algorithm import AnyAlgorithm
from app.core.model.topology import shortened
from app.core.model.values import BluecutError, Phrase
from app.forms.explain import either, meant

HANDLERS = (
    "start", "on_initiate", "carries", "on_send", "on_change", "on_receive", "on_told", "on_wake", "offers", "on_gone",
    "survives", "on_return", "allows", "accepts", "result",
)  # fmt: skip
FACTS = (
    "NAME", "REQUIRES", "GRAPH", "LABELLED", "SERIAL", "KIND", "MARKERS", "COST", "COLLECTS", "MENDS", "SETTLED",
    "COORDINATED", "RECOVERY", "PROMISE", "DATAFLOW", "PSEUDOCODE", "WRONG",
)  # fmt: skip
DERIVED = {"PAUSES": ("allows",), "BLOCKS": ("accepts",), "FOLLOWS": ("carries", "on_send"), "FREE": ("offers",)}
"""Facts that follow from the handlers: each holds where one of its handlers is not the default. A variant that does not
inherit what its base has writes ``allows = defaults.allows``."""


def with_defaults(module: ModuleType | SimpleNamespace) -> AnyAlgorithm:
    """Return the algorithm of a module: what it defines, the rest from its base, and what follows from its handlers."""
    found = {name: _given(module, name) for name in (*FACTS, *HANDLERS)}
    for fact, handlers in DERIVED.items():
        found[fact] = any(found[handler] is not getattr(defaults, handler) for handler in handlers)
    return cast(AnyAlgorithm, SimpleNamespace(**found))


def _given(module: ModuleType | SimpleNamespace, name: str) -> object:
    """Return the value of ``name`` in the module or the nearest of its bases. Raises AttributeError if none has it."""
    if module is defaults or hasattr(module, name):
        return getattr(module, name)
    return _given(getattr(module, "BASE", defaults), name)


def _discovered() -> Iterator[tuple[ModuleType, Description]]:
    for found in pkgutil.walk_packages(algorithms.__path__, f"{algorithms.__name__}."):
        module = import_module(found.name)
        if found.name != __name__ and hasattr(module, "NAME"):
            yield module, described(module)


_FOUND = sorted(_discovered(), key=lambda found: (found[1].order, found[0].NAME))
MODULES: dict[str, ModuleType] = {module.NAME: module for module, _ in _FOUND}
DESCRIPTIONS: dict[str, Description] = {module.NAME: description for module, description in _FOUND}
_ALL: dict[str, AnyAlgorithm] = {name: with_defaults(module) for name, module in MODULES.items()}
ALGORITHMS: dict[str, AnyAlgorithm] = {name: rules for name, rules in _ALL.items() if DESCRIPTIONS[name].listed}
FIRST = next(iter(ALGORITHMS))
"""The algorithm of a scenario that names none."""
_EXAMPLES = {role: name for name, description in DESCRIPTIONS.items() for role in description.stands_for}


def algorithm(name: str) -> AnyAlgorithm:
    """Return the algorithm called ``name``, listed or not. Raises BluecutError."""
    try:
        return _ALL[name]
    except KeyError:
        raise BluecutError("{reason}", reason=no_algorithm(name)) from None


def no_algorithm(name: str) -> Phrase:
    """Return what is wrong with the name of an algorithm, and which may be meant, or some that there are."""
    if near := meant(name, tuple(ALGORITHMS)):
        return Phrase("no algorithm is called {name!r}; did you mean {near}?", name=name[:40], near=either(near))
    return Phrase("unknown algorithm {name!r}; one of {known}", name=name[:40], known=shortened(ALGORITHMS))


def standing_for(role: Role) -> str:
    """Return the name of the algorithm that pages show as the example of ``role``. Raises KeyError without one."""
    return _EXAMPLES[role]


def words(language: str) -> dict[str, str]:
    """Return all texts about the algorithms in a language, by their keys in the catalogues."""
    return {
        key: text
        for name, description in DESCRIPTIONS.items()
        for key, text in description.words(name, language).items()
    }
