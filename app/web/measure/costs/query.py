"""The visitor's settings: the query string of the page of costs. Every value is one of those at which something was
measured; any other value counts as the nearest."""

from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, model_validator

from app.analysis.cost_runs import along

AXES = {"slow": "straggler", "price": "interval", "mean": "interval", "size": "crowd", "storing": "storage"}
"""By slider, the experiment along which it goes."""


def stops(slider: str) -> tuple[int, ...]:
    """Return the values at which a slider can stand, from small to large."""
    return tuple(along(AXES[slider], slider))


def _on(slider: str) -> BeforeValidator:
    """Return a validator that yields the nearest of the values of a slider, and the middle one if the input is not a
    number."""

    def near(given: Any) -> int:
        values = stops(slider)
        try:
            number = min(max(float(given), values[0]), values[-1])
            return min(values, key=lambda value: abs(value - number))
        except (TypeError, ValueError, OverflowError):
            return values[len(values) // 2]

    return BeforeValidator(near)


Measure = Literal["lasts", "aligns", "waits", "stored", "latency"]
MEASURES: tuple[Measure, ...] = get_args(Measure)


def _known(given: object) -> Any:
    """Return a measure; an unknown one becomes the first."""
    return given if given in MEASURES else MEASURES[0]


class Query(BaseModel):
    """The position of every slider. All are in ticks, except ``size``, which counts processes."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    slow: Annotated[int, _on("slow")] = 7
    measure: Annotated[Measure, BeforeValidator(_known)] = "lasts"
    price: Annotated[int, _on("price")] = 3
    mean: Annotated[int, _on("mean")] = 80
    size: Annotated[int, _on("size")] = 12
    storing: Annotated[int, _on("storing")] = 14
    quiet: bool = True

    @model_validator(mode="before")
    @classmethod
    def fill_unticked(cls, given: object) -> Any:
        """Fill in boxes without a tick: a form does not mention them, but sends ``sent`` to say that they were
        there."""
        if not isinstance(given, dict):
            return given
        ticked = given.get("quiet") not in (None, "", "0", "false")
        return {k: v for k, v in given.items() if v != "" and k != "quiet"} | {
            "quiet": ticked or ("quiet" not in given and "sent" not in given)
        }
