"""The application on a free port, and links to scenarios made for measuring."""

import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import uvicorn

from app.web.app import create_app
from app.web.own import compact, packed
from app.web.serve import Server, bind, url_of


@contextmanager
def served() -> Iterator[str]:
    """The address of the running application, without the slash at its end."""
    with tempfile.TemporaryDirectory() as folder:
        socket = bind("127.0.0.1", 0)
        server = Server(uvicorn.Config(create_app(data=Path(folder)), log_level="warning", access_log=False))
        thread = threading.Thread(target=server.run, args=([socket],), daemon=True)
        thread.start()
        yield url_of(socket).rstrip("/")
        server.should_exit = True
        thread.join(10)


def busy(processes: int, steps: int) -> str:
    """The path of a run of just so many steps: banks on a random graph, and three snapshots."""
    names = [f"P{i + 1}" for i in range(processes)]
    values: dict[str, Any] = {
        "title": {"en": f"{processes} banks", "zh": f"{processes} 家银行"},
        "topology": {"random": {"processes": processes, "degree": 2, "seed": 7}},
        "program": {"kind": "bank", "everyone": 100},
        "schedule": {"kind": "seeded", "seed": 1, "moves": steps},
        "initiators": [{"process": names[i], "at": at} for i, at in ((0, 10), (1, steps // 3), (2, steps // 2))],
        "steps": steps,
    }
    return f"/run/{packed(compact(values))}"
