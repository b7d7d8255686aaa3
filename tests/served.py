"""The real application on a free port."""

import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import uvicorn

from app.web.app import create_app
from app.web.serve import Server, bind, url_of


@contextmanager
def served(data: Path | None = None, lessons_in: tuple[Path, ...] = ()) -> Iterator[str]:
    """The address of the running application, without the slash at its end; on a folder of ``data``, or on its own,
    and with the lessons in these folders, too."""
    with tempfile.TemporaryDirectory() as folder:
        socket = bind("127.0.0.1", 0)
        app = create_app(data=data or Path(folder), lessons_in=lessons_in)
        server = Server(uvicorn.Config(app, log_level="warning", access_log=False))
        thread = threading.Thread(target=server.run, args=([socket],), daemon=True)
        thread.start()
        yield url_of(socket).rstrip("/")
        server.should_exit = True
        thread.join(60)
