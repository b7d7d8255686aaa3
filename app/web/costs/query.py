"""What a visitor has turned: the query string of the page of costs. Every value is one of a few, so that there are only
so many experiments; another one counts as the nearest."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, model_validator

from app.simulator.experiment import MEANS, PRICES, SIZES, SLOW, STORING


def nearest(values: tuple[int, ...]) -> BeforeValidator:
    """The value nearest to what was given; what is no number becomes the middle one."""

    def near(given: Any) -> int:
        try:
            number = min(max(float(given), values[0]), values[-1])
            return min(values, key=lambda value: abs(value - number))
        except (TypeError, ValueError, OverflowError):
            return values[len(values) // 2]

    return BeforeValidator(near)


Measure = Literal["lasts", "aligns", "waits", "stored", "latency"]
MEASURES: tuple[Measure, ...] = ("lasts", "aligns", "waits", "stored", "latency")


def known(given: Any) -> Any:
    """A measure; what is none is the first."""
    return given if given in MEASURES else MEASURES[0]


class Query(BaseModel):
    """The position of every slider. Ticks, but ``size``, which counts processes."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    slow: Annotated[int, nearest(SLOW)] = 7
    measure: Annotated[Measure, BeforeValidator(known)] = "lasts"
    price: Annotated[int, nearest(PRICES)] = 3
    mean: Annotated[int, nearest(MEANS)] = 80
    size: Annotated[int, nearest(SIZES)] = 12
    storing: Annotated[int, nearest(STORING)] = 14
    quiet: bool = True

    @model_validator(mode="before")
    @classmethod
    def told(cls, given: Any) -> Any:
        """A form says nothing of a box without a tick: it sends ``sent`` to say that it was there."""
        if not isinstance(given, dict):
            return given
        ticked = given.get("quiet") not in (None, "", "0", "false")
        return {k: v for k, v in given.items() if v != "" and k != "quiet"} | {
            "quiet": ticked or ("quiet" not in given and "sent" not in given)
        }

    def url(self, place: str = "/tradeoffs", lang: str | None = None) -> str:
        """The address of the page with these positions."""
        usual = Query()
        turned = {name: value for name, value in self.model_dump().items() if value != getattr(usual, name)}
        if "quiet" in turned:
            turned["quiet"] = 0
        given = [f"{name}={value}" for name, value in turned.items()] + ([f"lang={lang}"] if lang else [])
        return place + ("?" + "&".join(given) if given else "")
