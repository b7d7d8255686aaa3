"""``python -m app`` is ``bluecut``; and this file is what ``spark-submit`` runs, which needs no command."""

import sys
from pathlib import Path

if not __package__:  # run as a file: Python then searches this folder, not the one with app
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

from app.cli.main import main

if __name__ == "__main__":
    main()
