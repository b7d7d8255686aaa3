"""What snapshots say about a quantity, compared with its true value."""

from app.analysis.readings import FLIGHT, quantities, readings, truth
from app.run.run import record
from app.scenario.library import LIBRARY
from tests.each import each


def test_a_reading_stands_beside_the_true_values_at_both_ends() -> None:
    run = record(LIBRARY.scenario("three-banks"))
    flight, n1 = quantities(run)[FLIGHT], quantities(run)["N1"]
    (one,) = readings(run, flight)
    assert (one.started, one.completed, one.before, one.recorded, one.after) == (3, 13, 2, 2, 0)
    assert [each.recorded for each in readings(run, n1)] == [5]


def test_the_truth_is_what_the_worlds_of_the_run_have() -> None:
    run = record(LIBRARY.scenario("meter-readings"))
    for name in quantities(run):
        values = dict(truth(run, name))
        value = values[0]
        for step in run.steps:
            value = values.get(step.number, value)
            queues = run.world(step.number).in_flight()
            if name == FLIGHT:
                assert value == sum(map(len, queues.values()))
            elif "->" in name:
                assert value == len(queues.get(name, ()))
            else:
                assert value == run.system.program.view(run.world(step.number).states[name])


@each("name", LIBRARY.names)
def test_what_is_in_flight_is_counted_step_by_step_as_in_the_worlds(name: str) -> None:
    run = record(LIBRARY.scenario(name))
    counted = [sum(map(len, world.in_flight().values())) for world in map(run.world, range(len(run.steps) + 1))]
    last = len(counted) - 1
    changed = [(i, n) for i, n in enumerate(counted) if i in (0, last) or n != counted[i - 1]]
    assert truth(run, FLIGHT) == changed


def test_of_five_recorded_states_the_run_was_in_one_only() -> None:
    run = record(LIBRARY.scenario("meter-readings"))
    assert [one.was for one in readings(run, quantities(run)[FLIGHT])] == [None, None, None, None, 133]


def test_money_in_the_banks_and_in_flight_is_the_same_in_every_reading() -> None:
    run = record(LIBRARY.scenario("meter-readings"))
    known = quantities(run)
    for i, one in enumerate(readings(run, known[FLIGHT])):
        banks = sum(readings(run, known[name])[i].recorded for name in "ABC")
        assert (banks == 120) is (one.recorded == 0) and banks <= 120


def test_states_that_are_no_numbers_cannot_be_read() -> None:
    run = record(LIBRARY.scenario("blue-figure"))
    assert list(quantities(run)) == [FLIGHT, "P1->P2", "P2->P1"]


def test_what_never_completes_says_nothing() -> None:
    run = record(LIBRARY.scenario("marker-lost"))
    assert readings(run, quantities(run)[FLIGHT]) == ()
