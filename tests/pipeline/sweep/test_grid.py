"""The grid of a sweep: which run is which, what is left out, and the address of each."""

import json
from itertools import pairwise
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from app.core.model.values import BluecutError
from app.formats.trace_json import trace as whole
from app.forms.fields import SNAPSHOTS
from app.pipeline.sweep.grid import Grid, grid, place
from app.pipeline.sweep.spec import load_spec
from app.pipeline.sweep.task import traced
from app.run.run import record
from app.web.app import Settings, create_app
from app.web.base.limits import MOST_ADDRESS
from tests.often import some

TWO = """
topologies: [ring, {random: {degree: 2, seed: 5}}]
sizes: [3, 4]
programs: [token, bank]
algorithms: [chandy-lamport, photographs]
disciplines: [fifo, any]
delays: [1, [0, 4]]
intervals: [10, 20]
moves: 4
seeds: {first: 7, count: 3}
"""


def of(text: str) -> Grid:
    return grid(load_spec(text, "my.yaml"))


def test_the_last_axis_changes_fastest() -> None:
    cells = of(TWO).cells
    said = [(c.scenario, c.delay, c.interval) for c in cells[:5]]
    assert said == [
        ("ring-3-token", "1", 10),
        ("ring-3-token", "1", 20),
        ("ring-3-token", "0-4", 10),
        ("ring-3-token", "0-4", 20),
        ("ring-3-token", "1", 10),
    ]
    systems = [cells[i].scene().form for i in (0, 4, 8, 16, 32, 64)]
    assert [(f.topology.ring, f.program.kind, f.algorithm, f.discipline) for f in systems] == [
        (3, "token", "chandy-lamport", "fifo"),
        (3, "token", "chandy-lamport", "any"),
        (3, "token", "photographs", "fifo"),
        (3, "bank", "chandy-lamport", "fifo"),
        (4, "token", "chandy-lamport", "fifo"),
        (None, "token", "chandy-lamport", "fifo"),
    ]
    assert [cell.number for cell in cells] == list(range(128))
    assert cells[64].topology == "random-2-5"


def test_the_number_of_a_run_says_its_cell_and_its_seed() -> None:
    made = of(TWO)
    assert made.runs == 128 * 3
    seen = [
        (made.cells[place(made.cells, run)].number, made.cells[place(made.cells, run)].seed_of(run))
        for run in (0, 1, 2, 3, 383)
    ]
    assert seen == [(0, 7), (0, 8), (0, 9), (1, 7), (127, 9)]


def test_the_cells_of_some_runs_are_those_and_no_others() -> None:
    made = of(TWO)
    assert [cell.number for cell in made.between(2, 3)] == [0]
    assert [cell.number for cell in made.between(3, 9)] == [1, 2]
    assert [cell.number for cell in made.between(2, 10)] == [0, 1, 2, 3]


def test_parts_come_one_after_the_other_and_a_scenario_without_lots_has_one_run() -> None:
    made = of("parts:\n  - {scenarios: [token-late, random-twelve], seeds: 4}\n  - {scenarios: [ring], seeds: 9}\n")
    assert [(c.scenario, c.first, c.runs, c.seed) for c in made.cells] == [
        ("token-late", 0, 1, 0),
        ("random-twelve", 1, 4, 1),
        ("ring", 5, 1, 0),
    ]


def test_a_script_that_another_algorithm_repeats_has_a_run_for_each_seed() -> None:
    made = of("scenarios: [blue-figure]\nalgorithms: [chandy-lamport, mattern]\nseeds: {first: 3, count: 4}\n")
    assert [(c.algorithm, c.first, c.runs, c.seed) for c in made.cells] == [
        ("chandy-lamport", 0, 1, 0),
        ("mattern", 1, 4, 3),
    ]
    rows = [traced(made.cells[1], run)["run"][0] for run in range(1, 5)]
    assert [row["seed"] for row in rows] == [3, 4, 5, 6]
    links = [made.cells[1].address(run) for run in range(1, 5)]
    assert len({record(link.scenario, link.key).digest for link in links}) > 1
    assert traced(made.cells[0], 0)["run"][0]["seed"] is None


