"""The three secrets of a room: its code lets one ask for a seat, the presenter's token leads it, and a seat's token
answers for one phone. None can be made from another, and only their hashes are stored."""

import re
import secrets
from hashlib import sha256

ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Thirty signs, of which no two look alike."""
LENGTH = 6
CODE = re.compile(f"[{ALPHABET}]{{{LENGTH}}}")

WRONG_PER_SECOND = 20
"""How many codes that do not exist are looked up in a second for one address. Beyond that, until the second is over,
right ones are told only where somebody of the room is at the address: a hall is one address to the server."""


def new_code() -> str:
    """Return a code that nobody can foresee."""
    return "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))


def typed(text: str) -> str:
    """Return a code as somebody has typed it: small letters, spaces and hyphens do no harm."""
    return re.sub(r"[\s-]", "", text).upper()


def new_token() -> str:
    """Return 128 random bits as text."""
    return secrets.token_urlsafe(16)


def digest(token: str) -> str:
    """Return what is stored of a token."""
    return sha256(token.encode()).hexdigest()
