"""Contexts of the browser that are used again, test after test.

A page of the player has eighty-five files. A context that has never been there fetches and compiles them all, which
takes three times as long as everything else that a page does; one that was there has them, as the browser of a visitor
has on his second page. What was compiled lives in the process that shows pages, and that lives as long as a page does:
so an empty one stays. What a page may *remember* is another matter: nothing of that is left.
"""

from playwright.sync_api import Browser, BrowserContext, CDPSession, Page

REMEMBERED = "cookies,file_systems,indexeddb,local_storage,service_workers,cache_storage"
"""Everything that a page can keep; not the cache of what was fetched. A session's storage goes with its page."""

MEDIA = ("color_scheme", "reduced_motion", "forced_colors")
OF_THE_PAGE = ("viewport", *MEDIA)
"""What can be said to a page as well as to its context, so that it makes no other kind of context."""


class Drawer:
    """Where contexts lie until a test needs one of that kind again."""

    def __init__(self, browser: Browser, server: str, **usual: object) -> None:
        """``server`` is the address of the application, without the slash at its end; ``usual`` is what a context is
        like of which nothing else is said."""
        self._browser = browser
        self._server = server
        self._usual = {"base_url": server} | usual
        self._kinds: dict[BrowserContext, str] = {}
        self._empty: dict[BrowserContext, tuple[Page, CDPSession]] = {}
        self._lying: dict[str, list[BrowserContext]] = {}

    def take(self, **how: object) -> Page:
        """An empty page in a context that nobody else has and that remembers nothing; keywords are those of a browser
        context. What a test tells the page (``page.route``, ``page.add_init_script``) goes with the page; it must tell
        the context nothing of that sort, which cannot be undone."""
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
        page = context.new_page()
        if "viewport" in how:
            page.set_viewport_size(how["viewport"])  # type: ignore[arg-type]
        if media := {name: value for name, value in how.items() if name in MEDIA}:
            page.emulate_media(**media)  # type: ignore[arg-type]
        return page

    def put_back(self, context: BrowserContext) -> None:
        """Close its pages, let it forget, and lay it beside the others. Raises Error where the browser is gone."""
        empty, session = self._empty[context]
        for page in context.pages:
            if page != empty:
                page.close()
        context.set_offline(False)
        context.clear_permissions()
        session.send("Storage.clearDataForOrigin", {"origin": self._server, "storageTypes": REMEMBERED})
        empty.evaluate("localStorage.clear()")  # also what its process has in hand
        self._lying.setdefault(self._kinds[context], []).append(context)
