"""The command as a user runs it, but in this process: arguments and standard input in, streams and status out."""

import io
import sys
from typing import NamedTuple
from unittest.mock import patch

from app.cli.main import status


class Done(NamedTuple):
    """The result of a command."""

    code: int
    out: str
    err: str


class Stream(io.TextIOWrapper):
    """A stream that is not a terminal."""

    def __init__(self, content: bytes = b"") -> None:
        super().__init__(io.BytesIO(content), encoding="utf-8", write_through=True)

    def text(self) -> str:
        """Return all that was written."""
        buffer = self.buffer
        assert isinstance(buffer, io.BytesIO)
        return buffer.getvalue().decode()


def bluecut(*arguments: str, stdin: bytes = b"") -> Done:
    """Run ``bluecut`` with these arguments."""
    out, err = Stream(), Stream()
    with patch.object(sys, "stdin", Stream(stdin)), patch.object(sys, "stdout", out), patch.object(sys, "stderr", err):
        code = status(list(arguments))
    return Done(code, out.text(), err.text())
