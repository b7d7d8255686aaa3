"""The cards on the pages of the places to play and to teach: what they lead to, beside the pages of the site."""

from app.scenario.library import FIRST
from app.web.shared.run_head import TOOLS

Sections = dict[str, dict[str, str]]
"""The cards on the page of a place: by the end of their heading's key, addresses by the names of the cards."""

COMPARED = "/compare/two-regions?with=merged&with=chandy-lamport&with=spezialetti-kearns"
ON_ANY_RUN: Sections = {
    "tools": {name: COMPARED if name == "compare" else f"/{name}" for name in TOOLS if name != "run"}
}
TEACH: Sections = {
    "present": {"present": f"/run/{FIRST}?presenter=1", "playlist": "/playlist", "class": "/lessons?track=class"},
    "paper": {"blank": "/blank", "lesson": "/lessons/vanishing-token/print", "still": f"/run/{FIRST}/step/8"},
    "share": {
        "embed": f"/run/{FIRST}",
        "assign": "/assign",
        "judge": "/write",
        "own": "/editor",
        "collect": "/lessons#progress",
    },
}
LECTURE = (
    ("follow", f"/run/{FIRST}"),
    ("vote", "/lessons/vanishing-token?q=none"),
    ("floor", ""),
    ("play", "/activities/eighty-coins/sheet"),
    ("print", "/assign"),
)
"""How a lecture is held, part by part."""

PLAN = (
    (8, "token", "/lessons/vanishing-token?q=none"),
    (10, "figure", f"/run/{FIRST}"),
    (8, "cut", "/lessons/which-cut?q=orphan"),
    (12, "play", "/activities/eighty-coins/sheet"),
    (5, "order", "/run/non-fifo-lost"),
    (2, "home", "/assign"),
)
"""A lecture of 45 minutes: how long each part takes, its name, and its address."""
