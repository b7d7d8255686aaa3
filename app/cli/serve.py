"""``bluecut serve``: the web application."""

from pathlib import Path
from typing import Any

import click


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option(
    "--port", type=click.IntRange(0, 65_535), default=8000, show_default=True, help="The port (0: a free one)."
)
@click.option("--open", "open_browser", is_flag=True, help="Open a browser.")
@click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder for scenarios and sweeps of visitors.",
)
@click.option(
    "--jobs/--no-jobs",
    "starts",
    default=None,
    help="Let visitors start and stop sweeps and queries on Spark; by default only without --host, --root-path and "
    "--allowed-host, as then no other machine reaches the server.",
)
@click.option(
    "--allowed-host",
    "hosts",
    multiple=True,
    metavar="NAME",
    help="A name under which the server answers, besides those of this machine; may be repeated. *.example.org stands "
    "for all names below it, * for all there are.",
)
@click.option(
    "--report",
    type=click.Path(path_type=Path),
    metavar="DIR|FILE",
    help="A measured sweep, or its report.json, that the Lab shows first.",
)
@click.option(
    "--lessons",
    "lessons_in",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    multiple=True,
    metavar="DIR",
    help="A folder of your own lessons, shown beside the built-in ones; may be repeated.",
)
@click.option(
    "--activities",
    "activities_in",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    multiple=True,
    metavar="DIR",
    help="A folder of your own activities for rooms, offered beside the built-in ones; may be repeated.",
)
@click.option(
    "--root-path",
    "root",
    default="",
    metavar="PATH",
    help="The path below which a proxy shows the site, as in /bluecut.",
)
@click.option(
    "--log",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="The log on standard error: warnings as text, or every answer and error as a line of JSON.",
)
@click.option(
    "--metrics",
    type=click.Choice(["local", "all", "off"]),
    default="local",
    show_default=True,
    help="Who may read /metrics: programs on this machine, everybody, or nobody.",
)
@click.option(
    "--contact",
    default="",
    metavar="TEXT",
    help="Who runs the server, and how to reach them: for the page /privacy.",
)
@click.option(
    "--per-address",
    type=click.IntRange(1),
    metavar="N",
    help="The most connections of one address, by default 512; where a lecture hall is one address, two a phone.",
)
def serve(
    host: str, port: int, open_browser: bool, starts: bool | None, per_address: int | None, **settings: Any
) -> None:
    """Serve the web application and print its address."""
    from app.web.app import Settings  # the server's libraries take a second that other commands save
    from app.web.serve import serve as serve_web

    serve_web(
        Settings(**settings), host=host, port=port, open_browser=open_browser, starts=starts, per_address=per_address
    )