@pytest.mark.parametrize(
    ("size", "rows"),
    [
        (2, ["P1 P2"]),
        (3, ["P1 P2", "P3"]),
        (6, ["P1 P2 P3", "P4 P5 P6"]),
        (7, ["P1 P2 P3", "P4 P5 P6", "P7"]),
        (9, ["P1 P2 P3", "P4 P5 P6", "P7 P8 P9"]),
    ],
)
def test_in_a_grid_there_are_channels_to_the_neighbours_and_back(size: int, rows: list[str]) -> None:
    (cell,) = of(f"topologies: [grid]\nsizes: [{size}]\nalgorithms: [chandy-lamport]\n").cells
    lines = [row.split() for row in rows]
    across = [pair for line in lines for pair in pairwise(line)]
    down = [pair for upper, lower in pairwise(lines) for pair in zip(upper, lower, strict=False)]
    wanted = {f"{a}->{b}" for pair in across + down for a, b in (pair, pair[::-1])}
    assert set(cell.scene().form.topology.channels or ()) == wanted
    assert (cell.scenario, cell.topology, traced(cell, 0)["run"][0]["topology"]) == (
        f"grid-{size}-bank",
        "grid",
        "grid",
    )
    assert traced(cell, 0)["run"][0]["channels"] == len(wanted)


def test_a_grid_has_the_shortest_ways_that_so_many_processes_allow_and_a_name_in_both_languages() -> None:
    (cell,) = of("topologies: [grid]\nsizes: [12]\nalgorithms: [chandy-lamport]\n").cells
    run = traced(cell, 0)["run"][0]
    assert (run["channels"], run["diameter"]) == (34, 5)  # 3 rows of 4: 3 * 3 + 2 * 4 links, both ways
    title = cell.scene().form.title
    assert (title.en, title.zh) == ("Accounts, grid of 12: Chandy–Lamport", "账户，12 个进程的网格：Chandy–Lamport")


def test_what_does_not_fit_is_left_out_and_told() -> None:
    made = of(
        "topologies: [chain, ring]\nsizes: [3, 4]\nalgorithms: [chandy-lamport, mattern]\ndisciplines: [fifo, any]\n"
    )
    assert [(str(left.what), str(left.why), left.count) for left in made.left] == [
        ("mattern, bank, chain", "mattern cannot run here: it needs a path from every process to every other", 4)
    ]
    assert len(made.cells) == 12 and [cell.number for cell in made.cells] == list(range(12))


def test_where_everybody_starts_by_himself_there_may_be_so_many_starts_and_not_one_more() -> None:
    made = of("topologies: [ring]\nsizes: [8, 9]\nalgorithms: [photographs]\nsnapshots: 2\n")
    assert [len(cell.scene().form.initiators) for cell in made.cells] == [SNAPSHOTS]
    assert str(made.left[0].why) == "18 starts, since every process starts by itself; at most 16"


def test_a_graph_with_too_many_channels_is_left_out() -> None:
    made = of("topologies: [complete]\nsizes: [3, 64]\nalgorithms: [lai-yang]\n")
    assert len(made.cells) == 1
    assert "4,032 channels; at most 4,000" in str(made.left[0].why)


@pytest.mark.parametrize(
    ("topology", "size", "program", "why"),
    [
        ("join", 6, "bank", "join is a shape for dataflows"),
        ("ring", 6, "dataflow", "a dataflow is a chain or a join"),
        ("join", 5, "dataflow", "such a dataflow has at least 6 processes"),
        ("chain", 2, "dataflow", "such a dataflow has at least 3 processes"),
    ],
)
def test_where_nothing_fits_there_is_no_grid(topology: str, size: int, program: str, why: str) -> None:
    with pytest.raises(BluecutError) as caught:
        of(f"topologies: [{topology}]\nsizes: [{size}]\nprograms: [{program}]\nalgorithms: [aligned]\n")
    assert str(caught.value) == f"my.yaml: no combination fits; of aligned, {program}, {topology}: {why}"


def test_grids_of_the_same_runs_share_a_digest_and_others_do_not() -> None:
    assert of(TWO).digest == of(TWO.replace("delays: [1,", "delays: [[1, 1],")).digest
    assert len({of(TWO).digest, of(TWO.replace("moves: 4", "moves: 5")).digest, of(TWO.replace("7", "8")).digest}) == 3


