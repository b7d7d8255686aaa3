"""The command line. Until a command begins, Ctrl-C just ends it, without a stack trace of what was loading."""

import signal
import sys
from pathlib import Path

if Path(sys.argv[0]).stem == "bluecut" and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # ``app.cli.main.main`` restores it
