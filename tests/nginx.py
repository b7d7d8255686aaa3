"""The application behind nginx: the lines that operators are given, with other ports.

nginx is taken from the PATH; on Debian as root it is installed; otherwise the tests that need it are skipped, and say
so.
"""

import os
import re
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest

from tests.chromium import INSTALL, alone, may_install
from tests.until import until

LINES = Path(__file__).parents[1] / "docs/deploy/nginx.conf"
WHOLE = """\
daemon off;
{user}pid {folder}/pid;
error_log {folder}/errors.log;
events {{}}
http {{
  access_log off;
  {paths}
  proxy_buffering {buffering};
  include {folder}/site.conf;
}}
"""


@cache
def nginx() -> str:
    """Return the path of nginx. Skips the test if there is none."""
    if on_path() is None and may_install():
        with alone():
            if on_path() is None:
                quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
                for command in (("apt-get", "update", "-q"), (*INSTALL, "nginx-light")):
                    subprocess.run(command, env=quiet, check=False, capture_output=True)
    found = on_path()
    if found is None:
        pytest.skip("there is no nginx here; on Debian or Ubuntu: sudo apt-get install nginx-light")
    return found


def on_path() -> str | None:
    """Return the nginx of this machine; Debian's is where only root looks."""
    return shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin")


def written(folder: Path, application: str, *, buffering: bool, strips: bool) -> str:
    """Write the configuration of a proxy before an application; return the address of the site, without a slash at its
    end. ``strips`` lets it remove the path."""
    port = free_port()
    to = application if not strips else application + "/"
    site = LINES.read_text("utf-8").replace("listen 80;", f"listen 127.0.0.1:{port};")
    (folder / "site.conf").write_text(site.replace("http://127.0.0.1:8000;", f"{to};"))
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    whole = WHOLE.format(
        user="user root;\n" if os.geteuid() == 0 else "",
        folder=folder,
        paths=" ".join(f"{kind}_temp_path {folder}/{kind};" for kind in kinds),
        buffering="on" if buffering else "off",
    )
    (folder / "nginx.conf").write_text(whole)
    return f"http://127.0.0.1:{port}"


def free_port() -> int:
    """Return a port that nobody has now."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
    return port


@contextmanager
def proxied(folder: Path, application: str, *, buffering: bool, strips: bool) -> Iterator[str]:
    """Yield the address of nginx before an application at an address, both without a slash at the end."""
    program = nginx()
    address = written(folder, application, buffering=buffering, strips=strips)
    command = [program, "-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", str(folder / "errors.log")]
    with subprocess.Popen(command) as process:
        try:
            until(lambda: listens(address))
            yield address
        finally:
            process.terminate()


def listens(address: str) -> bool:
    host, port = re.findall(r"//(.*):(\d+)", address)[0]
    with socket.socket() as asked:
        return asked.connect_ex((host, int(port))) == 0
