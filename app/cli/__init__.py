"""The command line. Until a command begins, Ctrl-C just ends it, without a stack trace of what was loading."""

import signal
import sys
from pathlib import Path

_called = Path(sys.argv[0])
_ours = _called.stem == "bluecut" or _called == Path(__file__).parents[1] / "__main__.py"  # or python -m app
if _ours and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # ``app.cli.main.main`` restores it
