"""Modules of scripts as one file, so that a page requests one instead of a hundred.

Each module becomes a function, called once, after those that it imports; what it exports is what the function returns.
Lines stay lines, and a source map with one mark a line leads back to the file; documentation becomes empty lines. This
is right for modules that import and export by name, in statements that begin a line, and whose exports never change;
others are refused.
"""

import re
from collections.abc import Callable, Iterable
from posixpath import dirname, join, normpath

from app.core.model.value import Frozen

_IMPORT = re.compile(r'^import (?:\{([^}]*)\} from )?"(\.[^"]+)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function\*?|class|const) ([\w$]+))", re.MULTILINE)
_DOCUMENTATION = re.compile(r"^ */\*\*(?:(?!\*/).)*\*/$", re.MULTILINE | re.DOTALL)
_COMMENT = re.compile(r"/\*.*?\*/|^ *//[^\n]*", re.MULTILINE | re.DOTALL)
_LEFT = re.compile(r"^(?:import|export)\b.*|\bimport *[(.].*|\bnew (?:Shared)?Worker\((?=[\"'`]|new ).*", re.MULTILINE)
"""What only separate files can do. A worker at an address that the page knows is no part of the module."""

_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


class Unlinkable(ValueError):
    """A module does what only separate files can do; the text says which and what."""


class Linked(Frozen):
    """``text`` is the file; ``sources`` are the modules in the order in which they run; ``mappings`` is what a source
    map (version 3) calls so."""

    text: str
    sources: list[str]
    mappings: str


def link(entries: Iterable[str], read: Callable[[str], str]) -> Linked:
    """Return the modules ``entries`` and all that they import as one; ``read`` returns the text of a path.

    An entry that fails does not stop the next one, as if it were a file of its own. Raises Unlinkable.
    """
    wanted = list(dict.fromkeys(entries))
    modules: dict[str, str] = {}
    for entry in wanted:
        _collect(entry, read, modules, ())
    exports = {path: _EXPORT.findall(text) for path, text in modules.items()}
    numbers = {path: number for number, path in enumerate(modules)}
    parts = []
    for path, text in modules.items():
        number, body = numbers[path], _body(path, text, numbers, exports)
        if path in wanted and not exports[path]:
            parts.append(f"try {{ (() => {{ // {path}\n{body}\n}})(); }} catch (error) {{ reportError(error); }}")
        else:
            returned = f"return {{ {', '.join(exports[path])} }};"
            parts.append(f"const ${number} = (() => {{ // {path}\n{body}\n{returned} }})();")
    return Linked("\n".join(parts), list(modules), _mappings(part.count("\n") - 1 for part in parts))


def _collect(path: str, read: Callable[[str], str], found: dict[str, str], above: tuple[str, ...]) -> None:
    """Add a module to ``found``, after those that it imports."""
    if path in above:
        raise Unlinkable(f"these modules import each other: {' → '.join((*above, path))}")
    if path in found:
        return
    text = read(path)
    for _, name in _IMPORT.findall(text):
        _collect(_target(path, name), read, found, (*above, path))
    found[path] = text


def _target(path: str, name: str) -> str:
    return normpath(join(dirname(path), name))


def _body(path: str, text: str, numbers: dict[str, int], exports: dict[str, list[str]]) -> str:
    """Return what a module does, on as many lines, with constants instead of imports."""

    def imported(found: re.Match[str]) -> str:
        target = _target(path, found[2])
        pairs = [each.split() for each in (found[1] or "").split(",") if each.strip()]
        if missing := {first for first, *_ in pairs} - set(exports[target]):
            raise Unlinkable(f"{path} imports from {target} what it does not export: {', '.join(sorted(missing))}")
        taken = ", ".join(f"{first}: {rest[-1]}" if rest else first for first, *rest in pairs)
        return f"const {{ {taken} }} = ${numbers[target]};" + _lines(found)

    body = _EXPORT.sub("", _IMPORT.sub(imported, text.rstrip("\n")))
    if left := _LEFT.search(_COMMENT.sub("", body)):
        raise Unlinkable(f"{path}: {left[0]}")
    return _DOCUMENTATION.sub(_lines, body)


def _lines(found: re.Match[str]) -> str:
    return "\n" * found[0].count("\n")


def _mappings(lines: Iterable[int]) -> str:
    """Return where each line comes from; ``lines`` counts those of each module. Numbers are relative to those of the
    line before, and the lines around a module come from nowhere."""
    marks: list[str] = []
    last = 0
    for source, count in enumerate(lines):
        marks += ["", f"A{_digits(int(source > 0))}{_digits(-last)}A", *["AACA"] * (count - 1), ""]
        last = count - 1
    return ";".join(marks)


def _digits(number: int) -> str:
    """Return a number as source maps write it: five bits a digit, the lowest first, the lowest of all its sign."""
    rest = -2 * number + 1 if number < 0 else 2 * number
    text = ""
    while rest > 31:
        text += _DIGITS[rest % 32 + 32]
        rest //= 32
    return text + _DIGITS[rest]
