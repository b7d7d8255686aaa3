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
from app.pipeline.external.line_numbers import Places
from app.pipeline.external.to_rows import Account, hopeful, numbered
from app.pipeline.rows.from_run import Rows
from app.pipeline.rows.schema import KINDS

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
    recording = None if record is None else _recorder(record, file.name, text)
    first, _, rest = text.partition("\n")
    own = parser is None
    if parser is not None:
        pattern = _expression(parser, GROUPS, "--parser")
    elif first.strip():
        pattern = _heading(file.name, first, text)
    else:
        pattern = _expression(USUAL, GROUPS, file.name)
    if recording is None and "cut" not in pattern.groupindex:
        says = Phrase(
            "nothing says which events record a snapshot; give an expression by --record, as in --record {example}",
            example=r"'took checkpoint (?<snapshot>\d+)'",
        )
        raise SourceError(file.name, None, "", says)
    found = list(_events(file.name, pattern, rest if own else text, 2 if own else 1))
    if not found:
        says = Phrase("the expression {pattern} matches nothing in it", pattern=pattern.pattern)
        raise SourceError(file.name, None, "", says)
    if wrong := _mistake(found):
        raise SourceError(file.name, wrong[0].line, "", wrong[1])
    account = Account(file.name)
    _recorded(account, found, recording)
    rows, messages = _traced(account, found)
    return Foreign(
        (rows,),
        (messages,),
        (account.snapshots.named(),),
        (account.open,),
        alone="program" not in pattern.groupindex,
        places=(_placed(account, found),),
    )


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


def _recorder(record: str, name: str, text: str) -> re.Pattern[str]:
    """Return the expression that says which events record. Raises BluecutError if it cannot fit this text."""
    made = _expression(record, (), "--record")
    if made.groups and "snapshot" not in made.groupindex:
        raise BluecutError(
            "--record: {pattern} has a group, and none of the name snapshot, which says for which one a process"
            " records; write (?<snapshot>...), and (?:...) where parentheses only hold together",
            pattern=record,
        )
    if not re.search(LOOKING, made.pattern) and not made.search(text):
        raise _none(name, made)
    return made


def _heading(name: str, first: str, text: str) -> re.Pattern[str]:
    """Return the expression in the first line of a log, which may instead be an event. Raises SourceError."""
    try:
        made = _compiled(first)
        if all(group in made.groupindex for group in GROUPS):
            return made
        reason = Phrase("{missing} missing", missing=tuple(group for group in GROUPS if group not in made.groupindex))
    except re.error as error:
        reason = Phrase("not a regular expression: {reason}", reason=error.msg)
    fitting = (usual for usual in (*LAYOUTS, USUAL) if _compiled(usual).match(text))
    says = Phrase(
        "this line was taken for the regular expression with the groups host, clock and event by which the log is read"
        " ({reason}); if it is an event, give the expression by --parser, as in --parser {example}",
        reason=reason,
        example=f"'{next(fitting, LAYOUTS[0])}'",
    )
    raise SourceError(name, 1, "", says)


def _compiled(text: str) -> re.Pattern[str]:
    """Compile an expression in the syntax of JavaScript or Python. Raises re.error."""
    return re.compile(re.sub(r"\(\?<(?![=!])", "(?P<", text), re.MULTILINE)


def _none(name: str, record: re.Pattern[str]) -> SourceError:
    says = Phrase(
        "no event records, as the expression {pattern} says; give another one by --record", pattern=record.pattern
    )
    return SourceError(name, None, "", says)


def _events(name: str, pattern: re.Pattern[str], text: str, line: int) -> Iterator[Stamped]:
    """Yield the events of a log. Raises SourceError for an invalid clock."""
    at = 0
    for match in pattern.finditer(text):
        line += text.count("\n", at, match.start())
        at = match.start()
        if empty := tuple(group for group in GROUPS if match[group] is None):
            says = Phrase("the expression {pattern} matches without {groups}", pattern=pattern.pattern, groups=empty)
            raise SourceError(name, line, "", says)
        clock = _counts(match["program"] if "program" in pattern.groupindex else match["clock"])
        if clock is None or None in clock.values():
            raise SourceError(name, line, "", Phrase("a clock is a JSON object of hosts and numbers"))
        cut = _counts(match["cut"]) if "cut" in pattern.groupindex else None
        if cut is None and "cut" in pattern.groupindex:
            raise SourceError(
                name, line, "", Phrase("a cut is a JSON object of snapshots and numbers of events, or null")
            )
        yield Stamped(line, match["host"], {host: n for host, n in clock.items() if n}, match["event"], cut)


def _counts(text: str | None) -> dict[str, int | None] | None:
    """Return a JSON object of names and numbers, or null; None if it is anything else."""
    try:
        found = json.loads(text or "")
    except (ValueError, RecursionError):
        return None
    good = isinstance(found, dict) and all(n is None or (type(n) is int and 0 <= n < 1 << 31) for n in found.values())
    return found if good and all(map(encoded, found)) else None


