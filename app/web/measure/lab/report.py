"""The report of a sweep as the web application reads it; ``app.analysis.sweep_report`` describes it."""

import json
from pathlib import Path

from pydantic import ValidationError

from app.analysis.sweep_report import MOST_BYTES, VERSION, Report
from app.cache import Cache
from app.core.model.values import Phrase
from app.forms.explain import Problem, quoted_value, want
from app.forms.json_shape import mapping
from app.scenario.library import Unknown

AGAINST = ("channels", "processes", "diameter")


class Unread(Unknown):
    """There is no report to show; the text says why."""


_reports = Cache[tuple[Path, int, int], Report](256_000_000)
"""Reports by file, time of change and size."""


def report(file: Path) -> Report:
    """Return the report in a file; reports are cached. Raises Unread if it is missing, broken or of another
    version."""
    try:
        stat = file.stat()
    except OSError:
        raise Unread("there is no report of this sweep; it may still be at work, or have been deleted") from None
    if stat.st_size > MOST_BYTES:
        raise Unread("the report of this sweep is larger than {most:,} bytes", most=MOST_BYTES)
    return _reports.get((file, stat.st_mtime_ns, stat.st_size), lambda: _parsed(file))


def _parsed(file: Path) -> Report:
    try:
        values = json.loads(file.read_bytes())
    except (OSError, ValueError, RecursionError):
        values = None
    version = mapping(values).get("version")
    if not isinstance(version, int):
        raise Unread("the report of this sweep is damaged; measure the sweep once more: bluecut measure DIR")
    if version != VERSION:
        raise Unread(
            "the report of this sweep is of version {version}, and this page reads version {known}; "
            "measure the sweep once more: bluecut measure DIR",
            version=values["version"],
            known=VERSION,
        )
    try:
        made = Report.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        raise _damaged(".".join(str(part) for part in first["loc"]), _misread(first)) from None
    known = {group.id: group for group in made.groups}
    for place, sample in enumerate(made.samples):
        if sample.group not in known:
            raise _damaged(f"samples.{place}.group", Phrase("there is no group {group}", group=sample.group))
        if not sample.at(known[sample.group]).startswith("/run/"):
            raise _damaged(f"samples.{place}.url", Phrase("this leads to no run"))
    return made


def _misread(problem: Problem) -> Phrase:
    """Return our own words for what is wrong with a field: those of a validator of this module, or what would be
    right."""
    if problem["type"] == "value_error":
        said: Phrase = problem["ctx"]["error"].args[0]
        return said
    if problem["type"] == "missing":
        return Phrase("missing; it must be given")
    return Phrase("must be {wanted}, not {got}", wanted=want(problem), got=quoted_value(problem["input"]))


def _damaged(field: str, reason: Phrase) -> Unread:
    return Unread(
        "the report of this sweep is damaged, at {field}: {reason}; measure the sweep once more: bluecut measure DIR",
        field=field,
        reason=reason,
    )
