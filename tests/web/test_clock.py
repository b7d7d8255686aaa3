"""The clock of the machine jumps while the server runs: by years, back and forth.

The server has a clock of its own: a library, loaded before all others, adds what a file says to the time of day.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import httpx2
import pytest

from tests.preloaded import library
from tests.until import PATIENCE, until
from tests.web.teach.rooms.people import Person, leave, opened, phone
from tests.web.test_faults import NEEDS_NO_DISK
from tests.web.test_killed import scenario

YEAR = 365 * 86_400
SHIFTED = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

static long shift(void) {
  long by = 0;
  FILE *file = fopen(getenv("SHIFT"), "r");
  if (file) { if (fscanf(file, "%ld", &by) != 1) by = 0; fclose(file); }
  return by;
}
int clock_gettime(clockid_t which, struct timespec *now) {
  static int (*real)(clockid_t, struct timespec *);
  if (!real) real = dlsym(RTLD_NEXT, "clock_gettime");
  int failed = real(which, now);
  if (which == CLOCK_REALTIME) now->tv_sec += shift();
  return failed;
}
int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  struct timespec precise;
  int failed = clock_gettime(CLOCK_REALTIME, &precise);
  now->tv_sec = precise.tv_sec;
  now->tv_usec = precise.tv_nsec / 1000;
  return failed;
}
time_t time(time_t *at) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (at) *at = now.tv_sec;
  return now.tv_sec;
}
"""


@pytest.mark.slow
def test_what_is_kept_stays_and_everything_goes_on_where_the_clock_jumps(tmp_path: Path) -> None:
    shift, log = tmp_path / "shift", tmp_path / "log"
    shift.write_text("0")
    own = {**os.environ, "LD_PRELOAD": str(library(tmp_path, SHIFTED)), "SHIFT": str(shift)}
    command = [str(Path(sys.executable).with_name("bluecut")), "serve", "--port", "0", "--data", str(tmp_path / "data")]
    saved: list[str] = []
    with (
        log.open("w") as error,
        subprocess.Popen(
            [*command, "--log", "json"], env=own, stdout=subprocess.PIPE, stderr=error, text=True
        ) as server,
    ):
        try:
            assert server.stdout is not None
            address = server.stdout.readline().removeprefix("Bluecut: ").strip().rstrip("/")
            with httpx2.Client(base_url=address, timeout=PATIENCE, follow_redirects=True) as client:
                lead, people = playing(address)
                for turn, by in enumerate((0, -9 * YEAR, 0, 9 * YEAR, 0), 1):
                    shift.write_text(str(by))
                    saved.append(client.post("/api/scenarios", content=scenario(turn)).json()["ref"])
                    for number, ref in enumerate(saved, 1):
                        assert f"Number {number}." in client.get(f"/editor?from={ref}&lang=en").text
                    for path in NEEDS_NO_DISK:
                        assert client.get(path).status_code == 200, path
                    said = {"action": "send A->B 1", "turn": turn}
                    assert people[0].post("/act", said).status_code == 200
                    until(lambda: steps(lead) >= 2 * turn)  # noqa: B023  # what was sent arrives by itself
                    assert client.get("/readyz").status_code == 200
        finally:
            leave()
            server.terminate()
    told = log.read_text()
    assert "Traceback" not in told and '"level": "error"' not in told
    years = {int(year) for year in re.findall(r'"time": "(\d{4})', told)}
    assert max(years) - min(years) == 18, "the clock did jump"


def playing(address: str) -> tuple[Person, list[Person]]:
    """Return a presenter, and people who play."""
    lead = opened(address)
    people = [phone(lead) for _ in range(4)]
    for each in people:
        each.post("/seat")
    assert lead.post("/activity", {"do": "begin", "name": "eighty-coins"}).status_code == 200
    return lead, people


def steps(lead: Person) -> int:
    """Return how many steps the first group has made."""
    return int(re.findall(r'"steps":(\d+)', lead.get("/table?group=0").text)[0])
