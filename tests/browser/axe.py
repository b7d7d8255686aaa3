"""What axe finds on a page.

It gives no examples for rules that pass: collecting and transferring half a megabyte of them takes longer than the
check. All its rules are tried, and violations are reported in full.
"""

import json
from dataclasses import dataclass
from typing import Any

from axe_core_python.base import AXE_SCRIPT  # type: ignore[import-untyped]
from playwright.sync_api import Page

RUN = """async () => {
  const { violations, passes } = await axe.run(document, { resultTypes: ["violations"] });
  return JSON.stringify({ violations, passes: passes.map(({ id }) => id) });
}"""


@dataclass(frozen=True, slots=True)
class Found:
    """The violations as axe reports them, and the names of the rules that pass."""

    violations: list[dict[str, Any]]
    passes: list[str]


def axe(page: Page) -> Found:
    """Let axe check the page as it is."""
    page.evaluate(AXE_SCRIPT)
    return Found(**json.loads(page.evaluate(RUN)))
