"""What breaks below a server while it runs: a disk that is full, or may only be read; a data folder that is gone.

The disk is real: the server runs where a file system of its own is mounted, in a namespace that ends with it.
"""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest
from fastapi.testclient import TestClient

from tests.each import each
from tests.preloaded import library
from tests.until import PATIENCE, until
from tests.web.teach.rooms.people import QUESTION, leave, opened, phone
from tests.web.test_killed import scenario

SAID = (
    "this server cannot save scenarios now, its data folder ($BLUECUT_DATA) cannot be written; "
    "a smaller scenario travels inside its link and still works"
)
SMALL = {
    "title": {"en": "Small", "zh": "小"},
    "topology": {"processes": ["A", "B"], "channels": ["A->B", "B->A"]},
    "program": {"kind": "bank", "accounts": {"A": 10, "B": 20}},
    "script": [{"start": "A"}],
}
NEEDS_NO_DISK = (
    "/",
    "/lessons/blue-figure",
    "/run/blue-figure",
    "/run/blue-figure/events",
    "/compare/domino",
    "/healthz",
)


class Disk:
    """A shell in a mount namespace of its own, with a small disk in a folder, and the server that uses it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.disk = folder / "disk"
        self.disk.mkdir()
        self._shell = subprocess.Popen(
            ["unshare", "--map-root-user", "--mount", "sh"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.says(f"mount -t tmpfs -o size=8m tmpfs {self.disk}")
        self.servers = 0
        self.own = ""

    def may_be_denied(self) -> None:
        """Let the servers heed a file beside the disk, see BREAKS."""
        built = library(self.folder, DENIED)
        self.own = f"LD_PRELOAD={built} DISK={self.disk}/ DENIED={self.disk}.denied "

    def says(self, line: str) -> int:
        """Run a line; return its status."""
        assert self._shell.stdin is not None and self._shell.stdout is not None
        self._shell.stdin.write(f"{line}\necho done $?\n")
        self._shell.stdin.flush()
        while not (said := self._shell.stdout.readline()).startswith("done "):
            assert said, "the shell has ended"
        return int(said.removeprefix("done "))

    @contextmanager
    def server(self) -> Iterator["Visitor"]:
        """Yield a visitor of a new server."""
        out, error = self.folder / f"out{self.servers}", self.folder / f"error{self.servers}"
        self.servers += 1
        command = f"{self.own}{Path(sys.executable).with_name('bluecut')} serve --port 0 --data {self.disk}/data"
        self.says(f"{command} >{out} 2>{error} & server=$!")
        until(lambda: out.is_file() and out.read_text().endswith("\n"))
        try:
            address = out.read_text().removeprefix("Bluecut: ").strip()
            with httpx2.Client(base_url=address, timeout=PATIENCE, follow_redirects=True) as client:
                yield Visitor(client, error)
        finally:
            self.says("kill $server; wait $server")

    def close(self) -> None:
        """Unmount, by the end of all that runs there."""
        self._shell.communicate("exit\n", PATIENCE)


class Visitor:
    """Somebody who saves scenarios and reads pages."""

    def __init__(self, client: httpx2.Client, log: Path) -> None:
        self.client, self.log = client, log

    def saves(self, number: int) -> httpx2.Response:
        """Save a large scenario."""
        return self.client.post("/api/scenarios", content=scenario(number))

    def finds(self, ref: str, number: int) -> bool:
        """Is what was saved shown?"""
        answer = self.client.get(f"/editor?from={ref}&lang=en")
        return answer.status_code == 200 and f"Number {number}." in answer.text

    def goes_on_without_disk(self) -> None:
        """Do everything that needs no disk."""
        for path in NEEDS_NO_DISK:
            assert self.client.get(path).status_code == 200, path
        made = self.client.post("/api/scenarios", content=json.dumps(SMALL))
        assert made.status_code == 200
        assert "Small" in self.client.get(f"/run/{made.json()['ref']}?lang=en").text

    def is_refused(self, number: int) -> None:
        """Save in vain, and be told why; open a room in vain, too."""
        answer = self.saves(number)
        assert answer.status_code == 503 and answer.json()["error"] == SAID
        room = self.client.post("/rooms", headers={"referer": f"{self.client.base_url}run/blue-figure"})
        assert room.status_code == 503 and "<h1>The server cannot reach its data</h1>" in room.text
        ready = self.client.get("/readyz")
        assert ready.status_code == 503 and not ready.json()["ready"]


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    """Yield a small disk."""
    try:
        subprocess.run(["unshare", "--map-root-user", "--mount", "true"], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("this machine gives nobody a file system of his own")
    made = Disk(tmp_path)
    yield made
    made.close()


FULL = "dd if=/dev/zero of={disk}/data/rest bs=4096"
BREAKS = {"full": (FULL, "rm {disk}/data/rest"), "only to be read": ("touch {disk}.denied", "rm {disk}.denied")}
"""What happens to a disk while a server has a file on it open, and what mends it. A disk of which a file is open for
writing cannot be mounted to be read only; one with a fault becomes so, and then refuses every write to that file, too:
as here, where a library refuses them that is loaded before all others."""

DENIED = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define REAL(name) real = real ? real : dlsym(RTLD_NEXT, name)
static int denied(const char *path) {
  const char *disk = getenv("DISK"), *by = getenv("DENIED");
  return disk && by && path && !strncmp(path, disk, strlen(disk)) && !access(by, F_OK) ? (errno = EROFS) : 0;
}
static int closed(int file) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return denied(path);
}
ssize_t write(int f, const void *b, size_t n) {
  static ssize_t (*real)(int, const void *, size_t); REAL("write");
  return closed(f) ? -1 : real(f, b, n);
}
ssize_t pwrite(int f, const void *b, size_t n, off_t at) {
  static ssize_t (*real)(int, const void *, size_t, off_t); REAL("pwrite");
  return closed(f) ? -1 : real(f, b, n, at);
}
ssize_t pwrite64(int f, const void *b, size_t n, off64_t at) {
  static ssize_t (*real)(int, const void *, size_t, off64_t); REAL("pwrite64");
  return closed(f) ? -1 : real(f, b, n, at);
}
int ftruncate64(int f, off64_t n) {
  static int (*real)(int, off64_t); REAL("ftruncate64");
  return closed(f) ? -1 : real(f, n);
}
int mkdir(const char *p, mode_t mode) {
  static int (*real)(const char *, mode_t); REAL("mkdir");
  return denied(p) ? -1 : real(p, mode);
}
int unlink(const char *p) {
  static int (*real)(const char *); REAL("unlink");
  return denied(p) ? -1 : real(p);
}
static mode_t mode_of(int flags, va_list rest) { return flags & O_CREAT ? va_arg(rest, mode_t) : 0; }
#define OPENS(name) \
  int name(const char *p, int flags, ...) { \
    static int (*real)(const char *, int, ...); REAL(#name); \
    va_list rest; va_start(rest, flags); mode_t mode = mode_of(flags, rest); va_end(rest); \
    return (flags & (O_WRONLY | O_RDWR | O_CREAT)) && denied(p) ? -1 : real(p, flags, mode); \
  }
OPENS(open)
OPENS(open64)
"""


