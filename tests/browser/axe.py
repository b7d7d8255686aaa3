"""What axe finds on a page.

Of what it does not complain about, it is asked for no examples: to collect and to carry over half a megabyte of them
takes longer than to look. Its rules are all tried, and what it complains about is told whole.
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
    """The violations as axe tells them, and the names of the rules that the page keeps."""

    violations: list[dict[str, Any]]
    passes: list[str]


def axe(page: Page) -> Found:
    """Let axe look at the page as it is."""
    page.evaluate(AXE_SCRIPT)
    return Found(**json.loads(page.evaluate(RUN)))
