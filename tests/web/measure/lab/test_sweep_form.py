"""The form of a sweep: what may be requested here, and that the command understands the result."""

import pytest
from msgspec.structs import replace

from app.core.model.values import BluecutError
from app.pipeline.sweep.grid import grid
from app.pipeline.sweep.spec import load_spec
from app.scenario.yaml_writer import written
from app.web.measure.lab.sweep_form import RUNS, Wish, judged, spec, wish
from app.words.error_words import error_text


def test_what_the_form_has_at_first_is_a_sweep_that_the_command_understands() -> None:
    read = load_spec(written(spec(Wish())), "spec.yaml")
    assert read.form.algorithms == ["chandy-lamport", "late-marker"]
    assert grid(read).runs == 2 * 2 * 2 * 20


def test_everything_that_can_be_ticked_is_understood() -> None:
    network = Wish(
        ("ring", "chain", "star", "complete", "random"), "12", "token", ("lai-yang",), ("fifo", "causal", "any"), "1"
    )
    assert grid(load_spec(written(spec(network)), "spec.yaml")).runs > 0
    dataflow = Wish(("chain", "join"), "8", "dataflow", ("aligned", "micro-batch"), ("fifo",), "2")
    assert grid(load_spec(written(spec(dataflow)), "spec.yaml")).runs == 2 * 2 * 2


def test_what_is_posted_is_read_as_it_was_written() -> None:
    posted = [
        ("topologies", "ring"),
        ("topologies", "star"),
        ("topologies", "ring"),
        ("sizes", " 5,3 "),
        ("seeds", "7"),
    ]
    filled = wish([*posted, ("program", "bank"), ("algorithms", "mattern"), ("disciplines", "any"), ("other", "x")])
    assert filled == Wish(("ring", "star"), " 5,3 ", "bank", ("mattern",), ("any",), "7")
    assert spec(filled) == {
        "topologies": ["ring", "star"],
        "sizes": [3, 5],
        "programs": ["bank"],
        "algorithms": ["mattern"],
        "disciplines": ["any"],
        "seeds": 7,
    }


@pytest.mark.parametrize("text", ["3 5", "3,5", "3，5", "5、3", "3; 5", "3,5,3,", "03 5"])
def test_numbers_may_be_written_as_people_write_them(text: str) -> None:
    assert spec(Wish(sizes=text))["sizes"] == [3, 5]


WRONG = {
    "Shapes: nothing is chosen; choose at least one": replace(Wish(), topologies=()),
    "Shapes: unknown 'torus'; one of ring, chain, star, grid": replace(Wish(), topologies=("torus",)),
    "Algorithms: nothing is chosen": replace(Wish(), algorithms=()),
    "Algorithms: unknown 'paxos'": replace(Wish(), algorithms=("paxos",)),
    "Algorithms: 7 are chosen; at most 6": replace(
        Wish(),
        algorithms=("chandy-lamport", "late-marker", "lai-yang", "mattern", "aligned", "unaligned", "photographs"),
    ),
    "Order of delivery: nothing is chosen": replace(Wish(), disciplines=()),
    "Program: nothing is chosen": replace(Wish(), program=""),
    "Program: unknown 'chess'": replace(Wish(), program="chess"),
    "Processes: write one to 4 numbers, such as 3, 5": replace(Wish(), sizes=" "),
    "Processes: must be a whole number from 2 to 12, not '13'": replace(Wish(), sizes="3, 13"),
    "Processes: must be a whole number from 2 to 12, not '-3'": replace(Wish(), sizes="-3"),
    "Processes: 5 numbers; at most 4": replace(Wish(), sizes="2 3 4 5 6"),
    "Seeds: must be a whole number from 1 to 200, not '201'": replace(Wish(), seeds="201"),
    "Seeds: must be a whole number from 1 to 200, not '1e2'": replace(Wish(), seeds="1e2"),
    "Seeds: must be a whole number from 1 to 200, not '٣'": replace(Wish(), seeds="٣"),
    "Shapes: a dataflow is a chain or a join, not ring, complete": replace(Wish(), program="dataflow"),
    "Shapes: join is a shape for dataflows alone": replace(Wish(), topologies=("join",)),
    "this would be 2,400 runs; at most 2,000 here": replace(Wish(), sizes="2 3 4", seeds="200"),
}


@pytest.mark.parametrize("says", WRONG)
def test_what_may_not_be_is_told_in_both_languages(says: str) -> None:
    with pytest.raises(BluecutError) as caught:
        spec(WRONG[says])
    assert error_text(caught.value.phrase, "en").startswith(says)
    assert any("\u4e00" <= sign <= "\u9fff" for sign in error_text(caught.value.phrase, "zh"))


def test_the_largest_sweep_is_allowed() -> None:
    largest = Wish(("ring",), "2, 3, 4, 5", "bank", ("chandy-lamport", "lai-yang", "mattern"), ("fifo",), "166")
    values = spec(largest)
    assert len(values["sizes"]) * len(values["algorithms"]) * values["seeds"] == 1_992 <= RUNS


def test_what_a_form_comes_to_is_counted_as_the_command_counts_it() -> None:
    for filled in (Wish(), Wish(("ring", "star"), "2 4 6", "token", ("lai-yang",), ("any", "causal"), "7")):
        assert judged(filled).fits
        assert judged(filled).runs == grid(load_spec(written(spec(filled)), "spec.yaml")).runs


def test_every_field_that_is_wrong_is_named_in_the_order_of_the_form() -> None:
    found = judged(Wish((), "99", "chess", (), (), "0"))
    assert list(found.wrong) == ["topologies", "sizes", "programs", "seeds", "disciplines", "algorithms"]
    assert found.runs is None and not found.fits


def test_too_many_runs_are_counted_all_the_same() -> None:
    found = judged(replace(Wish(), sizes="2 3 4", seeds="200"))
    assert (found.runs, list(found.wrong)) == (2_400, ["runs"])
    assert found.amounts == {"topologies": 2, "sizes": 3, "algorithms": 2, "disciplines": 1, "seeds": 200}
