"""What every part of a scenario file is made of: names, counts, and the rule that unknown fields are mistakes."""

from typing import Annotated

from pydantic import ConfigDict, Field, StringConstraints

SNAPSHOTS = 16
STEPS = 20_000

Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{1,12}$", strict=True)]
ChannelName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{1,12}->[A-Za-z0-9_-]{1,12}$", strict=True)]
Count = Annotated[int, Field(ge=0, le=STEPS, strict=True)]

STRICT = ConfigDict(extra="forbid", frozen=True)
"""Unknown fields are mistakes."""
