"""``python -m app`` is ``bluecut``; and this file is what ``spark-submit`` runs, which takes no command."""

import sys
from pathlib import Path

if not __package__:  # run as a file; then Python looks beside it, and not where app is
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

from app.cli.main import main

if __name__ == "__main__":
    main()
