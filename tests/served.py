"""The real application on a free port."""

import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import uvicorn

from app.web.app import Settings, create_app
from app.web.serve import Server, bind, url_of


class Host:
    """The application at its own address, where it can be stopped and started again; ``port`` is one that it had
    before, or 0."""

    def __init__(
        self,
        data: Path,
        lessons_in: tuple[Path, ...] = (),
        root: str = "",
        activities_in: tuple[Path, ...] = (),
        port: int = 0,
    ) -> None:
        self._data = data
        self.root = root
        self._lessons_in, self._activities_in = lessons_in, activities_in
        self.port = port
        self.start()

    def start(self) -> None:
        """Serve, at the same address as before."""
        socket = bind("127.0.0.1", self.port)
        self.port = socket.getsockname()[1]
        self.address = url_of(socket).rstrip("/")
        app = create_app(
            Settings(data=self._data, lessons_in=self._lessons_in, activities_in=self._activities_in, root=self.root)
        )
        self._server = Server(uvicorn.Config(app, log_level="warning", access_log=False), app.state.rooms.close)
        self._thread = threading.Thread(target=self._server.run, args=([socket],), daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop: every request is refused."""
        self._server.should_exit = True
        self._thread.join(60)


@contextmanager
def served(data: Path | None = None, lessons_in: tuple[Path, ...] = (), root: str = "") -> Iterator[str]:
    """Yield the address of the running application, without the slash at its end; with the folder ``data``, or its own,
    and also with the lessons in these folders, below the path ``root``."""
    with tempfile.TemporaryDirectory() as folder:
        host = Host(data or Path(folder), lessons_in, root)
        yield host.address
        host.stop()
