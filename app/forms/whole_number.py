"""A whole number in an address, a form or a header."""


def whole_number(text: str, digits: int = 6) -> int | None:
    """Return the number that up to ``digits`` ASCII digits write; None for any other text.

    Python alone reads other digits, too, and neither signs nor thousands of digits are wanted.
    """
    return int(text) if text.isascii() and text.isdigit() and len(text) <= digits else None
