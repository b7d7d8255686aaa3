"""A trial: one measured run. It is named by its whole scenario and a seed, so its link opens exactly that run."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from app.analysis.durations import Durations, durations
from app.analysis.ledger import Ledger, ledger
from app.run.run import Run, record
from app.scenario.run_key import RunKey
from app.wire.run_url import written_url
from app.wire.scenario_link import canonical, packed, scenario_in
from app.words.catalogues import LANGUAGES, word


@dataclass(frozen=True, slots=True)
class Trial:
    """``text`` is the scenario in JSON. ``judged`` says that the result is to be compared, too."""

    text: str
    seed: int | None = None
    judged: bool = False

    def url(self, lang: str | None = None) -> str:
        """Return the address of the run."""
        query = {"seed": None if self.seed is None else str(self.seed), "lang": lang}
        return written_url(f"/run/{_ref(self.text)}", {name: value for name, value in query.items() if value})


@lru_cache(maxsize=4_000)
def _ref(text: str) -> str:
    """Return the ref of a scenario in JSON. A page has hundreds of links, the same ones each time."""
    return packed(text)


@dataclass(frozen=True, slots=True)
class Measured:
    """The measurements of a trial: times, and, if the result was asked for, the ``book``."""

    took: Durations
    book: Ledger | None = None


def trial(values: dict[str, Any], title: str, *, seed: int | None = None, judged: bool = False, **fields: Any) -> Trial:
    """Return the trial of a scenario, given as plain values, whose title is a key of the catalogue."""
    words = {language: word(title, language, **fields) for language in LANGUAGES}
    text = canonical({"title": words, **values})
    return Trial(text, seed, judged)


def measured(one: Trial) -> Measured:
    """Make the run and measure its times. Raises BluecutError for an impossible run."""
    run: Run = record(scenario_in(one.text), RunKey(seed=one.seed))
    return Measured(durations(run), ledger(run) if one.judged else None)
