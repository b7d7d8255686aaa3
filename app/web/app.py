"""The web application."""

import asyncio
import pkgutil
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from functools import partial
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from types import ModuleType

from fastapi import FastAPI
from msgspec.structs import replace
from starlette.middleware.gzip import GZipMiddleware

from app import web
from app.core.model.topology import Topology, named
from app.core.model.value import Frozen
from app.course.activity_store import Activities
from app.course.lesson_store import Kept
from app.scenario.library import FIRST, LIBRARY
from app.scenario.run_key import RunKey
from app.web.base import errors
from app.web.base.assets import Assets
from app.web.base.glossary_links import known
from app.web.base.head_requests import Head
from app.web.base.hosts import ANY, Hosts
from app.web.base.limits import Limits
from app.web.base.root import Root, readable_root
from app.web.base.security_headers import Headers
from app.web.base.store import Store, folder_of_data
from app.web.base.templates import ENVIRONMENT, edition
from app.web.measure.lab.sweep_jobs import Jobs
from app.web.measure.spark import routes as spark
from app.web.measure.spark.query_process import Watched
from app.web.operate import health
from app.web.operate.logs import Kind, made_with_logs
from app.web.operate.numbers import Numbers, watched_loop
from app.web.operate.watch import RouteNames, Watch
from app.web.shared.run_cache import Runs
from app.web.shared.search_queue import Searches
from app.web.teach.rooms import activity_routes, phone_routes, presenter_routes
from app.web.teach.rooms.rooms import Rooms
from app.web.workers.edition import Edition
from app.web.workers.kept_answers import MOST_BYTES, KeptAnswers, kept
from app.web.workers.pool import Pool
from app.web.workers.turns import Turns, line_of_pages

_FIRST = (activity_routes, phone_routes, presenter_routes)
"""What a whole hall asks in one instant: looking through all others before takes a quarter of what a vote costs."""


def _with_routes() -> Iterator[ModuleType]:
    """Yield all modules that have a ``router``. No address fits patterns of two of them."""
    yield from _FIRST
    for found in pkgutil.walk_packages(web.__path__, f"{web.__name__}."):
        if found.name.count(".") > 2:  # beside this file is what serves it
            module = import_module(found.name)
            if hasattr(module, "router") and module not in _FIRST:
                yield module


PAGES = tuple(_with_routes())
"""The modules with routes."""

GRID = tuple(f"P{i}" for i in range(13))
"""Enough processes for the layout that loads the most."""


class Settings(Frozen):
    """How the application is served. ``data`` is the folder for visitors' own scenarios; None means the default.
    ``starts`` says whether visitors may start and end Spark, ``exposed`` whether other machines can reach the server,
    and ``lan`` where phones do. ``report`` is the report that the Lab shows first; None means the shipped one.
    ``lessons_in`` and ``activities_in`` are folders of teachers. ``root`` is the path below which a proxy shows the
    site, ``log`` how workers write theirs, ``metrics`` who may read the numbers. ``hosts`` are the names under which it
    answers, besides those of the machine. ``workers`` processes compute what is expensive, or with 0 this process
    itself; ``keep`` is the most memory of all answers that are kept. ``contact`` says who runs the server."""

    data: Path | None = None
    starts: bool = True
    exposed: bool = False
    lan: str = ""
    report: Path | None = None
    lessons_in: tuple[Path, ...] = ()
    activities_in: tuple[Path, ...] = ()
    root: str = ""
    log: Kind = "text"
    metrics: health.Open = "local"
    workers: int = 0
    keep: int = MOST_BYTES
    hosts: tuple[str, ...] = (ANY,)
    contact: str = ""


DEFAULTS = Settings()


def create_app(settings: Settings = DEFAULTS) -> FastAPI:
    """Return the application."""
    app = FastAPI(
        title="Bluecut",
        version=version("bluecut"),
        docs_url=None,
        redoc_url=None,
        responses=errors.answers(414),
        lifespan=_living,
    )
    app.state.settings = settings
    app.state.runs = Runs()
    app.state.searches = Searches()
    app.state.store = Store(settings.data)
    app.state.data = (settings.data or folder_of_data()).absolute()
    app.state.rooms = Rooms(app.state.data, activities=Activities(settings.activities_in))
    app.state.lessons = Kept(settings.lessons_in)
    app.state.jobs = Jobs(app.state.data / "lab")
    app.state.inside = Watched(app.state.data / "spark", spark.LIMITS)
    again = partial(create_app, replace(settings, workers=0, keep=0))
    make = partial(made_with_logs, settings.log, again)
    pool = app.state.pool = Pool(make, settings.workers) if settings.workers else None
    for module in PAGES:
        app.include_router(module.router)
    assets = Assets()
    app.mount("/static", assets, name="static")
    errors.install(app)
    app.add_middleware(Turns, pages=(pages := line_of_pages()), elsewhere=kept)
    app.add_middleware(Limits)
    app.add_middleware(GZipMiddleware, minimum_size=1_000, compresslevel=4)  # half the time of 6, for 5 % more
    app.add_middleware(Head)
    app.add_middleware(Headers)  # it also sees the others' answers
    numbers = app.state.numbers = Numbers(app.version, pool.line if pool else None)
    numbers.bytes |= {"runs": lambda: app.state.runs.cache.bytes, "files": lambda: assets.bytes}
    seen = app.state.edition = Edition(app.state.lessons)
    app.add_middleware(KeptAnswers, pool=pool, edition=seen, most=settings.keep, sizes=numbers.bytes, pages=pages)
    names = RouteNames((route for module in PAGES for route in module.router.routes), ("static",))
    app.add_middleware(Hosts, names=settings.hosts, exposed=settings.exposed)
    app.add_middleware(Watch, numbers=numbers, route_of=names.of)
    app.add_middleware(Root, root=readable_root(settings.root, _first_words(app)))
    return app


@asynccontextmanager
async def _living(app: FastAPI) -> AsyncIterator[None]:
    """Warm up and tidy up in parallel with the first answers; watch how late the event loop is and which files are
    there, and keep rooms alive, as long as the server runs. The query that visitors watch ends with it."""
    rooms, pool, looks = app.state.rooms, app.state.pool, (edition.kept(), app.state.edition.kept())
    watching = [
        asyncio.create_task(each) for each in (watched_loop(app.state.numbers), rooms.living(), rooms.playing(), *looks)
    ]
    begin = {"warm": partial(warm, app), "tidy": app.state.jobs.open} | ({"workers": pool.warm} if pool else {})
    for name, work in begin.items():
        threading.Thread(target=work, daemon=True, name=name).start()
    yield
    app.state.inside.leave()
    if pool:
        pool.close()
    for each in watching:
        each.cancel()


def _first_words(app: FastAPI) -> frozenset[str]:
    routes = [*app.routes, *(route for module in PAGES for route in module.router.routes)]
    return frozenset(str(getattr(route, "path", "")).strip("/").partition("/")[0] for route in routes)


def warm(app: FastAPI) -> None:
    """Load what pages about runs use."""
    app.state.runs.recorded(LIBRARY.scenario(FIRST), RunKey())
    known()
    for template in ("run.html", "step.html"):
        ENVIRONMENT.get_template(template)
    _ = Topology(GRID, named("random", list(GRID))).layout  # the property loads its libraries when it is read
