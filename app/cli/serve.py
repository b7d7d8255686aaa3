"""``bluecut serve``: the web application."""

from pathlib import Path

import click


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option(
    "--port", type=click.IntRange(0, 65_535), default=8000, show_default=True, help="The port (0: a free one)."
)
@click.option("--open", "open_browser", is_flag=True, help="Open a browser.")
@click.option("--data", type=click.Path(file_okay=False, path_type=Path), help="Where shared scenarios are kept.")
def serve(host: str, port: int, open_browser: bool, data: Path | None) -> None:
    """Serve the web application and print its address."""
    from app.web.serve import serve as serve_web  # the server's libraries take a second that other commands save

    serve_web(host, port, open_browser, data)
