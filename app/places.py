"""Where the files are that are not Python: in the checkout, or inside the installed wheel."""

from pathlib import Path

HERE = Path(__file__).resolve().parent


def place(name: str) -> Path:
    """The folder ``name``: under ``app/_data`` where a wheel put it, otherwise at the top of the checkout."""
    packed = HERE / "_data" / name
    return packed if packed.is_dir() else HERE.parent / name


SCENARIOS = place("scenarios")
STATIC = place("static")
TEMPLATES = place("templates")
