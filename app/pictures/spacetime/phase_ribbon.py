"""The ribbon below a space-time diagram: the phases of its snapshot, up to now."""

from msgspec.structs import replace

from app.analysis.phases import ENDS, phases
from app.pictures.layout.colours import Text, current
from app.pictures.layout.text_width import measure
from app.pictures.spacetime.options import FINE, Look
from app.pictures.spacetime.shapes import Band, Timeline
from app.run.run import Run
from app.wire.phase_words import span
from app.words.catalogues import word

ROOM = 12.0
"""How much height it adds to a diagram."""


def with_ribbon(drawn: Timeline, run: Run, step: int, language: str, look: Look) -> Timeline:
    """Return the diagram with its ribbon, if it shows now and a snapshot has begun. Beside a text, which does not
    explain phases, it has none."""
    number = (look.only or current(run, step)) if look.now and look.records and not look.narrow else None
    if number is None:
        return drawn
    bands = []
    for phase in phases(run)[number]:
        left = max(0.0, drawn.now + (phase.first - 1 - step) * drawn.unit)
        right = min(drawn.room, drawn.now + (min(phase.last, step) - step) * drawn.unit)
        if phase.first > step or right <= left:
            continue
        name = word(f"phase.{phase.name}", language)
        fits = measure(name, FINE) + 8 <= right - left
        text = Text((left + right) / 2, drawn.height + ROOM - 6, FINE, name if fits else "", "middle")
        about = word(f"phase.{phase.name}.about", language)
        said = word("phase.said", language, phase=span(phase, step, language), about=about)
        bands.append(Band(phase.name, left, right, text, said, phase.end != ENDS and step >= phase.last))
    return replace(drawn, height=drawn.height + ROOM, ribbon=tuple(bands))
