"""Logs with vector clocks, in the form of ShiViz and of loggers that write for it.

A regular expression with the named groups ``host``, ``clock`` (a JSON object of hosts and numbers) and ``event``, in
the syntax of JavaScript (``(?<host>…)``) or Python, splits the text into events. It is the first line of the file, as
in the output of ``bluecut export --to shiviz``, or given separately; if that line is empty, it is ShiViz's default.
There may be two more groups, which ShiViz shows as fields:

program
    a second clock, which counts the same events, but learns of others from the program's messages alone
cut
    a JSON object: by snapshot, how many events of this host are before its cut; null if the snapshot has no cut that
    can be judged

Without ``cut``, another expression says which events record a snapshot; if there are several, its group ``snapshot``
says which one, and each process records each of them once. Within an event, recording comes first.

What a clock knows for the first time becomes a message: the event depends on that event of the other host. So a
snapshot is consistent (I1) if nothing before one process records depends on anything after another has recorded.
Nothing is known about channels, amounts and markers, so I2, I3 and I5 are not judged. Without ``program``, the clocks
do not distinguish the program's messages from those of the snapshot algorithm; if its processes exchange messages
before they record, these count as the program's, and a consistent cut can look inconsistent.

References
----------
C. Fidge, Timestamps in Message-Passing Systems That Preserve the Partial Ordering, 1988; F. Mattern, Virtual Time and
Global States of Distributed Systems, 1989; I. Beschastnikh et al., Visualizing Distributed System Executions, ACM TOSEM
29(2), 2020.
"""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from app.core.model.value import Frozen
from app.core.model.values import BluecutError, Phrase
from app.forms.utf8 import utf8
from app.forms.yaml_source import SourceError
from app.pipeline.external.acyclic import Name
from app.pipeline.external.json_lines import Foreign, encoded
from app.pipeline.external.to_rows import Account, Arrived, Sent, hopeful

USUAL = r"(?<event>.*)\n(?<host>\S*) (?<clock>{.*})"
"""ShiViz's expression for a log whose first line is empty."""

LAYOUTS = (r"(?<host>\S+) (?<clock>{.*}) (?<event>.+)", r"(?<host>\S+) (?<clock>{.*})\n(?<event>.*)")
"""Expressions for other common layouts of logs."""

LOOKING = r"[\^$]|\\[AZbB]|\(\?<?[=!]"
"""What can make an expression match an event alone, but not within its text."""

GROUPS = ("host", "clock", "event")

DIGITS = 18
"""A snapshot number with more digits is treated as a name."""


ONE = "1"
"""The name of the only snapshot if nothing says for which one a process records."""


class Stamped(Frozen):
    """An event of a log: the line where it begins, its host, its clock (the program's if there is one), its text, and
    the cuts of snapshots beside it, None if the log has no such group."""

    line: int
    host: str
    clock: Mapping[str, int]
    text: str
    cut: Mapping[str, int | None] | None = None


def logged(file: Path, *, record: str | None = None, parser: str | None = None) -> Foreign:
    """Read a log. Raises SourceError, which names file and line, if its clocks contradict each other; BluecutError for
    an expression or a file that cannot be read."""
    try:
        text = utf8(file.read_text("utf-8-sig", errors="surrogateescape"), file.name)
    except OSError as error:
        raise BluecutError("{file}: cannot be read: {reason}", file=file, reason=str(error.strerror)) from None
    account = Account(file.name)
    recording = None if record is None else _recorder(account, record, text)
    first, _, rest = text.partition("\n")
    own = parser is None
    if parser is not None:
        pattern = _expression(parser, GROUPS, "--parser")
    elif first.strip():
        pattern = _heading(account, first, text)
    else:
        pattern = _expression(USUAL, GROUPS, file.name)
    if recording is None and "cut" not in pattern.groupindex:
        raise account.error(
            "nothing says which events record a snapshot; give an expression by --record, as in --record {example}",
            None,
            example=r"'took checkpoint (?<snapshot>\d+)'",
        )
    found = list(_events(account, pattern, rest if own else text, 2 if own else 1))
    if not found:
        raise account.error("the expression {pattern} matches nothing in it", None, pattern=pattern.pattern)
    if wrong := _mistake(account, found):
        raise wrong
    _recorded(account, found, recording)
    _learn(account, found)
    rows = account.rows(0, file.name, ordered=False)
    return Foreign((rows,), (account,), alone="program" not in pattern.groupindex)


