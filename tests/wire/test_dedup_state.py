"""What a process keeps to remove duplicates, and what a driver writes: the same on the wire and in pictures."""

import re

from app.algorithms.independent.millwheel import Memory
from app.core.model.values import Json
from app.pictures import render
from app.pictures.layout.stage_plan import plan_of
from app.pictures.stage.dataflow_foot import feet
from app.run.run import Run, record
from app.scenario.library import LIBRARY
from app.scenario.run_key import RunKey
from app.wire.dedup_state import catalogue, dedup_notes, shortened
from app.wire.frames import frames, scene


def played(name: str) -> Run:
    """Return the run of a scenario as its author wrote it."""
    return record(LIBRARY.scenario(name), RunKey())


def process(svg: str, name: str) -> str:
    """Return what a picture draws of a process."""
    return svg.split(f'<g data-process="{name}"')[1].split("<g data-process=")[0]


def cells(svg: str, name: str) -> list[str]:
    """Return how the cells of a process are drawn."""
    return re.findall(r'data-cell="([^"]+)"', process(svg, name))


def keeps(run: Run) -> dict[int, list[Json]]:
    """Return the notes about what processes keep, by step."""
    return {i: found for i, f in enumerate(frames(run), 1) if (found := [n for n in f["n"] if n[0] == "keeps"])}


def test_a_record_is_kept_until_its_acknowledgement_comes_and_an_id_from_when_it_is_saved() -> None:
    told = keeps(played("acknowledgement-lost"))
    assert told[1] == [["keeps", "src", [], [["src.1", 5, "src.1"]]]]
    assert 2 not in told, "nothing is saved yet"
    assert told[3] == [["keeps", "sum", ["src.1"], []]]
    assert 4 not in told, "the acknowledgement is lost, and src knows nothing of that"
    assert told[8] == [["keeps", "src", [], [["src.1", 5, "src.1"]]]], "6 is acknowledged, 5 is not"
    assert told[15] == [["keeps", "src", [], []]]


def test_ids_below_the_low_watermark_are_let_go_of() -> None:
    run = played("low-watermark")
    many = [len(catalogue(run.system, run.world(step), "sum").ids) for step in range(len(run.steps) + 1)]
    assert many[0] == 0 and many[-1] < max(many)


def test_who_is_down_keeps_what_it_has_saved() -> None:
    run = record(LIBRARY.scenario("crash-both-ways"), RunKey(algorithm="millwheel"))
    crash = next(step.number for step in run.steps if "sum" in run.world(step.number).down)
    ids = catalogue(run.system, run.world(crash), "sum").ids
    saved = run.world(crash).durable.saved["sum"][-1].memory
    assert isinstance(saved, Memory)
    assert ids == (*saved.seen["map->sum"], *saved.seen["odd->sum"]) and len(ids) == 3


def test_where_nothing_is_removed_nothing_is_kept() -> None:
    run = played("crash-both-ways")
    assert not any(dedup_notes(run, step) for step in run.steps)


def test_an_id_goes_without_its_source_where_there_is_only_one() -> None:
    assert shortened("src.3", ["src"]) == "3" and shortened("a.3", ["a", "b"]) == "a.3"


def test_a_picture_shows_ids_and_what_is_not_acknowledged() -> None:
    svg = render.stage(played("acknowledgement-lost"), 9, "en")
    assert cells(svg, "src") == ["read unheard", "read", "read unheard"] and cells(svg, "sum") == ["known", "known"]
    assert cells(render.stage(played("acknowledgement-lost"), 16, "en"), "src") == ["read", "read", "read"]


def test_a_picture_shows_the_logs_of_a_driver_below_it_whole() -> None:
    run = played("micro-batch")
    assert scene(run)["run"]["scenario"] == "micro-batch" and scene(run)["roles"]["driver"]["logs"]
    last = process(render.stage(run, 44, "en"), "driver")
    assert cells(render.stage(run, 44, "en"), "driver")[-4:] == ["logged", "committed", "logged", "uncommitted"]
    assert ">0–2</text>" in last and ">2–3</text>" in last and "✓" not in last and "…" not in last
    assert "logged" not in cells(render.stage(run, 0, "en"), "driver")


def test_logs_take_more_of_a_process_than_cells_do() -> None:
    plan = plan_of(played("micro-batch"), "en")
    roles = {"role": "coordinator", "logs": True}, {"role": "source"}
    driver, source = (feet(role, plan, plan.nodes[0]) for role in roles)
    assert driver.low > 0 == source.low and driver.high > source.high == plan.foot