@pytest.mark.slow
def test_on_a_full_disk_nothing_is_saved_and_nothing_is_lost(disk: Disk) -> None:
    with disk.server() as visitor:
        first = visitor.saves(1).json()["ref"]
        assert disk.says(FULL.format(disk=disk.disk)) != 0
        visitor.is_refused(2)
        assert visitor.finds(first, 1)
        visitor.goes_on_without_disk()
    with disk.server() as visitor:  # it starts on the full disk, too
        assert visitor.finds(first, 1)
        visitor.is_refused(2)
        visitor.goes_on_without_disk()
        assert disk.says(f"rm {disk.disk}/data/rest") == 0
        second = visitor.saves(2)
        assert second.status_code == 200 and visitor.finds(second.json()["ref"], 2)
        assert "Traceback" not in visitor.log.read_text()


@pytest.mark.slow
@each("broken", BREAKS)
def test_votes_that_were_counted_outlive_such_a_disk_and_others_are_refused(disk: Disk, broken: str) -> None:
    breaks, mends = (line.format(disk=disk.disk) for line in BREAKS[broken])
    disk.may_be_denied()
    with disk.server() as visitor:
        lead = opened(str(visitor.client.base_url).rstrip("/"), QUESTION)
        lead.post("/phase", {"phase": "vote"})
        people = [phone(lead) for _ in range(2)]
        assert people[0].vote("P1", turn=1).status_code == 200
        assert people[1].post("/seat").status_code == 200
        disk.says(breaks)
        turns = iter(range(1, 10_000))
        until(lambda: people[1].vote("P2", turn=next(turns)).status_code == 503)  # the log may have room for a few
        refused = people[1].vote("P2", turn=next(turns))
        assert "data folder" in refused.json()["error"] and int(refused.headers["retry-after"]) > 0
        assert people[0].get("").status_code == 200
        visitor.goes_on_without_disk()
        assert disk.says(mends) == 0
        assert people[1].vote("P2", turn=next(turns)).status_code == 200
        assert "Traceback" not in visitor.log.read_text()
    with disk.server() as visitor:
        for person, answer in zip(people, ("P1", "P2"), strict=True):
            person.http.base_url = visitor.client.base_url
            assert person.vote("P3", turn=0).json()["answer"] == [answer]
    leave()


