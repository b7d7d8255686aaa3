"""The fields of a posted form."""

from urllib.parse import parse_qsl

from starlette.requests import Request

from app.core.model.values import BluecutError

MOST_FIELDS = 2_000


async def form_fields(request: Request) -> list[tuple[str, str]]:
    """Return the fields of a posted form as (name, value) pairs, empty ones too. Browsers send lines with CR and LF; a
    value has only LF. Raises BluecutError for more than ``MOST_FIELDS``."""
    body = (await request.body()).decode("utf-8", "replace")
    try:
        pairs = parse_qsl(body, keep_blank_values=True, max_num_fields=MOST_FIELDS)
    except ValueError:
        raise BluecutError("the form has more than {most:,} fields", most=MOST_FIELDS) from None
    return [(name, value.replace("\r\n", "\n")) for name, value in pairs]
