"""Wrong versions of right classes: one statement is removed, two are swapped, or one detail is changed."""

import ast
from collections.abc import Iterator
from copy import deepcopy

DETAILS = {
    "self.outputs": ("self.outputs[1:]", "self.outputs[:1]"),
    "self.inputs": ("self.inputs[1:]",),
    "not in": ("in",),
    "snapshot)": ("snapshot + 1)",),
    "if not ": ("if ",),
    "==": ("!=",),
    " < ": (" <= ",),
}
"""Texts, and what takes their place, one occurrence at a time."""


def mutants(source: str) -> Iterator[tuple[str, str]]:
    """Yield what is changed, and the changed source, each once."""
    seen = {ast.dump(ast.parse(source))}
    for what, changed in (*_removed(source), *_swapped(source), *_detailed(source)):
        try:
            dumped = ast.dump(ast.parse(changed))
        except SyntaxError:
            continue
        if dumped not in seen:
            seen.add(dumped)
            yield what, changed


def _bodies(tree: ast.AST) -> Iterator[list[ast.stmt]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.For | ast.If | ast.While):
            yield node.body


def _changed(source: str) -> Iterator[tuple[int, int, ast.Module, list[ast.stmt]]]:
    """Yield each place of each body in a tree of its own."""
    whole = ast.parse(source)
    for number, body in enumerate(_bodies(whole)):
        for place in range(len(body)):
            tree = deepcopy(whole)
            yield number, place, tree, list(_bodies(tree))[number]


def _removed(source: str) -> Iterator[tuple[str, str]]:
    for _, place, tree, body in _changed(source):
        told = f"without {ast.unparse(body[place]).splitlines()[0]}, line {body[place].lineno}"
        body[place] = ast.Pass()
        yield told, ast.unparse(ast.fix_missing_locations(tree))


def _swapped(source: str) -> Iterator[tuple[str, str]]:
    for _, place, tree, body in _changed(source):
        if place + 1 < len(body):
            told = f"{ast.unparse(body[place + 1]).splitlines()[0]} first, line {body[place].lineno}"
            body[place], body[place + 1] = body[place + 1], body[place]
            yield told, ast.unparse(tree)


def _detailed(source: str) -> Iterator[tuple[str, str]]:
    for text, others in DETAILS.items():
        start = source.find(text)
        while start >= 0:
            line = source.count("\n", 0, start) + 1
            for other in others:
                yield f"{text} -> {other}, line {line}", source[:start] + other + source[start + len(text) :]
            start = source.find(text, start + 1)
