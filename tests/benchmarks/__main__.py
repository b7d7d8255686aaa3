"""Run all benchmarks, or those that are named, and write what they found into ``docs`` and the README.

    .venv/bin/uv run --frozen --group test --group spark --group bench python -m tests.benchmarks [NAME …]

``--against REVISION`` compares this tree with another revision instead, and writes nothing.
"""

import sys

from tests.benchmarks import against, suite

if __name__ == "__main__":
    if sys.argv[1:2] == ["--against"]:
        raise SystemExit(against.main(*sys.argv[2:]))
    suite.main(sys.argv[1:])
