"""Import: the test files of Princeton's COS418, assignment 2, as a scenario.

``.top``: the number of servers, a line ``ID TOKENS`` for each, then a line ``SOURCE TARGET`` for each one-way link.
``.events``: ``send SOURCE TARGET TOKENS``, ``snapshot ID``, ``tick [N]``. Delays: one digit for each message and
marker, in the order in which they are sent. Blank lines, lines that begin with ``#`` and links of a server to itself
are ignored. Servers and links are sorted by the bytes of their names, so N10 comes before N2.

The scenario's virtual time counts the ticks of the files: what follows the n-th tick happens at time n.
"""

import re
from collections.abc import Iterator

from app.core.model.value import Frozen
from app.core.model.values import Json, Phrase
from app.forms.fields import SNAPSHOTS, STEPS
from app.forms.yaml_source import SourceError
from app.run.run import record
from app.scenario.format import CHANNELS, PROCESSES
from app.scenario.scenario import Scenario

LATEST = 1_000_000
"""The last tick at which something may happen."""
MOST_TOKENS = 10**12

Link = tuple[str, str]
"""The servers from which and to which it leads."""


class Line(Frozen):
    """A line with content: its words, and where it stands."""

    file: str
    number: int
    words: tuple[str, ...]

    def error(self, template: str, /, **fields: object) -> SourceError:
        """Return the error that points at this line, with the Phrase of ``template`` and ``fields``."""
        return SourceError(self.file, self.number, "", Phrase(template, **fields))

    def amount(self, word: str, what: Phrase) -> int:
        """Return ``word`` as a whole number of at least 0."""
        if not re.fullmatch(r"[-+]?[0-9]+", word):
            raise self.error("{what} must be a whole number, not {word}", what=what, word=_quoted_word(word))
        if word.startswith("-") and word.strip("-0"):
            raise self.error("{what} must not be negative; it is {word}", what=what, word=_quoted_word(word))
        if len(word) > 15 or int(word) > MOST_TOKENS:
            raise self.error("{what} is {word}; at most {most:,}", what=what, word=_quoted_word(word), most=MOST_TOKENS)
        return int(word)


def imported(top: str, events: str, delays: str, *, names: tuple[str, str, str], title: str) -> dict[str, Json]:
    """Return the scenario, as plain values, that the three texts describe.

    ``names`` are the names of the files, for errors. Raises SourceError with the file and the line of a mistake.
    """
    tokens, links = _topology(top, names[0])
    script = _entries(events, names[1], tokens, links)
    sends = sum("send" in entry for entry in script)
    starts = sum("start" in entry for entry in script)
    wanted = sends + starts * len(links)
    digits = _drawn(delays, names[2], wanted)
    return {
        "title": {"en": title, "zh": title},
        "tags": ["chandy-lamport", "cos418", "imported"],
        "topology": {"processes": list(tokens), "channels": [f"{a}->{b}" for a, b in links]},
        "program": {"kind": "bank", "accounts": tokens},
        "collect": False,
        "first_snapshot": 0,
        "schedule": {
            "kind": "timed",
            "delay": {"digits": digits} if digits else {"constant": 0},
            "one_per_sender": True,
        },
        "script": script,
        "steps": max(STEPS, 2 * wanted + starts),
    }


def _spoken(text: str, file: str) -> Iterator[Line]:
    for number, line in enumerate(text.splitlines(), 1):
        words = tuple(line.split())
        if words and not words[0].startswith("#"):
            yield Line(file, number, words)


def _topology(text: str, file: str) -> tuple[dict[str, int], list[Link]]:
    """Return the tokens of the servers, and the links, of a ``.top`` file, both in byte order. Raises SourceError."""
    lines = list(_spoken(text, file))
    if not lines:
        raise SourceError(file, 1, "", Phrase("empty; the first line is the number of servers"))
    head = lines[0]
    if len(head.words) != 1:
        raise head.error("the first line is the number of servers, and nothing else")
    count = head.amount(head.words[0], Phrase("the number of servers"))
    if not 1 <= count <= PROCESSES:
        raise head.error("{count:,} servers; at least 1 and at most {most}", count=count, most=PROCESSES)
    if len(lines) < 1 + count:
        raise lines[-1].error("the file ends after {read} of {count} servers", read=len(lines) - 1, count=count)
    tokens: dict[str, int] = {}
    for line in lines[1 : 1 + count]:
        name = _server(line)
        if name in tokens:
            raise line.error("server {name} is given twice", name=name)
        tokens[name] = line.amount(line.words[1], Phrase("the tokens of {name}", name=name))
    links: dict[Link, None] = {}
    for line in lines[1 + count :]:
        if len(line.words) != 2:
            raise line.error("a link is two servers: SOURCE TARGET")
        ends = tuple(_known(line, name, tokens) for name in line.words)
        if ends[0] != ends[1]:
            links[ends[0], ends[1]] = None
    if len(links) > CHANNELS:
        raise lines[-1].error("{count:,} links; at most {most:,}", count=len(links), most=CHANNELS)
    ordered = dict(sorted(tokens.items(), key=lambda item: item[0].encode()))
    return ordered, sorted(links, key=lambda link: (link[0].encode(), link[1].encode()))


