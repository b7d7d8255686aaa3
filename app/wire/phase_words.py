"""The phases of a snapshot in words, the same on every page and in the command's output."""

from collections.abc import Sequence

from app.analysis.phases import ENDS, Phase
from app.words.catalogues import PAUSE, word


def span(phase: Phase, step: int, language: str) -> str:
    """Return a phase and its steps, as far as they are known at ``step``."""
    name = word(f"phase.{phase.name}", language)
    if step < phase.last:
        return word("phase.since", language, phase=name, first=phase.first)
    if phase.end != ENDS:
        return word(f"phase.{phase.end}", language, phase=name, first=phase.first, last=phase.last)
    key = "phase.step" if phase.first == phase.last else "phase.steps"
    return word(key, language, phase=name, first=phase.first, last=phase.last)


def phases_line(phases: Sequence[Phase], step: int, language: str) -> str:
    """Return the phases that have begun by ``step``, in one line."""
    begun = [span(phase, step, language) for phase in phases if phase.first <= step]
    return word("phase.all", language, phases=PAUSE[language].join(begun)) if begun else ""