def _mistake(found: list[Stamped]) -> tuple[Stamped, Phrase] | None:
    """Return the first event with an impossible clock, and what is wrong: its own entry grows by one each time, no
    entry shrinks, and what it knows of another host has happened there, with all that the host knew itself."""
    whose: dict[str, list[Stamped]] = {}
    for one in found:
        before = whose.setdefault(one.host, [])
        own, due = one.clock.get(one.host, 0), len(before) + 1
        if own != due:
            return (
                one,
                Phrase(
                    "the own entry of {host} is {own}; at its event {due} it must be {due}",
                    host=one.host,
                    own=own,
                    due=due,
                ),
            )
        for host, n in before[-1].clock.items() if before else ():
            if one.clock.get(host, 0) < n:
                return one, Phrase("{host} knew {n} of {other} before, and no longer", host=one.host, n=n, other=host)
        before.append(one)
    for one, host, n in _learnt(found):
        there = whose.get(host, [])
        if n > len(there):
            return (
                one,
                Phrase("knows event {n} of {other}, which has {count} event(s)", n=n, other=host, count=len(there)),
            )
        for other, m in there[n - 1].clock.items():
            if other == one.host and m >= one.clock[other]:
                return (
                    one,
                    Phrase(
                        "knows event {n} of {other}, in line {line}, which knows this one; one of them is the earlier,"
                        " and cannot know the later",
                        n=n,
                        other=host,
                        line=there[n - 1].line,
                    ),
                )
            if one.clock.get(other, 0) < m:
                return (
                    one,
                    Phrase(
                        "knows event {n} of {other}, but not the event {m} of {third} that this one knew",
                        n=n,
                        other=host,
                        m=m,
                        third=other,
                    ),
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
                    says = Phrase(
                        "the cut of {snapshot} is behind event {n} of {host}, which has {count} event(s)",
                        snapshot=name,
                        n=n,
                        host=one.host,
                        count=whole[one.host],
                    )
                    raise SourceError(account.file, one.line, "cut", says)
                account.cut(one.line, one.host, _numeral(name), n)
        else:
            for seen in record.finditer(one.text):  # within an event, recording comes first
                name = (seen.groupdict().get("snapshot") or ONE).strip()
                if name == ONE and "snapshot" not in record.groupindex:
                    _alone(account, one, record)
                account.cut(one.line, one.host, _numeral(name), one.clock[one.host] - 1)
    if not account.first:
        if record is None:
            says = Phrase("no event has a cut of a snapshot; there is nothing to judge")
            raise SourceError(account.file, None, "", says)
        raise _none(account.file, record)
    account.check()
    hopeful((account,))


def _alone(account: Account, one: Stamped, record: re.Pattern[str]) -> None:
    """Raise SourceError if another event of the host records, too, and the expression does not say for which
    snapshots."""
    before = account.records.get(_numeral(ONE), {}).get(one.host)
    if before is not None and before.line != one.line:
        says = Phrase(
            "{host} records in line {line} already, and the expression {pattern} of --record has no group snapshot,"
            " which says for which one; give it one, as in --record {example}",
            host=one.host,
            line=before.line,
            pattern=record.pattern,
            example=r"'took checkpoint (?<snapshot>\d+)'",
        )
        raise SourceError(account.file, one.line, "", says)


def _numeral(name: str) -> Name:
    return int(name) if name.isdecimal() and len(name) <= DIGITS else name


def _placed(account: Account, found: list[Stamped]) -> Places:
    """Return the lines in which the events of a log begin."""
    lines = {(one.host, one.clock[one.host]): one.line for one in found}
    channels: dict[str, tuple[Name, Name]] = {}
    sent: dict[Name, int] = {}
    received: dict[Name, int] = {}
    for one, host, n in _learnt(found):
        name = _called(one, host, n)
        channels[f"{host}->{one.host}"] = (host, one.host)
        sent[name], received[name] = lines[host, n], one.line
    return Places(account.file, channels, sent, received, account.recording(), {})


def _called(one: Stamped, host: str, n: int) -> str:
    """Return the name of the message by which an event knows that of another host."""
    return f"{host}:{n}->{one.host}:{one.clock[one.host]}"


def _traced(account: Account, found: list[Stamped]) -> tuple[Rows, dict[int, Name]]:
    """Return the rows of a log, and the names of its messages: the known event, and the event that knows it."""
    rows: Rows = {kind: [] for kind in KINDS}
    place = account.processes
    at: dict[tuple[str, str], int] = {}
    messages: dict[int, Name] = {}
    for identity, (one, host, n) in enumerate(_learnt(found)):
        channel = at.setdefault((host, one.host), len(at))
        received = one.clock[one.host]
        messages[identity] = _called(one, host, n)
        rows["message"].append(
            {"message": identity, "channel": channel, "sent": n, "received": received, "lost": False}
        )
        for event, process, position in (("send", host, n), ("receive", one.host, received)):
            rows["event"].append({"process": place[process], "position": position, "event": event, "message": identity})
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
    rows["run"] = [account.run(rows, account.file, ordered=False)]
    return numbered(rows, 0), messages
