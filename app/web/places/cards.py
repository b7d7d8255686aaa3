"""The cards on the pages of the places to play and to teach: what they lead to, beside the pages of the site."""

from app.scenario.library import FIRST
from app.web.shared.run_head import TOOLS
from app.wire.run_url import written_url

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
    ("0–8", "token", "/lessons/vanishing-token?q=none"),
    ("8–18", "figure", f"/run/{FIRST}"),
    ("18–26", "cut", "/lessons/which-cut?q=orphan"),
    ("26–38", "play", "/activities/eighty-coins/sheet"),
    ("38–43", "order", "/run/non-fifo-lost"),
    ("43–45", "home", "/assign"),
)
"""A lecture of 45 minutes: when each part begins and ends, its name, and its address."""
PLAYLIST = written_url("/playlist", [("item", to) for *_, to in PLAN if to.startswith(("/run", "/lessons"))])
"""What of it is shown, as a playlist."""