def test_in_a_dataflow_processes_crash_and_checkpoints_go_on_all_the_time() -> None:
    made = of(
        "topologies: [join]\nsizes: [6]\nprograms: [dataflow]\nalgorithms: [aligned, unaligned]\n"
        "intervals: [15]\ncrashes: 300\nseeds: 3\n"
    )
    runs = [traced(made.cells[place(made.cells, run)], run)["run"][0] for run in range(made.runs)]
    assert [run["algorithm"] for run in runs] == ["aligned"] * 3 + ["unaligned"] * 3
    assert all(run["scenario"] == "join-6-dataflow-crashes-300" and not run["full"] for run in runs)
    assert any(run["loss"] for run in runs) and any(run["snapshots"] > 2 for run in runs)


@pytest.mark.parametrize(
    "text",
    some(
        [
            TWO,
            "topologies: [join]\nsizes: [7]\nprograms: [dataflow]\nalgorithms: [unaligned, micro-batch]\n"
            "crashes: 400\n",
            "scenarios: [ring, random-twelve]\nalgorithms: [lai-yang, chandy-lamport]\nseeds: {first: 3, count: 2}\n",
            "scenarios: [blue-figure]\nalgorithms: [chandy-lamport, mattern]\nseeds: {first: 3, count: 2}\n",
            "topologies: [star]\nsizes: [60]\nalgorithms: [spezialetti-kearns]\nmoves: 1\n",
        ],
        5,
    ),
)
def test_the_address_of_a_run_opens_just_that_run(text: str, tmp_path: Path) -> None:
    made = of(text)
    with TestClient(create_app(Settings(data=tmp_path))) as client:
        for cell in (made.cells[0], made.cells[-1]):
            for run in (cell.first, cell.first + cell.runs - 1):
                assert len(traced(cell, run)["run"][0]["url"]) < MOST_ADDRESS
                link = traced(cell, run)["run"][0]["url"]
                assert client.get(link).status_code == 200
                shown = client.get(link.replace("?", "/trace.json?")).json()
                address = cell.address(run)
                assert shown == json.loads(json.dumps(whole(record(address.scenario, address.key))))
                assert shown["key"]["seed"] == (cell.seed_of(run) if cell.scene().draws(address.key) else 0)


FAULTY = """
topologies: [complete]
sizes: [3]
algorithms: [chandy-lamport]
losses: [0, 30]
duplications: [0, 20]
moves: 4
seeds: 5
"""


def test_channels_lose_and_duplicate_as_the_spec_says_and_the_rows_count_it() -> None:
    made = of(FAULTY)
    said = [(cell.scenario, cell.scene().form.loss, cell.scene().form.duplication) for cell in made.cells]
    assert said == [
        ("complete-3-bank", 0, 0),
        ("complete-3-bank-duplication-20", 0, 20),
        ("complete-3-bank-loss-30", 30, 0),
        ("complete-3-bank-loss-30-duplication-20", 30, 20),
    ]
    faults = []
    for cell in made.cells:
        runs = [traced(cell, run) for run in range(cell.first, cell.first + cell.runs)]
        faults.append(sum(row["faults"] for rows in runs for row in rows["run"]))
        lost = sum(bool(row["lost"]) for rows in runs for row in rows["message"])
        assert (lost > 0) is bool(cell.scene().form.loss)
    assert faults[0] == 0 and min(faults[1:]) > 0


def test_a_seeded_schedule_draws_every_step_and_knows_no_time() -> None:
    (cell,) = of(TINY_SEEDED).cells
    form = cell.scene().form
    assert (cell.scenario, cell.delay, form.schedule.kind, form.collect) == (
        "ring-3-bank-seeded",
        None,
        "seeded",
        False,
    )
    run = record(cell.scene(), cell.address(0).key)
    assert run.steps and all(step.at is None for step in run.steps)
    with pytest.raises(BluecutError, match="a dataflow needs virtual time"):
        of("topologies: [join]\nsizes: [6]\nprograms: [dataflow]\nalgorithms: [aligned]\nschedule: seeded\n")


TINY_SEEDED = "topologies: [ring]\nsizes: [3]\nalgorithms: [chandy-lamport]\nschedule: seeded\nmoves: 2\n"

RETRACTED = """
topologies: [join]
sizes: [6]
programs: [dataflow]
algorithms: [uncoordinated]
intervals: [4]
duplications: [10]
moves: 4
crashes: 40
steps: 300
seeds: 10
"""


def test_a_process_that_restarts_may_take_back_and_send_anew_in_one_step() -> None:
    (cell,) = of(RETRACTED).cells
    run = record(cell.scene(), cell.address(4).key)
    assert any(
        {"returned", "sent"} <= {note.key for note in step.notes} and step.action.key == "restart" for step in run.steps
    )