def _server(line: Line) -> str:
    """Return the name that a line ``ID TOKENS`` begins with."""
    if len(line.words) == 1:
        name = _quoted_word(line.words[0])[1:-1]
        raise line.error("tokens are missing; a server is a line ID TOKENS, such as {name} 1", name=name)
    if len(line.words) != 2:
        raise line.error("a server is a line ID TOKENS, and nothing else")
    name = line.words[0]
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,12}", name):
        raise line.error(
            "a server's name has 1 to 12 letters (A to Z), digits, - and _; {name} does not fit",
            name=_quoted_word(name),
        )
    return name


def _known(line: Line, name: str, tokens: dict[str, int]) -> str:
    """Return ``name``, if it is a server's."""
    if name not in tokens:
        some = (*list(tokens)[:8], *(["…"] if len(tokens) > 8 else []))
        raise line.error("no server {name}; known: {known}", name=_quoted_word(name), known=some)
    return name


def _entries(text: str, file: str, tokens: dict[str, int], links: list[Link]) -> list[Json]:
    """Return the script that an ``.events`` file describes. Raises SourceError."""
    known = set(links)
    script: list[Json] = []
    now = starts = 0
    for line in _spoken(text, file):
        kind, *rest = line.words
        if kind == "tick" and len(rest) <= 1:
            now += line.amount(rest[0], Phrase("the number of ticks")) if rest else 1
            continue
        if now > LATEST:
            raise line.error("this happens at tick {now:,}; at most {most:,}", now=now, most=LATEST)
        if kind == "send" and len(rest) == 3:
            link = _known(line, rest[0], tokens), _known(line, rest[1], tokens)
            if link not in known:
                raise line.error("there is no link from {source} to {target}", source=link[0], target=link[1])
            amount = line.amount(rest[2], Phrase("the tokens to send"))
            script.append({"at": now, "send": {"on": f"{link[0]}->{link[1]}", "message": amount}})
        elif kind == "snapshot" and len(rest) == 1:
            script.append({"at": now, "start": _known(line, rest[0], tokens)})
            starts += 1
            if starts > SNAPSHOTS:
                raise line.error("the {number}th snapshot; at most {most}", number=starts, most=SNAPSHOTS)
        else:
            said = _quoted_word(" ".join(line.words))
            raise line.error("an event is send SOURCE TARGET TOKENS, snapshot ID or tick [N], not {said}", said=said)
    return script


def try_out(scenario: Scenario, events: str, file: str) -> None:
    """Run what was imported. Raises SourceError that names the line of ``events`` at which it cannot continue."""
    try:
        record(scenario)
    except SourceError as error:
        place = re.fullmatch(r"script\[(\d+)\]", error.field)
        if place is None:
            raise
        happens = [line for line in _spoken(events, file) if line.words[0] != "tick"]
        raise SourceError(file, happens[int(place[1])].number, "", error.says) from None


def _drawn(text: str, file: str, wanted: int) -> str:
    """Return the first ``wanted`` digits of a file of delays. Raises SourceError."""
    digits: list[str] = []
    number = 0
    for number, line in enumerate(text.splitlines(), 1):
        for character in line:
            if character in "0123456789":
                digits.append(character)
            elif not character.isspace():
                says = Phrase("a delay is one digit, not {character}", character=_quoted_word(character))
                raise SourceError(file, number, "", says)
    if len(digits) < wanted:
        says = Phrase("{count} delays; {wanted} messages and markers can be sent", count=len(digits), wanted=wanted)
        raise SourceError(file, number or 1, "", says)
    return "".join(digits[:wanted])


def _quoted_word(word: str) -> str:
    """Return a word of a file inside a sentence: quoted, shortened, and on one line."""
    return repr(word if len(word) <= 40 else word[:40] + "…")
