"""What comes back: the answers of one person as a signed string, ``bluecut-1.ANSWERS.SIGNATURE``.

Both are base64url. The answers are JSON: ``a`` the assignment's digest, ``n`` the name, ``t`` when they were handed in
(minutes since 1970), ``o`` a number that is larger in what was handed in later, ``k`` a digest of the right answers,
which only the signer can make, and ``g`` what was given: for each question a text, a list of texts, or null.
The signature is HMAC-SHA256 under the key of the server, 128 bits of it. So a string says what this server was told,
and when; it does not say who told it.
"""

import base64
import binascii
import hmac
import json
import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from app.compact_json import compact
from app.core.model.value import Frozen
from app.course.assignment.assignment import LONGEST_NAME, Assignment, person, visible
from app.course.question import Answer, Question

PREFIX = "bluecut-1."
LONGEST = 16_000
"""The most characters of a string."""

_BREAK = r"(?:[ \t]*=?\r?\n[>\s]*)?"
"""Where a mail program has broken a line, and perhaps quoted it."""
_BEGIN_OF_ONE = _BREAK.join(map(re.escape, PREFIX))
_LETTER = rf"(?!{_BEGIN_OF_ONE})[A-Za-z0-9_-]"
_FOUND = re.compile(
    rf"{_BEGIN_OF_ONE}(?:{_BREAK}{_LETTER})+{_BREAK}\.(?:{_BREAK}{_LETTER}){{22}}(?!\.?{_LETTER})"
    rf"|{re.escape(PREFIX)}[A-Za-z0-9_.-]*"
)
_NAME = re.compile(r'"n":("(?:[^"\\]|\\.)*")')
_SIGNED = re.compile(re.escape(PREFIX) + r"([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{22})")
_BEGIN = datetime(1970, 1, 1, tzinfo=UTC)


class HandedIn(Frozen):
    """The answers of a person. ``check`` is the digest of the right ones; what was handed in later has a larger
    ``order``, also where the clock has gone back."""

    assignment: str
    name: str
    minute: int
    check: str
    given: tuple[Answer | None, ...]
    order: int = 0

    @property
    def when(self) -> str:
        """When they were handed in."""
        return (_BEGIN + timedelta(minutes=self.minute)).strftime("%Y-%m-%d %H:%M")


def signed(
    key: bytes,
    given: Assignment,
    name: str,
    asked: Sequence[Question],
    answers: Sequence[Answer | None],
    minute: int,
    order: int = 0,
) -> str:
    """Return the string of a person's answers."""
    said = {
        "a": given.digest,
        "n": name,
        "t": minute,
        "o": order,
        "k": check(key, name, asked),
        "g": [list(one) if isinstance(one, tuple) else one for one in answers],
    }
    text = _encoded(compact(said).encode())
    return f"{PREFIX}{text}.{_signature(key, text)}"


def check(key: bytes, name: str, asked: Sequence[Question]) -> str:
    """Return a digest of the right answers. It changes with the questions, so answers are never judged by others."""
    right = [person(name), *([one.id, list(one.answer), [o.value for o in one.options]] for one in asked)]
    return _encoded(hmac.digest(key, b"check " + compact(right).encode(), "sha256")[:9])


def strings(text: str) -> list[str]:
    """Return the strings in a text, such as a mail with broken lines, whatever stands between them, each once."""
    return list(dict.fromkeys(re.sub(r"[=>\s]", "", one).rstrip(".") for one in _FOUND.findall(text)))


def opened(key: bytes, text: str) -> HandedIn | None:
    """Return the answers in a string; None if this server did not sign it as it is."""
    found = _SIGNED.fullmatch(text)
    if found is None or len(text) > LONGEST or not hmac.compare_digest(_signature(key, found[1]), found[2]):
        return None
    said = json.loads(_decoded(found[1]))
    given = tuple(tuple(one) if isinstance(one, list) else one for one in said["g"])
    return HandedIn(said["a"], said["n"], said["t"], said["k"], given, said.get("o", 0))


def claimed(text: str) -> str:
    """Return the name in a string that is not signed as it is, perhaps only its beginning; empty if it cannot be
    read."""
    letters = text.removeprefix(PREFIX).partition(".")[0]
    try:
        there = _decoded(letters[: len(letters) // 4 * 4]).decode(errors="replace")
        found = _NAME.search(there)
        return visible(json.loads(found[1]))[:LONGEST_NAME] if found else ""
    except (ValueError, binascii.Error):
        return ""


def _signature(key: bytes, text: str) -> str:
    return _encoded(hmac.digest(key, PREFIX.encode() + text.encode(), "sha256")[:16])


def _encoded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def _decoded(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
