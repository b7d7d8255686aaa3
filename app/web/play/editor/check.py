"""The editor's verdict on a text: the mistake and its line, or the resulting run."""

from dataclasses import dataclass

from app.core.model.values import BluecutError, Phrase
from app.forms.yaml_source import Source, SourceError, read
from app.run.run import Run, record
from app.scenario.format import VISITOR_BYTES
from app.scenario.scenario import Scenario, build

STEPS = 300
"""How many steps of the run are tried while the visitor types."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """What is wrong, where (the line from 1; None for the whole text), and what would be right."""

    line: int | None
    field: str
    says: Phrase


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The fate of a snapshot. ``consistent`` is None if the oracle cannot say."""

    number: int
    complete: bool
    consistent: bool | None
    unreachable: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Verdict:
    """``source`` is what could be read (None: not even YAML), ``scenario`` what could be built from it."""

    text: str
    source: Source | None = None
    scenario: Scenario | None = None
    run: Run | None = None
    mistake: Mistake | None = None

    @property
    def snapshots(self) -> tuple[Snapshot, ...]:
        """The snapshots of the run, in the order of their ids."""
        if self.run is None:
            return ()
        recordings = self.run.history.recordings
        return tuple(
            Snapshot(
                number,
                recordings[number].completed is not None,
                verdict.checks.get("consistent"),
                tuple(recordings[number].unreachable),
            )
            for number, verdict in self.run.verdicts.items()
        )

    @property
    def excerpt(self) -> str:
        """The text of the line with the mistake."""
        lines = self.text.split("\n")
        return lines[self.mistake.line - 1].strip()[:120] if self.mistake and self.mistake.line else ""


def judged(text: str) -> Verdict:
    """Return the verdict on a visitor's text."""
    source = scenario = None
    try:
        source = read(text, "scenario", limit=VISITOR_BYTES)
        scenario = build(source)
        return Verdict(text, source, scenario, record(scenario, most=STEPS))
    except SourceError as error:
        last = text.count("\n") + 1  # a text that ends too early is wrong after its last line
        mistake = Mistake(error.line and min(error.line, last), error.field, error.says)
    except BluecutError as error:
        mistake = Mistake(None, "", error.phrase)
    return Verdict(text, source, scenario, None, mistake)
