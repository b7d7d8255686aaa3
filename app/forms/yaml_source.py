"""YAML as plain values, with the line of every field.

A small, safe part of YAML: mappings, lists and scalars. No aliases, no tags, no duplicate keys, no deep nesting. Words
stay words: only ``true``, ``false``, ``null`` and what looks like a number is not text.
"""

import re
from dataclasses import dataclass

import yaml

from app.core.model.values import BluecutError, Json, Phrase

DEPTH = 20
"""How deep lists and mappings may nest."""

DIGITS = 18
"""How many digits a whole number may have."""

Path = tuple[str | int, ...]

KNOWN = (
    Phrase("block sequence entries are not allowed in this context"),
    Phrase("but found another document"),
    Phrase("control characters are not allowed"),
    Phrase("could not find expected ':'"),
    Phrase("could not find expected directive name"),
    Phrase("did not find URI escaped octet"),
    Phrase("did not find expected '!'"),
    Phrase("did not find expected ',' or ']'"),
    Phrase("did not find expected ',' or '}}'"),
    Phrase("did not find expected '-' indicator"),
    Phrase("did not find expected <document start>"),
    Phrase("did not find expected alphabetic or numeric character"),
    Phrase("did not find expected comment or line break"),
    Phrase("did not find expected digit or '.' character"),
    Phrase("did not find expected hexdecimal number"),
    Phrase("did not find expected key"),
    Phrase("did not find expected node content"),
    Phrase("did not find expected tag URI"),
    Phrase("did not find expected version number"),
    Phrase("did not find expected whitespace"),
    Phrase("did not find expected whitespace or line break"),
    Phrase("did not find the expected '>'"),
    Phrase("found a tab character that violates indentation"),
    Phrase("found a tab character where an indentation space is expected"),
    Phrase("found an incorrect leading UTF-8 octet"),
    Phrase("found an incorrect trailing UTF-8 octet"),
    Phrase("found an indentation indicator equal to 0"),
    Phrase("found character that cannot start any token"),
    Phrase("found duplicate %TAG directive"),
    Phrase("found duplicate %YAML directive"),
    Phrase("found extremely long version number"),
    Phrase("found incompatible YAML document"),
    Phrase("found invalid Unicode character escape code"),
    Phrase("found undefined tag handle"),
    Phrase("found unexpected ':'"),
    Phrase("found unexpected document indicator"),
    Phrase("found unexpected end of stream"),
    Phrase("found unexpected non-alphabetical character"),
    Phrase("found unknown directive name"),
    Phrase("found unknown escape character"),
    Phrase("input is too long"),
    Phrase("mapping keys are not allowed in this context"),
)

BY_TEXT = {str(phrase): phrase for phrase in KNOWN} | {
    "mapping values are not allowed in this context": Phrase(
        "no field can begin here: look at the indentation, and put a text with a colon in quotes"
    )
}
UNKNOWN = Phrase("it cannot be read here")


class SourceError(BluecutError):
    """A mistake in a text: where it is (``line`` from 1, ``field``) and what would be right."""

    def __init__(self, name: str, line: int | None, field: str, says: Phrase) -> None:
        place = Phrase("{name}, line {line}", name=name, line=line) if line else name
        if field:
            super().__init__("{place}: {field}: {says}", place=place, field=field, says=says)
        else:
            super().__init__("{place}: {says}", place=place, says=says)
        self.line = line
        self.field = field
        self.says = says


@dataclass(frozen=True)
class Source:
    """A text that has been read: its values, and the line on which each of them stands."""

    name: str
    values: Json
    lines: dict[Path, int]

    def line(self, path: Path) -> int | None:
        """Return the line of the field at ``path``, or of the nearest one around it."""
        for end in range(len(path), -1, -1):
            if path[:end] in self.lines:
                return self.lines[path[:end]]
        return None

    def error(self, path: Path, template: str, /, **fields: object) -> SourceError:
        """Return the error that points at ``path``, with the Phrase of ``template`` and ``fields``."""
        return SourceError(self.name, self.line(path), dotted(path), Phrase(template, **fields))


def dotted(path: Path) -> str:
    """Return the path as people write it: ``script[2].send.on``."""
    text = ""
    for key in path:
        text += f"[{key}]" if isinstance(key, int) else f".{key}" if text else str(key)
    return text


