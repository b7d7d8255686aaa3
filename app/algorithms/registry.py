"""The algorithms by name, in the order in which people meet them."""

from typing import cast

from app.algorithms import chandy_lamport, late_marker, no_channels, photographs, unlabelled
from app.core.algorithm import Algorithm
from app.core.model import BluecutError

ALGORITHMS: dict[str, Algorithm] = {
    module.NAME: cast(Algorithm, module)
    for module in (chandy_lamport, photographs, late_marker, no_channels, unlabelled)
}


def algorithm(name: str) -> Algorithm:
    """The algorithm called ``name``. Raises BluecutError with the known names."""
    try:
        return ALGORITHMS[name]
    except KeyError:
        raise BluecutError("unknown algorithm {name!r}; one of {known}", name=name, known=tuple(ALGORITHMS)) from None
