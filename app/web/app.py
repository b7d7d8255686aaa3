"""The web application."""

from importlib.metadata import version
from pathlib import Path

from fastapi import FastAPI
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import PlainTextResponse, Response

from app.course.kept import Kept
from app.web import (
    blank,
    challenge,
    claims,
    compare,
    cuts,
    diagram,
    editor,
    errors,
    family,
    files,
    find,
    gallery,
    glossary,
    history,
    inside,
    jobs,
    kinship,
    lab,
    ledger,
    lessons,
    monitor,
    pages,
    picker,
    quiz,
    stable,
    states,
    swap,
    switches,
    theorem,
    theory,
    tradeoffs,
    waysback,
)
from app.web.assets import Assets
from app.web.costs.laboratory import Laboratory
from app.web.head import Head
from app.web.headers import Headers
from app.web.job import Jobs
from app.web.limits import Limits
from app.web.runs import Runs
from app.web.searches import Searches
from app.web.store import Store, folder_of_data
from app.web.warm import warming
from app.web.watched import Watched


def create_app(
    *,
    data: Path | None = None,
    starts: bool = True,
    exposed: bool = False,
    report: Path | None = None,
    lessons_in: tuple[Path, ...] = (),
) -> FastAPI:
    """Return the application. ``data`` is the folder for visitors' own scenarios; None means the default. ``starts``
    says whether visitors may start and end Spark, ``exposed`` whether other machines can reach the server. ``report``
    is the report that the Lab shows first; None means the shipped one. ``lessons_in`` are folders with teachers'
    lessons."""
    app = FastAPI(
        title="Bluecut",
        version=version("bluecut"),
        docs_url=None,
        redoc_url=None,
        responses=errors.answers(414),
        lifespan=warming,
    )
    app.state.runs = Runs()
    app.state.searches = Searches()
    app.state.laboratory = Laboratory()
    app.state.store = Store(data)
    app.state.data = (data or folder_of_data()).absolute()
    app.state.report = report.absolute() if report else None
    app.state.lessons = Kept(lessons_in)
    app.state.starts = starts
    app.state.exposed = exposed
    app.state.jobs = Jobs(app.state.data / "lab")
    app.state.inside = Watched(app.state.data / "spark", inside.LIMITS)
    app.include_router(pages.router)
    app.include_router(switches.router)
    app.include_router(ledger.router)
    app.include_router(files.router)
    app.include_router(find.router)
    app.include_router(challenge.router)
    app.include_router(gallery.router)
    app.include_router(compare.router)
    app.include_router(cuts.router)
    app.include_router(blank.router)
    app.include_router(waysback.router)
    app.include_router(stable.router)
    app.include_router(states.router)
    app.include_router(diagram.router)
    app.include_router(monitor.router)
    app.include_router(picker.router)
    app.include_router(swap.router)
    app.include_router(claims.router)
    app.include_router(family.router)
    app.include_router(glossary.router)
    app.include_router(history.router)
    app.include_router(kinship.router)
    app.include_router(theorem.router)
    app.include_router(theory.router)
    app.include_router(lessons.router)
    app.include_router(quiz.router)
    app.include_router(tradeoffs.router)
    app.include_router(lab.router)
    app.include_router(inside.router)
    app.include_router(jobs.router)
    app.include_router(editor.router)
    app.add_api_route("/healthz", healthy, include_in_schema=False)
    app.mount("/static", Assets(), name="static")
    errors.install(app)
    app.add_middleware(Limits)
    app.add_middleware(GZipMiddleware, minimum_size=1_000, compresslevel=6)
    app.add_middleware(Head)
    app.add_middleware(Headers)  # the outermost: it also sees the others' answers
    return app


def healthy() -> Response:
    """Return an empty answer: the server is running."""
    return PlainTextResponse("ok")
