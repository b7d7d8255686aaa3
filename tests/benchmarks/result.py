"""What a benchmark found: one number, and what was hoped for."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Result:
    """One measured number of a benchmark."""

    what: str
    value: float
    unit: str = ""
    """``ratio``: against the reference of the same run."""
    goal: float | None = None
    better: Literal["more", "less"] = "more"
    headline: bool = False
    """Does it stand in the README?"""

    def met(self, pace: float = 1) -> bool | None:
        """Whether the goal was reached, or would be on a machine that is ``1 / pace`` times as fast; None without
        one."""
        if self.goal is None:
            return None
        value = self.at(pace)
        return value >= self.goal if self.better == "more" else value <= self.goal

    def at(self, pace: float) -> float:
        """Return what would be found on a machine that is ``1 / pace`` times as fast."""
        if self.unit in ("s", "ms", "µs"):
            return self.value * pace
        return self.value / pace if self.unit == "per second" else self.value

    def wish(self) -> str:
        """Return the goal in words, empty without one."""
        return "" if self.goal is None else f"{'≥' if self.better == 'more' else '≤'} {number(self.goal)}"


def number(value: float) -> str:
    """Return a number with three digits, or all before the point."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
