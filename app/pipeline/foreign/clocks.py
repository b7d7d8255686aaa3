"""Logs with vector clocks, as ShiViz and the loggers that write for it have them.

The text is cut into events by a regular expression with the named groups ``host``, ``clock`` (a JSON object of host and
number) and ``event``, in the way of JavaScript (``(?<host>…)``) or of Python. It is the first line of the file, as in
what ``bluecut export --to shiviz`` writes, or given beside it. A second expression says which events record a snapshot;
its group ``snapshot`` says which one, where there are several.

What a clock knows for the first time becomes a message: the event depends on that event of the other host. So a
snapshot is consistent (I1) if nothing before a record depends on anything from another record on. A record comes before
what else its event does. Nothing is known of channels, amounts and markers, so I2, I3 and I5 are not judged. Clocks do
not tell the program's messages from those of the snapshot algorithm; if that has processes talk to each other before
they record, all of this is counted as the program's.

References
----------
C. Fidge, Timestamps in Message-Passing Systems That Preserve the Partial Ordering, 1988; F. Mattern, Virtual Time and
Global States of Distributed Systems, 1989; I. Beschastnikh et al., Visualizing Distributed System Executions, ACM TOSEM
29(2), 2020.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from app.core.model import BluecutError, Phrase
from app.pipeline.foreign.account import Account, Name, Numbers, numbered
from app.pipeline.foreign.foreign import Foreign, encoded
from app.pipeline.rows.schema import KINDS
from app.pipeline.rows.trace import Rows
from app.simulator.source import SourceError

RECORD = r"records .* for snapshot (?P<snapshot>\d+)"
"""The records in the logs that Bluecut exports."""

GROUPS = ("host", "clock", "event")

DIGITS = 18
"""A snapshot with a number of more digits has it as its name."""


@dataclass(frozen=True, slots=True)
class Stamped:
    """An event of a log: the line in which it begins, whose it is, its clock, and what it says."""

    line: int
    host: str
    clock: Mapping[str, int]
    text: str


def logged(file: Path, *, record: str = RECORD, parser: str | None = None) -> Foreign:
    """Read a log. Raises SourceError, which names file and line, where its clocks contradict each other; BluecutError
    for an expression or a file that cannot be read."""
    try:
        text = file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "not UTF-8"
        raise BluecutError("{file}: cannot be read: {reason}", file=file, reason=reason) from None
    first, _, rest = text.partition("\n")
    own = parser is None
    pattern = expression(first if parser is None else parser, GROUPS, file.name if own else "--parser")
    found = list(events(file.name, pattern, rest if own else text, 2 if own else 1))
    if not found:
        says = Phrase("the expression {pattern} fits nothing in it", pattern=pattern.pattern)
        raise SourceError(file.name, None, "", says)
    check(file.name, found)
    rows, snapshots = traced(file.name, found, expression(record, (), "--record"))
    return Foreign((rows,), ({},), (snapshots.named(),))


def expression(text: str, groups: tuple[str, ...], place: str) -> re.Pattern[str]:
    """A regular expression, its groups named in the way of JavaScript or Python. Raises BluecutError."""
    try:
        made = re.compile(re.sub(r"\(\?<(?![=!])", "(?P<", text), re.MULTILINE)
    except re.error as error:
        raise BluecutError("{place}: not a regular expression: {reason}", place=place, reason=error.msg) from None
    if missing := tuple(name for name in groups if name not in made.groupindex):
        raise BluecutError(
            "{place}: a regular expression with host, clock and event is needed, as {example}; missing: {missing}",
            place=place,
            example=r"(?<host>\S*) (?<clock>{.*})\n(?<event>.*)",
            missing=missing,
        )
    return made


def events(name: str, pattern: re.Pattern[str], text: str, line: int) -> Iterator[Stamped]:
    """The events of a log. Raises SourceError for a clock that is none."""
    at = 0
    for match in pattern.finditer(text):
        line += text.count("\n", at, match.start())
        at = match.start()
        if empty := tuple(group for group in GROUPS if match[group] is None):
            says = Phrase("the expression {pattern} fits without {groups}", pattern=pattern.pattern, groups=empty)
            raise SourceError(name, line, "", says)
        try:
            clock = json.loads(match["clock"])
        except (ValueError, RecursionError):
            clock = None
        good = isinstance(clock, dict) and all(type(n) is int and 0 <= n < 1 << 31 for n in clock.values())
        good = good and all(map(encoded, clock))
        if not good:
            raise SourceError(name, line, "", Phrase("a clock is a JSON object of hosts and numbers"))
        yield Stamped(line, match["host"], {host: n for host, n in clock.items() if n}, match["event"])


def check(name: str, found: list[Stamped]) -> None:
    """Raises SourceError for the first event whose clock cannot be: its own entry grows by one from event to event,
    nothing is forgotten, and what is known of another host is there, with all that it knew itself."""

    def mistake(one: Stamped, says: Phrase) -> SourceError:
        return SourceError(name, one.line, "", says)

    whose: dict[str, list[Stamped]] = {}
    for one in found:
        before = whose.setdefault(one.host, [])
        own, due = one.clock.get(one.host, 0), len(before) + 1
        if own != due:
            raise mistake(
                one,
                Phrase(
                    "the own entry of {host} is {own}; at its event {due} it is {due}", host=one.host, own=own, due=due
                ),
            )
        for host, n in before[-1].clock.items() if before else ():
            if one.clock.get(host, 0) < n:
                raise mistake(
                    one, Phrase("{host} knew {n} of {other} before, and no longer", host=one.host, n=n, other=host)
                )
        before.append(one)
    for one, host, n in learnt(found):
        there = whose.get(host, [])
        if n > len(there):
            raise mistake(
                one, Phrase("knows event {n} of {other}, which has {count} event(s)", n=n, other=host, count=len(there))
            )
        for other, m in there[n - 1].clock.items():
            if one.clock.get(other, 0) < m:
                raise mistake(
                    one,
                    Phrase(
                        "knows event {n} of {other}, but not the event {m} of {third} that this one knew",
                        n=n,
                        other=host,
                        m=m,
                        third=other,
                    ),
                )


def learnt(found: list[Stamped]) -> Iterator[tuple[Stamped, str, int]]:
    """Each event with what its clock says of another host for the first time: the host, and the number of its event."""
    last: dict[str, Mapping[str, int]] = {}
    for one in found:
        before = last.get(one.host, {})
        for host, n in one.clock.items():
            if host != one.host and n > before.get(host, 0):
                yield one, host, n
        last[one.host] = one.clock


def traced(name: str, found: list[Stamped], record: re.Pattern[str]) -> tuple[Rows, Numbers]:
    """The rows of a log, and the numbers of its snapshots. Raises SourceError where no event records, or not everybody
    does."""
    rows: Rows = {kind: [] for kind in KINDS}
    place = {host: number for number, host in enumerate(dict.fromkeys(one.host for one in found))}
    at: dict[tuple[str, str], int] = {}
    for identity, (one, host, n) in enumerate(learnt(found)):
        channel = at.setdefault((host, one.host), len(at))
        received = one.clock[one.host]
        rows["message"].append(
            {"message": identity, "channel": channel, "sent": n, "received": received, "lost": False}
        )
        for event, process, position in (("send", host, n), ("receive", one.host, received)):
            rows["event"].append({"process": place[process], "position": position, "event": event, "message": identity})
    account = Account(name)
    account.processes.update(place)
    for one in found:
        account.counts[one.host] = one.clock[one.host] - 1  # what a record's event does besides, it does afterwards
        if seen := record.search(one.text):
            said = (seen.groupdict().get("snapshot") or "1").strip()
            snapshot: Name = int(said) if said.isdecimal() and len(said) <= DIGITS else said
            account.take(one.line, {"process": one.host, "event": "record", "snapshot": snapshot})
    if not account.records:
        says = Phrase(
            "no event records, as the expression {pattern} says; give another one by --record", pattern=record.pattern
        )
        raise SourceError(name, None, "", says)
    account.check()
    for which in account.first:
        account.snapshot(rows, which, {})
    rows["process"] = [{"process": number, "name": host} for host, number in place.items()]
    rows["channel"] = [
        {
            "channel": n,
            "name": f"{ends[0]}->{ends[1]}",
            "source": place[ends[0]],
            "target": place[ends[1]],
            "ordered": False,
        }
        for ends, n in at.items()
    ]
    rows["run"] = [account.run(rows, name, ordered=False)]
    return numbered(rows, 0), account.snapshots
