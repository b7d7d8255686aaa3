"""The head of every page about a run: its title, a choice of other runs, and a tab for each tool. The tabs keep the
run, its key and its step."""

from functools import lru_cache

from app.core.model.value import Frozen
from app.core.model.values import Json
from app.pictures.layout.text_width import measure
from app.run.run import Run
from app.scenario.library import LIBRARY
from app.web.base.templates import Context
from app.web.shared.compare_links import door
from app.web.shared.visit import Visit
from app.wire.run_url import Address

TOOLS = ("run", "cuts", "swap", "states", "stable", "compare", "quiz", "blank")
"""The tools, in the order of their tabs; each is also the first part of its addresses."""
PARTS = {"swap": ("swap", "theorem"), "states": ("states", "diagram", "picker"), "stable": ("stable", "monitor")}
"""The tools that consist of several pages."""
SHEET = 120
"""A run of more steps does not fit on a sheet of paper."""

LENGTHS = {"short": 15, "medium": 19.6, "long": 23.6}
"""The longest titles of each kind, in em; each has a least width in ``top.css``, in which it takes two lines."""

Reason = tuple[str, dict[str, Json]]


class Tab(Frozen):
    """A tool for this run. ``reason`` (the end of a key, and its values) says why it cannot be used here."""

    name: str
    address: str
    here: bool
    reason: Reason | None


class RunHead(Frozen):
    """``tool`` is the current one, ``others`` (ref, title) the runs to choose from, and
    ``parts`` (name, address, current?) the pages of the tool if there are several."""

    title: str
    ref: str
    tool: str
    tabs: tuple[Tab, ...]
    parts: tuple[tuple[str, str, bool], ...]
    others: tuple[tuple[str, str], ...]

    @property
    def length(self) -> str:
        """How much room the title needs: a key of ``LENGTHS``, or nothing if it needs more."""
        return next((name for name, most in LENGTHS.items() if measure(self.title, 1) <= most), "")


def run_head(shown: Visit, page: str, snapshot: int | None = None) -> Context:
    """Return what every page about a run gets: its ``head``, ``title``, ``address`` and ``run``, and whether the link
    is ``stale``. The other pages of the tool are about the same ``snapshot``."""
    return head_of(shown.address, shown.run, page, shown.language, snapshot) | {
        "title": getattr(shown.scenario.form.title, shown.language),
        "address": shown.address,
        "run": shown.run,
        "stale": shown.stale,
    }


def head_of(here: Address, run: Run, page: str, spoken: str, snapshot: int | None = None) -> Context:
    """Return the ``head`` of a page with an address of its own."""
    tool = next((name for name, parts in PARTS.items() if page in parts), page)
    tabs = tuple(Tab(name, _address_of(here, name), name == tool, _why_not(name, run)) for name in TOOLS)
    parts = tuple(
        (part, _address_of(here, part, snapshot), part == page)
        for part in PARTS.get(tool, ())
        if part == page or fits(part, run)
    )
    title = getattr(here.scenario.form.title, spoken)
    head = RunHead(title, here.ref, tool, tabs, parts, titles(spoken))
    return {"head": head}


def _address_of(here: Address, tool: str, snapshot: int | None = None) -> str:
    if tool == "run":
        return here.here
    if tool == "compare":
        return door(here)
    return here.link_to(tool, snapshot=snapshot, step=here.step or None)


def _why_not(tool: str, run: Run) -> Reason | None:
    """Return why a tool cannot be used on a run, or None if it can."""
    if tool == "swap" and not any(one.completed is not None for one in run.history.recordings.values()):
        return ("open" if run.history.recordings else "none", {})
    if tool == "quiz" and not run.steps:
        return ("empty", {})
    if tool == "blank" and len(run.steps) > SHEET:
        return ("long", {"steps": len(run.steps), "most": SHEET})
    return None


def fits(part: str, run: Run) -> bool:
    """Does a page of a tool have something to show of a run?"""
    taken, kind = len(run.history.recordings), run.scenario.form.program.kind
    if part == "diagram":
        return kind != "dataflow"
    if part == "picker":
        return taken > 0 and kind == "variables"
    return part != "monitor" or taken > 1


@lru_cache(maxsize=4)
def titles(spoken: str) -> tuple[tuple[str, str], ...]:
    """Return the runs of the library to choose from, with their titles."""
    return tuple((name, getattr(LIBRARY.scenario(name).form.title, spoken)) for name in LIBRARY.names())
