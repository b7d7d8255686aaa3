"""The stage for a screen and for a phone: with very many channels it is drawn once."""

import re
from typing import Any

import pytest

from app.pictures.layout import stretches
from app.pictures.layout.plan import Track
from app.pictures.layout.stretches import DENSE
from app.run.run import record
from app.scenario.library import LIBRARY
from app.web.shared.question_view import stages
from tests.tiny import made


def ring_of(more: int) -> dict[str, Any]:
    """Return a system of 46 processes whose channels are so many more than DENSE."""
    names = [f"P{i}" for i in range(46)]
    links = [f"{a}->{b}" for a in names for b in names if a != b][: DENSE + more]
    return {
        "topology": {"processes": names, "channels": links},
        "program": {"kind": "bank", "everyone": 1},
        "schedule": {"kind": "seeded", "seed": 1, "moves": 20},
        "steps": 20,
    }


@pytest.mark.slow
@pytest.mark.parametrize(("more", "drawn"), [(0, 2), (1, 1)])
def test_a_dense_stage_is_laid_out_once(more: int, drawn: int, monkeypatch: pytest.MonkeyPatch) -> None:
    run = record(made(ring_of(more)))
    bare: list[Track] = []
    real = stretches._bare

    def noted(track: Track, sizes: stretches.Sizes) -> Track:
        bare.append(track)
        return real(track, sizes)

    monkeypatch.setattr(stretches, "_bare", noted)
    wide, slim = stages(run, 10, "en", "stage")
    assert bool(bare) == (drawn == 1)
    ids = [set(re.findall(r' id="([^"]+)"', svg)) for svg in (wide, slim)]
    assert ids[0] and len(ids[0]) == len(ids[1]) and not ids[0] & ids[1]
    assert not any("of-two" in svg for svg in (wide, slim))


@pytest.mark.parametrize("name", ["lineage", "slow-task", "random-twelve"])
def test_on_a_phone_a_stage_is_so_high_that_its_letters_need_no_swiping(name: str) -> None:
    _, slim = stages(record(LIBRARY.scenario(name)), 3, "en", "stage")
    width, height = (float(px) for px in re.findall(r' (?:width|height)="([0-9.]+)"', slim)[:2])
    assert width == 382 and 460 < height <= 620
