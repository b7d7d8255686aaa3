"""Browser contexts that tests reuse.

A new context fetches and compiles the scripts of the player, which takes as long as everything else that a page does; a
used one has them, like a visitor's browser on the second page. Compiled code lives in the process that renders pages,
which lives as long as a page does: so an empty page stays open. What a page may *remember* is deleted.
"""

from playwright.sync_api import Browser, BrowserContext, CDPSession, Page

REMEMBERED = "cookies,file_systems,indexeddb,local_storage,service_workers,cache_storage"
"""Everything that a page can store, except the cache of fetched files. A session's storage goes with its page."""

MEDIA = ("color_scheme", "reduced_motion", "forced_colors")
OF_THE_PAGE = ("viewport", *MEDIA)
"""Settings that a page can have instead of its context, so that they need no other kind of context."""


class Drawer:
    """Stores contexts until a test needs one of that kind again."""

    def __init__(self, browser: Browser, server: str, **usual: object) -> None:
        """Start empty. ``server`` is the address of the application, without the slash at its end; ``usual`` has the
        default settings of a context."""
        self._browser = browser
        self._server = server
        self._usual = {"base_url": server} | usual
        self._kinds: dict[BrowserContext, str] = {}
        self._empty: dict[BrowserContext, tuple[Page, CDPSession]] = {}
        self._lying: dict[str, list[BrowserContext]] = {}

    def take(self, **how: object) -> Page:
        """Return an empty page in an unused context that remembers nothing; keywords are those of a browser context.
        What a test sets on the page (``page.route``, ``page.add_init_script``) goes with the page; it must set nothing
        of that sort on the context, where it cannot be undone."""
        settings = self._usual | {name: value for name, value in how.items() if name not in OF_THE_PAGE}
        kind = repr(sorted(settings.items()))
        if not self._lying.get(kind):
            context = self._browser.new_context(**settings)  # type: ignore[arg-type]
            self._kinds[context] = kind
            empty = context.new_page()
            empty.goto("/healthz")
            self._empty[context] = empty, context.new_cdp_session(empty)
        else:
            context = self._lying[kind].pop()
            context.clear_cookies()  # the last answer to a page may have come after it was closed
        page = context.new_page()
        if "viewport" in how:
            page.set_viewport_size(how["viewport"])  # type: ignore[arg-type]
        if media := {name: value for name, value in how.items() if name in MEDIA}:
            page.emulate_media(**media)  # type: ignore[arg-type]
        return page

    def put_back(self, context: BrowserContext) -> None:
        """Close its pages, clear it, and store it with the others. Raises Error if the browser is gone."""
        empty, session = self._empty[context]
        for page in context.pages:
            if page != empty:
                page.close()
        context.set_offline(False)
        context.clear_permissions()
        session.send("Storage.clearDataForOrigin", {"origin": self._server, "storageTypes": REMEMBERED})
        empty.evaluate("localStorage.clear()")  # also what its process has in memory
        self._lying.setdefault(self._kinds[context], []).append(context)