def read(text: str, name: str, *, limit: int | None) -> Source:
    """Read ``text``, of at most ``limit`` bytes if there is a limit. Raises SourceError."""
    size = len(text.encode("utf-8", "surrogatepass"))
    if limit is not None and size > limit:
        raise SourceError(name, None, "", Phrase("{size:,} bytes; at most {limit:,}", size=size, limit=limit))
    try:
        _refuse_aliases(text, name)
        node = yaml.compose(text, Loader=yaml.CSafeLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = min(mark.line, text.count("\n", 0, len(text.rstrip()))) + 1 if mark else None
        problem = str(error.problem or error.context)
        if problem == "found character that cannot start any token" and mark and text[mark.index] == "\t":
            problem = "found a tab character where an indentation space is expected"
        why = _problem(problem)
        raise SourceError(name, line, "", Phrase("not YAML: {problem}", problem=why)) from None
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        why = Phrase("the character U+{code:04X} is not allowed; leave it out", code=error.character)
        raise SourceError(name, line, "", Phrase("not YAML: {problem}", problem=why)) from None
    except UnicodeEncodeError:
        why = Phrase("it holds characters that are not Unicode text")
        raise SourceError(name, None, "", Phrase("not YAML: {problem}", problem=why)) from None
    except (yaml.YAMLError, ValueError) as error:
        why = _problem(str(error).replace("\n", " "))
        raise SourceError(name, None, "", Phrase("not YAML: {problem}", problem=why)) from None
    lines: dict[Path, int] = {}
    if node is None:
        raise SourceError(name, 1, "", Phrase("empty; a scenario has at least title, topology and program"))
    return Source(name, _value(node, (), lines, name), lines)


def _refuse_aliases(text: str, name: str) -> None:
    """Refuse aliases, anchors, tags and deep nesting in the events, before anything is built."""
    depth = 0
    for event in yaml.parse(text, Loader=yaml.CSafeLoader):
        line = event.start_mark.line + 1 if event.start_mark else None
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            says = Phrase("anchors and aliases (& and *) are not allowed; write the value out")
            raise SourceError(name, line, "", says)
        if tag := getattr(event, "tag", None):
            says = Phrase("the tag {tag} is not allowed; write a plain value", tag=tag)
            raise SourceError(name, line, "", says)
        match event:
            case yaml.CollectionStartEvent():
                depth += 1
                if depth > DEPTH:
                    raise SourceError(name, line, "", Phrase("nested more than {most} deep", most=DEPTH))
            case yaml.CollectionEndEvent():
                depth -= 1


def _value(node: yaml.Node, path: Path, lines: dict[Path, int], name: str) -> Json:
    """Return the node as a plain value; ``lines`` receives the lines of it and its fields."""
    lines.setdefault(path, node.start_mark.line + 1)
    match node:
        case yaml.ScalarNode():
            return _scalar(node)
        case yaml.SequenceNode():
            return [_value(item, (*path, i), lines, name) for i, item in enumerate(node.value)]
    found: dict[str, Json] = {}
    for key_node, item in node.value:
        line = key_node.start_mark.line + 1
        if not isinstance(key_node, yaml.ScalarNode):
            raise SourceError(name, line, dotted(path), Phrase("a key must be a word"))
        key = str(key_node.value)
        if key in found:
            raise SourceError(name, line, dotted((*path, key)), Phrase("given twice; keep one"))
        lines[(*path, key)] = line
        found[key] = _value(item, (*path, key), lines, name)
    return found


def _scalar(node: yaml.ScalarNode) -> Json:
    """Return a scalar: quoted text is text; plain text is a number, true, false or null only where it is written so."""
    text = str(node.value)
    if node.style:
        return text
    if text in ("true", "false"):
        return text == "true"
    if text in ("null", "~", ""):
        return None
    if re.fullmatch(rf"[-+]?(0|[1-9]\d{{0,{DIGITS - 1}}})", text):
        return int(text)
    if re.fullmatch(r"[-+]?\d{1,17}\.\d{1,17}", text):
        return float(text)
    return text


def _problem(text: str) -> Phrase:
    """Return the phrase for a sentence of libyaml. Unknown sentences give a general phrase."""
    return BY_TEXT.get(text, UNKNOWN)