def _expression(text: str, groups: tuple[str, ...], place: str) -> re.Pattern[str]:
    """Return a regular expression whose groups are named as in JavaScript or Python. Raises BluecutError."""
    try:
        made = _compiled(text)
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


def _recorder(account: Account, record: str, text: str) -> re.Pattern[str]:
    """Return the expression that says which events record. Raises BluecutError if it cannot fit this text."""
    made = _expression(record, (), "--record")
    if made.groups and "snapshot" not in made.groupindex:
        raise BluecutError(
            "--record: {pattern} has a group, and none of the name snapshot, which says for which one a process"
            " records; write (?<snapshot>...), and (?:...) where parentheses only hold together",
            pattern=record,
        )
    if not re.search(LOOKING, made.pattern) and not made.search(text):
        raise _none(account, made)
    return made


def _heading(account: Account, first: str, text: str) -> re.Pattern[str]:
    """Return the expression in the first line of a log, which may instead be an event. Raises SourceError."""
    try:
        made = _compiled(first)
        missing = tuple(group for group in GROUPS if group not in made.groupindex)
        if not missing:
            return made
        reason = Phrase("{missing} missing", missing=missing)
    except re.error as error:
        reason = Phrase("not a regular expression: {reason}", reason=error.msg)
    fitting = (usual for usual in (*LAYOUTS, USUAL) if _compiled(usual).match(text))
    raise account.error(
        "this line was taken for the regular expression with the groups host, clock and event by which the log is read"
        " ({reason}); if it is an event, give the expression by --parser, as in --parser {example}",
        1,
        reason=reason,
        example=f"'{next(fitting, LAYOUTS[0])}'",
    )


def _compiled(text: str) -> re.Pattern[str]:
    """Compile an expression in the syntax of JavaScript or Python. Raises re.error."""
    return re.compile(re.sub(r"\(\?<(?![=!])", "(?P<", text), re.MULTILINE)


def _none(account: Account, record: re.Pattern[str]) -> SourceError:
    return account.error(
        "no event records, as the expression {pattern} says; give another one by --record", None, pattern=record.pattern
    )


def _events(account: Account, pattern: re.Pattern[str], text: str, line: int) -> Iterator[Stamped]:
    """Yield the events of a log. Raises SourceError for an invalid clock."""
    at = 0
    for match in pattern.finditer(text):
        line += text.count("\n", at, match.start())
        at = match.start()
        if empty := tuple(group for group in GROUPS if match[group] is None):
            raise account.error(
                "the expression {pattern} matches without {groups}", line, pattern=pattern.pattern, groups=empty
            )
        clock = _counts(match["program"] if "program" in pattern.groupindex else match["clock"])
        if clock is None or None in clock.values():
            raise account.error("a clock is a JSON object of hosts and numbers", line)
        cut = _counts(match["cut"]) if "cut" in pattern.groupindex else None
        if cut is None and "cut" in pattern.groupindex:
            raise account.error("a cut is a JSON object of snapshots and numbers of events, or null", line)
        yield Stamped(line, match["host"], {host: n for host, n in clock.items() if n}, match["event"], cut)


def _counts(text: str | None) -> dict[str, int | None] | None:
    """Return a JSON object of names and numbers, or null; None if it is anything else."""
    try:
        found = json.loads(text or "")
    except (ValueError, RecursionError):
        return None
    good = isinstance(found, dict) and all(n is None or (type(n) is int and 0 <= n < 1 << 31) for n in found.values())
    return found if good and all(map(encoded, found)) else None


