"""Every knob of every lesson opens a page."""

import pytest
from fastapi.testclient import TestClient

from app.course.lesson_list import shelf
from app.course.misconception import beliefs


def test_the_pages_behind_the_knobs_are_there(client: TestClient) -> None:
    doors = sorted({door for lesson in shelf().lessons for door in lesson.doors if not door.startswith("/run/")})
    assert len(doors) > 15
    assert {door: client.get(door).status_code for door in doors} == dict.fromkeys(doors, 200)


@pytest.mark.slow
def test_the_runs_behind_knobs_and_misconceptions_are_there(client: TestClient) -> None:
    runs = {door for lesson in shelf().lessons for door in lesson.doors if door.startswith("/run/")}
    runs |= {f"/run/{one.run.scenario}" for one in beliefs().values()}
    assert {run: client.get(run).status_code for run in sorted(runs)} == dict.fromkeys(sorted(runs), 200)
