"""The key of a run. The key is the query string: the same key names the same run on every machine.

``choices`` are a person's decisions: at a step, the index of the action taken among the enabled ones. They are
written ``5:2.0,12:3``: after 5 steps take action 2, in the next step action 0; after 12 steps take action 3.
"""

import itertools
import re

from msgspec.structs import replace

from app.core.model.value import Frozen
from app.core.model.values import BluecutError

ENGINE = 6
"""The version of the engine's behaviour. It grows when the same key would give another run, unless that run hung."""

Choices = tuple[tuple[int, int], ...]
MOST_CHOICES = 1_000


class RunKey(Frozen):
    """What names a run beside its scenario; None means what the scenario says."""

    algorithm: str | None = None
    seed: int | None = None
    discipline: str | None = None
    choices: Choices = ()
    drain: bool = False
    """After the choices nothing new begins: what is in flight arrives, and that is the end."""
    manual: bool = False
    """Only the choices happen: a person is the schedule."""

    def branch(self, step: int, index: int) -> "RunKey":
        """Return the key of the run that is the same for ``step`` steps and then takes action ``index``."""
        kept = tuple(choice for choice in self.choices if choice[0] < step)
        return replace(self, choices=(*kept, (step, index)))


def written(choices: Choices) -> str:
    """Return the choices as text."""
    groups: list[tuple[int, list[int]]] = []
    for step, index in choices:
        if groups and step == groups[-1][0] + len(groups[-1][1]):
            groups[-1][1].append(index)
        else:
            groups.append((step, [index]))
    return ",".join(f"{step}:{'.'.join(map(str, indices))}" for step, indices in groups)


def read(text: str) -> Choices:
    """Return the choices that ``text`` writes. Raises BluecutError where it is not of that form."""
    if not text:
        return ()
    choices: list[tuple[int, int]] = []
    for group in text.split(","):
        if not re.fullmatch(r"[0-9]{1,6}:[0-9]{1,6}(\.[0-9]{1,6})*", group):
            raise BluecutError(
                "choices: {group!r} is not of the form STEP:INDEX, as in 5:2 or 5:2.0,12:3", group=group[:40]
            )
        step, indices = group.split(":")
        choices += [(int(step) + i, int(index)) for i, index in enumerate(indices.split("."))]
    if len(choices) > MOST_CHOICES:
        raise BluecutError("choices: {count} of them; at most {most}", count=len(choices), most=MOST_CHOICES)
    if any(b[0] <= a[0] for a, b in itertools.pairwise(choices)):
        raise BluecutError("choices: the steps must increase from left to right")
    return tuple(choices)
