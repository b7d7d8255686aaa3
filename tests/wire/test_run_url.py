import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.model.values import BluecutError
from app.scenario.library import LIBRARY
from app.scenario.run_key import ENGINE, RunKey
from app.wire.run_url import Address, Query, address, canonical, is_stale, stamp

SCENARIO = LIBRARY.scenario("blue-figure")


def at(**query: object) -> Address:
    return address("blue-figure", SCENARIO, Query.model_validate(query))


def test_the_scenario_alone_needs_no_query() -> None:
    assert at().url() == "/run/blue-figure"


def test_what_the_scenario_says_anyway_is_left_out() -> None:
    assert at(algorithm="chandy-lamport", discipline="fifo", seed="0").url() == "/run/blue-figure"


def test_what_differs_is_written_in_a_fixed_order() -> None:
    here = at(discipline="any", seed="7", algorithm="photographs", choices="1:0.2,5:3", drain="1", step="3")
    assert here.url() == "/run/blue-figure?algorithm=photographs&discipline=any&choices=1:0.2,5:3&drain=1"


def test_a_seed_is_written_only_where_lots_are_drawn() -> None:
    drawn = LIBRARY.scenario("random-twelve")
    assert address("random-twelve", drawn, Query.model_validate({"seed": "7"})).url() == "/run/random-twelve?seed=7"
    assert (
        address("random-twelve", drawn, Query.model_validate({"seed": drawn.form.schedule.seed})).url()
        == "/run/random-twelve"
    )
    assert at(seed="7").url() == "/run/blue-figure"
    assert at(seed="7", algorithm="mattern").url() == "/run/blue-figure?algorithm=mattern&seed=7"
    assert at(seed="7", algorithm="mattern", manual="1").url() == "/run/blue-figure?algorithm=mattern&manual=1"


def test_a_link_carries_step_and_stamp_but_not_how_the_visitor_looks_at_it() -> None:
    here = at(step="3", presenter="1", lang="zh")
    assert here.link == f"/run/blue-figure?step=3&v={ENGINE}-{SCENARIO.digest}"
    assert here.here == f"/run/blue-figure?step=3&presenter=1&lang=zh&v={ENGINE}-{SCENARIO.digest}"


def test_fields_left_empty_by_a_form_count_as_not_given() -> None:
    assert at(algorithm="", seed="", discipline="", choices="", step="", drain="").key == RunKey()


def test_a_link_is_stale_when_the_engine_or_the_scenario_differs() -> None:
    assert not is_stale(Query.model_validate({"v": stamp(SCENARIO)}), SCENARIO)
    assert not is_stale(Query.model_validate({}), SCENARIO)
    assert is_stale(Query.model_validate({"v": f"{ENGINE + 1}-{SCENARIO.digest}"}), SCENARIO)
    assert is_stale(Query.model_validate({"v": f"{ENGINE}-000000000000"}), SCENARIO)


def test_choices_that_cannot_be_read_are_refused_in_a_sentence() -> None:
    with pytest.raises(BluecutError, match="STEP:INDEX"):
        at(choices="one:two")


steps = st.lists(st.integers(0, 300), unique=True, max_size=8).map(sorted)
keys = st.builds(
    RunKey,
    algorithm=st.sampled_from([None, "photographs", "late-marker"]),
    seed=st.none() | st.integers(1, 2**31 - 1),
    discipline=st.sampled_from([None, "any"]),
    choices=steps.flatmap(lambda s: st.tuples(*(st.tuples(st.just(k), st.integers(0, 99)) for k in s))),
    drain=st.booleans(),
)


@given(keys, st.integers(0, 20_000))
def test_every_key_survives_its_address(key: RunKey, step: int) -> None:
    written = Address("blue-figure", SCENARIO, key, step)
    read = address("blue-figure", SCENARIO, Query.model_validate({**written.query(), "step": str(step)}))
    assert (read.key, read.step) == (canonical(SCENARIO, key), step)
