"""The visitor's settings: the query string of the page of costs. Every value is one of a few, so that the number of
experiments is limited; any other value counts as the nearest."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, model_validator

from app.analysis.experiments import MEANS, PRICES, SIZES, SLOW, STORING


def _nearest(values: tuple[int, ...]) -> BeforeValidator:
    """Return a validator that yields the nearest of the values, and the middle one if the input is not a number."""

    def near(given: Any) -> int:
        try:
            number = min(max(float(given), values[0]), values[-1])
            return min(values, key=lambda value: abs(value - number))
        except (TypeError, ValueError, OverflowError):
            return values[len(values) // 2]

    return BeforeValidator(near)


Measure = Literal["lasts", "aligns", "waits", "stored", "latency"]
MEASURES: tuple[Measure, ...] = ("lasts", "aligns", "waits", "stored", "latency")


def _known(given: Any) -> Any:
    """Return a measure; an unknown one becomes the first."""
    return given if given in MEASURES else MEASURES[0]


class Query(BaseModel):
    """The position of every slider. All are in ticks, except ``size``, which counts processes."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    slow: Annotated[int, _nearest(SLOW)] = 7
    measure: Annotated[Measure, BeforeValidator(_known)] = "lasts"
    price: Annotated[int, _nearest(PRICES)] = 3
    mean: Annotated[int, _nearest(MEANS)] = 80
    size: Annotated[int, _nearest(SIZES)] = 12
    storing: Annotated[int, _nearest(STORING)] = 14
    quiet: bool = True

    @model_validator(mode="before")
    @classmethod
    def fill_unticked(cls, given: Any) -> Any:
        """Fill in boxes without a tick: a form does not mention them, but sends ``sent`` to say that they were
        there."""
        if not isinstance(given, dict):
            return given
        ticked = given.get("quiet") not in (None, "", "0", "false")
        return {k: v for k, v in given.items() if v != "" and k != "quiet"} | {
            "quiet": ticked or ("quiet" not in given and "sent" not in given)
        }

    def url(self, place: str = "/tradeoffs", lang: str | None = None) -> str:
        """Return the address of the page with these positions."""
        usual = Query()
        turned = {name: value for name, value in self.model_dump().items() if value != getattr(usual, name)}
        if "quiet" in turned:
            turned["quiet"] = 0
        given = [f"{name}={value}" for name, value in turned.items()] + ([f"lang={lang}"] if lang else [])
        return place + ("?" + "&".join(given) if given else "")