def _mistake(account: Account, found: list[Stamped]) -> SourceError | None:
    """Return what is wrong with the first impossible clock: its own entry grows by one each time, no entry shrinks, and
    what it knows of another host has happened there, with all that the host knew itself."""
    whose: dict[str, list[Stamped]] = {}
    for one in found:
        before = whose.setdefault(one.host, [])
        own, due = one.clock.get(one.host, 0), len(before) + 1
        if own != due:
            return account.error(
                "the own entry of {host} is {own}; at its event {due} it must be {due}",
                one.line,
                host=one.host,
                own=own,
                due=due,
            )
        for host, n in before[-1].clock.items() if before else ():
            if one.clock.get(host, 0) < n:
                return account.error(
                    "{host} knew {n} of {other} before, and no longer", one.line, host=one.host, n=n, other=host
                )
        before.append(one)
    for one, host, n in _learnt(found):
        there = whose.get(host, [])
        if n > len(there):
            return account.error(
                "knows event {n} of {other}, which has {count} event(s)", one.line, n=n, other=host, count=len(there)
            )
        for other, m in there[n - 1].clock.items():
            if other == one.host and m >= one.clock[other]:
                return account.error(
                    "knows event {n} of {other}, in line {line}, which knows this one; one of them is the earlier,"
                    " and cannot know the later",
                    one.line,
                    n=n,
                    other=host,
                    line=there[n - 1].line,
                )
            if one.clock.get(other, 0) < m:
                return account.error(
                    "knows event {n} of {other}, but not the event {m} of {third} that this one knew",
                    one.line,
                    n=n,
                    other=host,
                    m=m,
                    third=other,
                )
    return None


def _learnt(found: list[Stamped]) -> Iterator[tuple[Stamped, str, int]]:
    """Yield each event with what its clock newly knows of another host: the host, and the number of its event."""
    last: dict[str, Mapping[str, int]] = {}
    for one in found:
        before = last.get(one.host, {})
        for host, n in one.clock.items():
            if host != one.host and n > before.get(host, 0):
                yield one, host, n
        last[one.host] = one.clock


def _recorded(account: Account, found: list[Stamped], record: re.Pattern[str] | None) -> None:
    """Put the snapshots of a log into its account: those that the expression finds, otherwise those whose cuts the log
    gives. Raises SourceError if nothing records, or if no snapshot is complete."""
    whole: dict[str, int] = {}
    for one in found:
        whole[one.host] = one.clock[one.host]
        account.processes.setdefault(one.host, len(account.processes))
    for one in found:
        if record is None:
            for name, n in (one.cut or {}).items():
                if n is not None and n > whole[one.host]:
                    raise account.error(
                        "the cut of {snapshot} is behind event {n} of {host}, which has {count} event(s)",
                        *(one.line, "cut"),
                        snapshot=name,
                        n=n,
                        host=one.host,
                        count=whole[one.host],
                    )
                account.cut(one.line, one.host, _numeral(name), n)
        else:
            for seen in record.finditer(one.text):  # within an event, recording comes first
                name = (seen.groupdict().get("snapshot") or ONE).strip()
                if name == ONE and "snapshot" not in record.groupindex:
                    _alone(account, one, record)
                account.cut(one.line, one.host, _numeral(name), one.clock[one.host] - 1)
    if not account.first:
        if record is None:
            raise account.error("no event has a cut of a snapshot; there is nothing to judge", None)
        raise _none(account, record)
    account.check()
    hopeful((account,))


def _alone(account: Account, one: Stamped, record: re.Pattern[str]) -> None:
    """Raise SourceError if another event of the host records, too, and the expression does not say for which
    snapshots."""
    before = account.records.get(_numeral(ONE), {}).get(one.host)
    if before is not None and before.line != one.line:
        raise account.error(
            "{host} records in line {line} already, and the expression {pattern} of --record has no group snapshot,"
            " which says for which one; give it one, as in --record {example}",
            one.line,
            host=one.host,
            line=before.line,
            pattern=record.pattern,
            example=r"'took checkpoint (?<snapshot>\d+)'",
        )


def _numeral(name: str) -> Name:
    return int(name) if name.isdecimal() and len(name) <= DIGITS else name


def _learn(account: Account, found: list[Stamped]) -> None:
    """Put the messages of a log into its account: each is named by the known event, and the event that knows it."""
    lines = {(one.host, one.clock[one.host]): one.line for one in found}
    for one, host, n in _learnt(found):
        received = one.clock[one.host]
        name = f"{host}:{n}->{one.host}:{received}"
        account.messages.add(name)
        account.sent[name] = Sent(account.channel(one.line, host, one.host, {}), n, lines[host, n], None, "")
        account.arrived[name] = Arrived(one.host, received, one.line, None, None)
        account.events += (host, n, "send", name), (one.host, received, "receive", name)