@pytest.mark.slow
@each("broken", BREAKS)
def test_an_activity_goes_on_after_such_a_disk_has_refused_the_end_of_a_round(disk: Disk, broken: str) -> None:
    breaks, mends = (line.format(disk=disk.disk) for line in BREAKS[broken])
    disk.may_be_denied()
    with disk.server() as visitor:
        lead = opened(str(visitor.client.base_url).rstrip("/"))
        people = [phone(lead) for _ in range(4)]
        assert {each.post("/seat").status_code for each in people} == {200}
        assert lead.post("/activity", {"do": "begin", "name": "eighty-coins"}).status_code == 200
        turns = iter(range(1, 10_000))
        disk.says(breaks)
        pays = {"action": "send A->B 1"}
        until(lambda: people[0].post("/act", pays | {"turn": next(turns)}).status_code == 503)
        assert lead.post("/activity", {"do": "over"}).status_code == 503
        assert lead.post("/activity", {"do": "next"}).status_code == 503
        disk.says(mends)
        assert lead.post("/activity", {"do": "next", "seen": [0, "over"], "again": 0}).status_code == 200
        assert lead.post("/activity", {"do": "undo"}).status_code == 200
        finished = lead.get("/table/result?group=0").json()
        assert lead.post("/activity", {"do": "next"}).status_code == 200
        assert "Traceback" not in visitor.log.read_text()
    with disk.server() as visitor:
        lead.http.base_url = visitor.client.base_url
        assert lead.post("/activity", {"do": "undo"}).json()["playing"]["round"] == 0
        assert lead.get("/table/result?group=0").json() == finished
        assert lead.post("/activity", {"do": "stop"}).status_code == 200
    leave()


NOWHERE = {
    "may only be read": "mount -o remount,ro {disk}",
    "is a link to nowhere": "ln -s {disk}/nowhere {disk}/data",
    "is below a file": "touch {disk}/file; ln -s {disk}/file/data {disk}/data",
}
"""What is wrong with the data folder of a server that starts."""


@pytest.mark.slow
@each("wrong", NOWHERE)
def test_a_server_starts_without_a_data_folder_and_says_so(disk: Disk, wrong: str) -> None:
    disk.says(NOWHERE[wrong].format(disk=disk.disk))
    with disk.server() as visitor:
        visitor.is_refused(1)
        visitor.goes_on_without_disk()
        signed = visitor.client.post("/assign/sheet?q=every&for=me", data={"name": "Ann", "done": "1"})
        assert signed.status_code == 503 and "data folder" in signed.text
        said = visitor.log.read_text()
        assert "large scenarios cannot be shared" in said and "Traceback" not in said
    disk.says(f"mount -o remount,rw {disk.disk}; rm {disk.disk}/data")


@pytest.mark.slow
def test_on_a_disk_that_may_only_be_read_all_that_was_saved_is_shown(disk: Disk) -> None:
    with disk.server() as visitor:
        first = visitor.saves(1).json()["ref"]
        assert disk.says(f"mount -o remount,ro {disk.disk}") == 0
        visitor.is_refused(2)
        assert visitor.finds(first, 1)
        visitor.goes_on_without_disk()
    with disk.server() as visitor:
        assert "large scenarios cannot be shared" in visitor.log.read_text()
        assert visitor.finds(first, 1)
        visitor.is_refused(2)
        assert disk.says(f"mount -o remount,rw {disk.disk}") == 0
        assert visitor.saves(2).status_code == 200
        assert "Traceback" not in visitor.log.read_text()


def test_a_data_folder_that_is_gone_is_made_again(alone: TestClient, tmp_path: Path) -> None:
    def saved(number: int) -> str:
        return str(alone.post("/api/scenarios", content=scenario(number)).json()["ref"])

    first = saved(1)
    shutil.rmtree(tmp_path)
    assert alone.get(f"/editor?from={first}").status_code == 404
    second = saved(2)
    assert "Number 2." in alone.get(f"/editor?from={second}&lang=en").text
    assert saved(1) == first
