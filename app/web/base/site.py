"""The map of the site: its five places, and the pages in each. The header of every page is made from it.

A page names itself with ``here_is`` in its template; its words are ``page.NAME``.
"""

from app.core.model.value import Frozen


class Place(Frozen):
    """A part of the site: its own page is ``/NAME``, and ``pages`` maps the names of the pages in it to their
    addresses. ``also`` are pages that belong to it without a link of their own in the header."""

    name: str
    pages: dict[str, str]
    also: tuple[str, ...] = ()

    @property
    def address(self) -> str:
        """The address of its own page."""
        return f"/{self.name}"

    def has(self, page: str) -> bool:
        """Does a page belong to it?"""
        return page == self.name or page in self.pages or page in self.also


SITE = (
    Place("learn", {"lessons": "/lessons", "practice": "/quiz", "challenge": "/challenge"}),
    Place("play", {"scenarios": "/scenarios", "editor": "/editor", "write": "/write"}, ("run", "properties")),
    Place("measure", {"costs": "/costs", "recovery": "/recovery", "lab": "/lab", "spark": "/spark"}),
    Place(
        "reference",
        {
            "algorithms": "/algorithms",
            "family": "/family",
            "glossary": "/glossary",
            "history": "/history",
            "theorem": "/theorem",
            "claims": "/claims",
        },
    ),
    Place("teach", {}),
)
