"""Run benchmarks and write what they print into ``docs/benchmarks.md``, each below the heading with its name.

    .venv/bin/uv run --frozen --group test python -m tests.benchmarks kernel wire

``--against REVISION`` compares this tree with another revision instead, and writes nothing.
"""

import re
import subprocess
import sys
from pathlib import Path

from tests.benchmarks import against

PAGE = Path(__file__).parents[2] / "docs" / "benchmarks.md"


def section(name: str) -> re.Pattern[str]:
    """Return what finds the figures of a benchmark on the page."""
    return re.compile(rf"(^### {re.escape(name)}\n(?:(?!^#).)*?)```text\n.*?^```$", re.MULTILINE | re.DOTALL)


def written(page: str, name: str, figures: str) -> str:
    """Return the page with new figures of a benchmark. Raises SystemExit if it has no heading for them."""
    figures = figures.rstrip().lstrip("\n")
    block = f"```text\n{figures}\n```"
    page, found = section(name).subn(lambda head: head[1] + block, page)
    if not found:
        raise SystemExit(f"{PAGE.name} has no heading ### {name} with a block of text below")
    return page


def main() -> None:
    """Run the benchmarks that are named, one after another; or compare with a revision."""
    if sys.argv[1:2] == ["--against"]:
        raise SystemExit(against.main(*sys.argv[2:]))
    if not sys.argv[1:]:
        raise SystemExit(f"name benchmarks to run: {' '.join(re.findall('(?m)^### (.+)$', PAGE.read_text('utf-8')))}")
    for name in sys.argv[1:]:
        command = [sys.executable, "-m", f"tests.benchmarks.{name}"]
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
        print(done.stdout)
        PAGE.write_text(written(PAGE.read_text("utf-8"), name, done.stdout), "utf-8")


if __name__ == "__main__":
    main()
