"""Own scenarios: what a link carries, what is kept, and what is refused."""

import base64
import json
import zlib
from pathlib import Path
from typing import Any

import pytest

from app.core.model.values import BluecutError
from app.forms.yaml_source import SourceError
from app.run.run import record
from app.web.base.store import Missing, Store, Unkept
from app.web.shared.own_scenario import keep, scenario_of, values_of
from app.wire.scenario_link import BadRef, canonical, packed, parsed, unpacked

SMALL: dict[str, Any] = {
    "title": {"en": "Two", "zh": "两个"},
    "topology": {"processes": ["A", "B"], "channels": ["A->B", "B->A"]},
    "program": {"kind": "bank", "accounts": {"A": 10, "B": 20}},
    "script": [{"start": "A"}, {"send": {"on": "B->A", "message": 5}}],
}


def noisy(size: int) -> str:
    """Text of ``size`` characters that does not compress: hexadecimal digits of hashes would, these hardly do."""
    letters = base64.b85encode(bytes((i * i * 31 + i * 7 + (i >> 3) * 131) % 256 for i in range(size))).decode()
    return letters[:size]


def large(lines: int) -> dict[str, Any]:
    """Return a scenario with a long script, each line with its own caption."""
    script: list[dict[str, Any]] = [{"start": "A"}]
    script += [
        {"send": {"on": "B->A", "message": 1}, "say": {"en": noisy(60 + i)[i % 50 :], "zh": str(i * 7919)}}
        for i in range(lines)
    ]
    return SMALL | {"program": {"kind": "bank", "accounts": {"A": 10, "B": 20_000}}, "script": script}


def deflated(data: bytes) -> str:
    """Return a ref that carries any bytes."""
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
    return "1." + base64.urlsafe_b64encode(deflate.compress(data) + deflate.flush()).decode().rstrip("=")


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "data")


def test_a_small_scenario_travels_in_its_link_and_nothing_is_saved(store: Store) -> None:
    ref = keep(SMALL, store)
    assert ref.startswith("1.")
    assert len(ref) < 320
    assert values_of(ref, store) == SMALL
    assert not store.file.exists()


def test_a_link_says_the_same_scenario_on_a_server_that_keeps_nothing(store: Store, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    elsewhere = Store(tmp_path / "file")
    run = record(scenario_of(keep(SMALL, store), elsewhere))
    assert len(run.steps) == 6


def test_a_large_scenario_is_kept_under_an_id(store: Store) -> None:
    ref = keep(large(120), store)
    assert ref.startswith("x-")
    assert values_of(ref, store) == large(120)
    assert scenario_of(ref, store).topology.names == ("A", "B")


def test_the_same_scenario_has_the_same_address_whatever_the_order_of_its_fields(store: Store) -> None:
    turned = dict(reversed(SMALL.items()))
    assert keep(SMALL, store) == keep(turned, store)
    assert keep(large(120), store) == keep(dict(reversed(large(120).items())), store)


def test_the_order_of_variables_is_part_of_a_scenario(store: Store) -> None:
    here = SMALL | {"program": {"kind": "variables", "values": {"A": {"X": 1, "Y": 2}}}, "script": [{"start": "A"}]}
    there = here | {"program": {"kind": "variables", "values": {"A": {"Y": 2, "X": 1}}}}
    assert keep(here, store) != keep(there, store)
    assert scenario_of(keep(here, store), store).name != scenario_of(keep(there, store), store).name


def test_two_scenarios_never_share_a_name(store: Store) -> None:
    other = SMALL | {"title": {"en": "Two", "zh": "两"}}
    names = {scenario_of(keep(values, store), store).name for values in (SMALL, other)}
    assert len(names) == 2


def test_a_mistake_in_a_run_names_the_line_of_the_text(store: Store) -> None:
    poor = SMALL | {"script": [{"start": "A"}, {"send": {"on": "B->A", "message": 500}}]}
    with pytest.raises(SourceError) as mistake:
        record(scenario_of(keep(poor, store), store))
    assert (mistake.value.line, mistake.value.field) == (10, "script[1]")


def test_a_scenario_that_cannot_be_kept_is_refused_while_small_ones_still_work(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    broken = Store(tmp_path / "file")
    with pytest.raises(Unkept, match="cannot be written"):
        keep(large(120), broken)
    assert keep(SMALL, broken).startswith("1.")


def test_more_than_64_kib_is_refused(store: Store) -> None:
    with pytest.raises(BluecutError, match=r"bytes of JSON; at most 65,536"):
        keep(large(800), store)


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ([], "a scenario is a mapping"),
        ("text", "a scenario is a mapping"),
        ({}, "missing"),
        (SMALL | {"colour": 1}, "unknown field"),
        (SMALL | {"title": {"en": "\ud800", "zh": ""}}, "not Unicode"),
        (SMALL | {"program": {"kind": "scripted", "states": {"A": 10**30}}}, "cannot be written"),
        (SMALL | {"program": {"kind": "scripted", "states": {"A": 1e300}}}, "cannot be written"),
        (SMALL | {"program": {"kind": "scripted", "states": {"A": eval("[" * 30 + "]" * 30)}}}, "nested more than 20"),
    ],
)
def test_what_is_no_scenario_is_refused_with_a_sentence(store: Store, values: Any, says: str) -> None:
    with pytest.raises(BluecutError, match=says):
        keep(values, store)


