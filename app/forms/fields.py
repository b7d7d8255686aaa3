"""What every part of a scenario file is made of: names, counts, and the rule that unknown fields are mistakes."""

from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import ConfigDict, Field, GetCoreSchemaHandler, GetJsonSchemaHandler, StringConstraints, ValidationInfo
from pydantic_core import CoreSchema, PydanticKnownError, core_schema

SNAPSHOTS = 16
STEPS = 20_000

Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{1,12}$", strict=True)]
ChannelName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{1,12}->[A-Za-z0-9_-]{1,12}$", strict=True)]

UNLIMITED = {"limited": False}
"""The context in which a scenario may be larger than a server takes: on the command line."""


@dataclass(frozen=True, slots=True)
class Most:
    """The most items of a list, characters of a text, or the largest number that a server takes."""

    most: int

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.with_info_after_validator_function(self._check, handler(source))

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, object]:
        made = handler(schema)
        return made | {{"array": "maxItems", "string": "maxLength", "integer": "maximum"}[made["type"]]: self.most}

    def _check(self, value: Any, info: ValidationInfo) -> Any:
        size = value if isinstance(value, int) else len(value)
        if size <= self.most or info.context is UNLIMITED:
            return value
        match value:
            case int():
                raise PydanticKnownError("less_than_equal", {"le": self.most})
            case str():
                raise PydanticKnownError("string_too_long", {"max_length": self.most})
        raise PydanticKnownError("too_long", {"field_type": "List", "max_length": self.most, "actual_length": size})


Count = Annotated[int, Field(ge=0, strict=True), Most(STEPS)]

STRICT = ConfigDict(extra="forbid", frozen=True)
"""Unknown fields are mistakes."""
