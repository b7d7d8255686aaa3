"""The styles of the player: after every jump the browser looks for the rules of a thousand elements."""

import re
from pathlib import Path

from tests.house.test_source import ROOT

USED = re.compile(r"css/[\w-]+\.css")
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
RULE = re.compile(r"([^{};]+)\{")
ASKS = re.compile(r"(?:^|[\s,])(?::root|html|body):has\(")
ENDS = re.compile(r"(?:^|[\s>+~]):(?:is|not)\((?:[\w-]*[.#][\w-]+(?:, )?){2,}\)\s*(?:,|$)")


def files() -> list[Path]:
    """Return the style sheets of the page of a run."""
    pages = [(ROOT / "templates" / name).read_text("utf-8") for name in ("base.html", "run.html")]
    return [ROOT / "static" / path for page in pages for path in dict.fromkeys(USED.findall(page))]


def selectors(path: Path) -> list[str]:
    return [found[1].strip() for found in RULE.finditer(COMMENT.sub("", path.read_text("utf-8")))]


def test_the_page_is_not_asked_what_is_in_it_whenever_something_in_it_changes() -> None:
    found = [f"{path.name}: {each}" for path in files() for each in selectors(path) if ASKS.search(each)]
    assert not found, found


def test_a_selector_ends_in_a_class_and_not_in_one_of_many() -> None:
    """Browsers file rules by their last class: those that end in a list are tried on every element. On paper it does
    not matter."""
    seen = [path for path in files() if path.name != "print.css"]
    assert len(seen) > 5
    found = [f"{path.name}: {each}" for path in seen for each in selectors(path) if ENDS.search(each)]
    assert not found, found
