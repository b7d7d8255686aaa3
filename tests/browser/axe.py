"""What axe finds on a page.

It gives no examples for rules that pass: collecting and transferring half a megabyte of them takes longer than the
check. It gives elements as selectors: writing their markup takes a fifth of its time. It tries all its rules and
reports all violations. Of elements that stand side by side and are alike but for their words and numbers, it sees
three: of a thousand cells, it would find in each what it finds in the first.
"""

import json
from dataclasses import dataclass
from typing import Any

from axe_core_python.base import AXE_SCRIPT  # type: ignore[import-untyped]
from playwright.sync_api import Page

RUN = """async ([most, part]) => {
  const within = document.querySelector(part);
  const values = / (?!class|style|type|role)([\\w:-]+)="[^"]*"/g;
  const alike = (e) => e.outerHTML.replace(/>[^<]+/g, '>_').replace(values, ' $1');
  const rest = [];
  for (const parent of within.querySelectorAll('body *')) {
    if (parent.children.length <= most || rest.some((e) => e.contains(parent))) continue;
    const seen = new Map();
    for (const child of parent.children) {
      const kind = alike(child);
      seen.set(kind, (seen.get(kind) ?? 0) + 1);
      if (seen.get(kind) > most && child.style && !child.contains(document.activeElement)) rest.push(child);
    }
  }
  const before = rest.map((e) => e.style.visibility);
  for (const e of rest) e.style.visibility = 'hidden';
  axe.configure({ noHtml: true });
  const { violations, passes } = await axe.run(within, { resultTypes: ["violations"] });
  rest.forEach((e, i) => { e.style.visibility = before[i]; });
  return JSON.stringify({ violations, passes: passes.map(({ id }) => id) });
}"""
ALIKE = 3
"""How many elements that are alike axe sees. The others are hidden meanwhile, which moves nothing."""


@dataclass(frozen=True, slots=True)
class Found:
    """The violations as axe reports them, and the names of the rules that pass."""

    violations: list[dict[str, Any]]
    passes: list[str]


def readable(page: Page) -> None:
    """Everybody can read the page as it is, and nobody has to scroll sideways."""
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert axe(page).violations == []


def axe(page: Page, part: str = "html") -> Found:
    """Let axe check the page as it is, or only what has been opened on it since then."""
    page.evaluate(AXE_SCRIPT)
    return Found(**json.loads(page.evaluate(RUN, [ALIKE, part])))


def fits(page: Page) -> bool:
    """Is nothing wider than the page?"""
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def violations(page: Page, passed: int = 0) -> list[tuple[str, list[str]]]:
    """Return the violated rules with their first places. More than so many others have to be ``passed``: axe says
    nothing of a page that does not work."""
    found = axe(page)
    assert len(found.passes) > passed, found.passes
    return [(each["id"], [node["target"] for node in each["nodes"]][:3]) for each in found.violations]
