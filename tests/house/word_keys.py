"""The keys that the sources ask the catalogues for, as far as they write them down: literally, or as patterns."""

import ast
import itertools
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import get_args

from jinja2 import nodes

from app.algorithms.registry import ALGORITHMS
from app.analysis.sweep_report import MEASURES
from app.core.model.system import DISCIPLINES
from app.core.oracle.checks import CHECKS, ROW_CHECKS
from app.course.quiz import KINDS
from app.pipeline.sweep.spec import Shape
from app.scenario.format import Assumption
from app.scenario.library import LIBRARY
from app.web.base.errors import TOLD
from app.web.base.templates import ENVIRONMENT
from app.web.measure.lab.report import AGAINST
from app.words.catalogues import catalogue

ROOT = Path(__file__).parents[2]
HOLE = "{}"
"""What stands in a pattern for a value that is known only at run time."""
KEY = re.compile(r"[a-z]+\.[a-z0-9.{}-]*")
TEMPLATE_LITERAL = re.compile(r"`([a-z]+\.[^`\s]*)`")


def either(parts: list[list[str]]) -> Iterator[str]:
    """Yield the texts that the parts make, each with one of its alternatives."""
    return ("".join(made) for made in itertools.product(*parts))


def of_python(source: str) -> Iterator[str]:
    """Yield the patterns of all f-strings."""

    def alternatives(part: ast.expr) -> list[str]:
        if isinstance(part, ast.FormattedValue):
            return alternatives(part.value)
        if isinstance(part, ast.IfExp):
            return alternatives(part.body) + alternatives(part.orelse)
        return [str(part.value)] if isinstance(part, ast.Constant) else [HOLE]

    for node in ast.walk(ast.parse(source)) if re.search("""[fF][rR]?["']""", source) else ():
        if isinstance(node, ast.JoinedStr):
            yield from either([alternatives(part) for part in node.values])


def of_jinja(source: str) -> Iterator[str]:
    """Yield the patterns of all texts joined by ``~``."""

    def alternatives(part: nodes.Expr | None) -> list[str]:
        if isinstance(part, nodes.CondExpr):
            return alternatives(part.expr1) + alternatives(part.expr2)
        if isinstance(part, nodes.Concat):
            return list(either([alternatives(each) for each in part.nodes]))
        return [str(part.value)] if isinstance(part, nodes.Const) else [HOLE]

    for node in ENVIRONMENT.parse(source).find_all(nodes.Concat) if "~" in source else ():
        yield from alternatives(node)


def of_script(source: str) -> Iterator[str]:
    """Yield the patterns of all template literals without nested ones."""
    for text in TEMPLATE_LITERAL.findall(source):
        yield re.sub(r"\$\{[^}]*\}", HOLE, text)


@cache
def patterns() -> dict[str, set[str]]:
    """Return all patterns of keys that have a hole, and where they are."""
    families = {key.partition(".")[0] for key in catalogue("en")}
    found: dict[str, set[str]] = {}
    for folder, suffix, of in (("app", "py", of_python), ("templates", "*", of_jinja), ("static/js", "js", of_script)):
        for path in sorted((ROOT / folder).rglob(f"*.{suffix}")):
            for text in of(path.read_text("utf-8")):
                if KEY.fullmatch(text) and HOLE in text and text.partition(".")[0] in families:
                    found.setdefault(text, set()).add(path.name)
    return found


def known() -> Iterator[str]:
    """Yield the keys with values that a registry lists: what can be asked for, whoever asks."""
    for name in CHECKS:
        yield from (f"check.{name}.{use}" for use in ("name", "title", "about", "claim"))
        yield from (f"check.{name}.quiz.{use}" for use in ("asks", "why", "holds", "fails"))
    yield from (f"check.{name}.{use}" for name in ROW_CHECKS for use in ("column", "broken"))
    yield from (f"check.undisturbed.{use}" for use in ("name", "title", "about", "claim"))
    yield from (f"check.rows.{use}" for use in ("column", "about"))
    yield from (f"player.witness.{fault}" for check in CHECKS.values() for fault in (*check.faults, "inconsistent"))
    for name, rules in ALGORITHMS.items():
        yield from (f"algorithm.{name}", f"algorithm.{name}.about", f"family.requires.{rules.REQUIRES}.about")
        yield from (f"rule.{line}" for line, _ in rules.PSEUDOCODE)
        yield from (f"algorithm.{name}.wrong",) if rules.WRONG else ()
    yield from (f"discipline.{name}" for name in DISCIPLINES)
    yield from (f"lab.{use}.{name}" for use in ("measure", "unit", "about") for name in MEASURES)
    yield from (f"lab.{use}.{name}" for use in ("against", "with") for name in AGAINST)
    yield from (f"sweep.topology.{name}" for name in get_args(Shape))
    yield from (f"assumption.{name}" for name in get_args(Assumption))
    tags = {tag: None for name in LIBRARY.names() for tag in LIBRARY.scenario(name).form.tags}
    yield from (f"tag.{tag}" for tag in tags if tag not in ALGORITHMS)
    yield from (f"quiz.kind.{name}" for name in KINDS)
    yield from (f"error.{status}.{part}" for status in TOLD for part in ("title", "text"))