@pytest.mark.parametrize(
    "ref",
    [
        "1.",
        "1.%%%",
        "1.A",
        "1.AAAA",
        "1.bVAxTgMxEPxKNLUpLiQUV_ADpBQU",
        "1.\u202e",
        "1.aaaa bbbb",
        "1.a=b",
        "2.AAAA",
        "nothing",
        "",
        "1.../../etc/passwd",
        deflated(b"not json"),
        deflated(b"[1,2]"),
        deflated(b"\xff\xfe"),
        deflated(b'{"a":1,"a":2}'),
        deflated(b'{"a":NaN}'),
        deflated(b"[" * 10_000),
        deflated(json.dumps(SMALL | {"title": {"en": "\ud800", "zh": ""}}).encode()),
        deflated(json.dumps(SMALL | {"\udfff": 1}).encode()),
        packed("{}") + "AAAA",
        packed(canonical(SMALL))[:-3],
    ],
)
def test_garbage_is_refused_with_a_sentence(store: Store, ref: str) -> None:
    with pytest.raises(BluecutError) as refusal:
        scenario_of(ref, store)
    assert 10 < len(str(refusal.value)) < 300


def test_a_deflate_bomb_is_not_inflated(store: Store) -> None:
    bomb = deflated(b'{"a":"' + b"x" * 2_000_000 + b'"}')
    assert len(bomb) < 4_096
    with pytest.raises(BadRef, match=r"larger than 16,384 bytes"):
        scenario_of(bomb, store)


def test_exactly_16_kib_can_be_carried_and_one_byte_more_cannot() -> None:
    assert len(unpacked(packed("x" * 16_384))) == 16_384
    with pytest.raises(BadRef, match="larger than"):
        unpacked(packed("x" * 16_385))


def test_a_link_is_at_most_4096_characters() -> None:
    with pytest.raises(BadRef, match="longer than 4,096 characters"):
        unpacked("1." + "A" * 4_095)


def test_an_unknown_id_is_missing(store: Store) -> None:
    with pytest.raises(Missing, match="this server has not kept it"):
        scenario_of("x-0123456789abcdef0123", store)


def test_json_is_read_strictly() -> None:
    assert parsed('{"a": [1, true, null]}') == {"a": [1, True, None]}
    for text in ('{"a":1,"a":2}', "NaN", "{", "[" * 100_000, b"\xff"):
        with pytest.raises(BadRef):
            parsed(text)
