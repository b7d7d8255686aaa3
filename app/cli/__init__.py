"""The command line. Until a command has begun, Ctrl-C just ends it, and no stack is told of what was being loaded."""

import signal
import sys
from pathlib import Path

if Path(sys.argv[0]).stem == "bluecut" and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # ``app.cli.main.main`` puts it back
