"""The spec of a sweep: what it may say, and its error messages."""

from pathlib import Path

import jsonschema
import pytest

from app.core.model.values import BluecutError
from app.forms.yaml_source import read
from app.paths import SCENARIOS
from app.pipeline.sweep import spec as limits
from app.pipeline.sweep.spec import axes, combinations, load_spec, schema, seeds
from app.scenario.library import LIBRARY
from app.words.error_words import error_text

RINGS = "topologies: [ring]\nsizes: [3]\nalgorithms: [chandy-lamport]\n"


def mistake(text: str) -> str:
    """Return the error message for this text."""
    with pytest.raises(BluecutError) as caught:
        load_spec(text, "my.yaml")
    return str(caught.value)


def test_what_a_spec_leaves_out_has_its_default() -> None:
    part = load_spec(RINGS, "my.yaml").parts[0]
    assert axes(part) == {
        "topology": ("ring",),
        "size": (3,),
        "program": ("bank",),
        "algorithm": ("chandy-lamport",),
        "discipline": ("fifo",),
        "delay": ((0, 4),),
        "interval": (20,),
        "loss": (0,),
        "duplication": (0,),
    }
    assert (seeds(part).first, seeds(part).count) == (1, 1)


def test_scenarios_have_their_own_algorithm_and_discipline_unless_the_spec_says_otherwise() -> None:
    own = load_spec("scenarios: [ring, token-late]\n", "my.yaml").parts[0]
    assert axes(own) == {"scenario": ("ring", "token-late"), "algorithm": (None,), "discipline": (None,)}
    other = load_spec("scenarios: [ring]\nalgorithms: [lai-yang]\ndisciplines: [any]\n", "my.yaml").parts[0]
    assert axes(other) == {"scenario": ("ring",), "algorithm": ("lai-yang",), "discipline": ("any",)}


def test_a_delay_is_a_number_or_from_one_to_another() -> None:
    part = load_spec(RINGS + "delays: [0, [2, 5], 7]\n", "my.yaml").parts[0]
    assert axes(part)["delay"] == ((0, 0), (2, 5), (7, 7))


def test_all_algorithms_have_a_word() -> None:
    assert combinations(load_spec(RINGS.replace("[chandy-lamport]", "all"), "my.yaml").parts[0]) > 40


def test_what_a_spec_gives_is_what_it_is_kept_as() -> None:
    spec = load_spec(RINGS + "seeds: {first: 5, count: 2}\n", "my.yaml")
    assert spec.written() == {
        "topologies": ["ring"],
        "sizes": [3],
        "algorithms": ["chandy-lamport"],
        "seeds": {"first": 5, "count": 2},
    }


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (RINGS + "sedes: 3\n", "my.yaml, line 4: sedes: unknown field; did you mean seeds? Known here: scenarios, "),
        (
            RINGS.replace("ring", "rign"),
            "my.yaml, line 1: topologies[0]: must be one of chain, ring, star, grid, complete, ",
        ),
        (RINGS.replace("[3]", "3"), "my.yaml, line 2: sizes: must be a list, not 3"),
        (RINGS.replace("[3]", "[three]"), "my.yaml, line 2: sizes[0]: must be a whole number, not 'three'"),
        (RINGS.replace("[3]", "[3, 3]"), "my.yaml, line 2: sizes[1]: given twice; keep one"),
        (RINGS.replace("[3]", "[]"), "my.yaml, line 2: sizes: must be at least 1 long, not a list of 0"),
        (
            RINGS.replace("-lamport", "-lampert"),
            "my.yaml, line 3: algorithms[0]: no algorithm is called 'chandy-lampert'; did you mean chandy-lamport?",
        ),
        (RINGS.replace("chandy-lamport", "x"), "my.yaml, line 3: algorithms[0]: unknown algorithm 'x'; one of chandy-"),
        (
            "topologies: [ring]\n",
            "my.yaml, line 1: sizes: missing; a sweep has scenarios, or topologies, sizes and algorithms",
        ),
        (RINGS + "delays: [[5, 2]]\n", "my.yaml, line 4: delays[0]: from 5 to 2; the first is the smaller one"),
        (RINGS + "crashes: 50\n", "my.yaml, line 4: crashes: goes with the program dataflow alone"),
        (RINGS + "losses: [95]\n", "my.yaml, line 4: losses[0]: must be at most 90, not 95"),
        (RINGS + "losses: [5, 5]\n", "my.yaml, line 4: losses[1]: given twice; keep one"),
        (
            RINGS + "schedule: seeded\ndelays: [2]\n",
            "my.yaml, line 5: delays: does not go with a seeded schedule, which knows no time",
        ),
        (RINGS + "seeds: {first: 0}\n", "my.yaml, line 4: seeds.first: must be at least 1, not 0"),
        (RINGS + "programs: [variables]\n", "my.yaml, line 4: programs[0]: must be one of bank, token, dataflow, not "),
        (
            "scenarios: [rings]\n",
            "my.yaml, line 1: scenarios[0]: no scenario is called 'rings'; did you mean ring?",
        ),
        (
            "scenarios: [ring]\nmoves: 3\n",
            "my.yaml, line 2: moves: does not go with scenarios, which say it themselves",
        ),
        (
            "seeds: 2\nparts:\n  - scenarios: [ring]\n",
            "my.yaml, line 1: seeds: does not go with parts; give it in each of them",
        ),
        (
            "parts:\n  - scenarios: [ring]\n  - scenarios: [ring]\n    step: 5\n",
            "my.yaml, line 4: parts[1].step: unknown field; did you mean steps? Known here: ",
        ),
        ("# nothing\n\n", "my.yaml, line 1: empty; a sweep has scenarios, or topologies, sizes and algorithms"),
        ("- ring\n", "my.yaml, line 1: a sweep is a mapping with scenarios, or topologies, sizes, algorithms, …"),
    ],
)
def test_a_mistake_names_line_and_field_and_says_what_is_right(text: str, says: str) -> None:
    assert mistake(text).startswith(says)


def test_a_mistake_is_told_in_chinese_too() -> None:
    with pytest.raises(BluecutError) as caught:
        load_spec(RINGS + "crashes: 50\n", "my.yaml")
    assert error_text(caught.value.phrase, "zh") == "my.yaml 第 4 行：crashes：只与程序 dataflow 一起使用"


@pytest.mark.parametrize(
    ("field", "least", "most"),
    [
        ("sizes: [{}]", 2, 200),
        ("delays: [{}]", 0, limits.TICKS),
        ("intervals: [{}]", 1, 2_000),
        ("moves: {}", 1, limits.MOVES),
        ("snapshots: {}", 1, 16),
        ("seeds: {}", 1, limits.SEEDS),
        ("steps: {}", 1, 20_000),
    ],
)
def test_a_number_may_be_at_its_limit_and_not_beyond(field: str, least: int, most: int) -> None:
    others = "".join(line + "\n" for line in RINGS.splitlines() if not field.startswith(line.split(":")[0]))
    for value in (least, most):
        load_spec(others + field.format(value), "my.yaml")
    for value, says in ((least - 1, f"must be at least {least:,}"), (most + 1, f"must be at most {most:,}")):
        told_so = mistake(others + field.format(value))
        assert says in told_so and told_so.endswith(f", not {value}")


def test_there_may_be_so_many_combinations_and_not_one_more() -> None:
    intervals = ", ".join(str(i + 1) for i in range(50))
    delays = ", ".join(str(i) for i in range(50))
    full = RINGS.replace("[3]", "[2, 3, 4, 5]") + f"intervals: [{intervals}]\ndelays: [{delays}]\n"
    spec = load_spec(full, "my.yaml")
    assert combinations(spec.parts[0]) == limits.CELLS == 10_000
    more = f"parts:\n  - {{{', '.join(full.splitlines())}}}\n  - scenarios: [ring]\n"
    assert mistake(more) == "my.yaml, line 1: 10,001 combinations; at most 10,000"


def test_there_may_be_so_many_runs_and_not_one_more() -> None:
    many = RINGS.replace("[3]", "[3, 4, 5, 6, 7, 8, 9, 10, 11, 12]") + "seeds: 100000\n"
    assert combinations(load_spec(many, "my.yaml").parts[0]) * limits.SEEDS == limits.RUNS
    more = f"parts:\n  - {{{', '.join(many.splitlines())}}}\n  - scenarios: [ring]\n"
    assert mistake(more) == "my.yaml, line 1: 1,000,001 runs; at most 1,000,000"


def test_a_text_may_be_so_long_and_not_a_byte_more() -> None:
    filled = RINGS + "#" * (limits.BYTES - len(RINGS))
    load_spec(filled, "my.yaml")
    assert mistake(filled + "#") == "my.yaml: 65,537 bytes; at most 65,536"


def test_a_file_is_looked_up_beside_the_spec_and_nowhere_else(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text((SCENARIOS / "ring.yaml").read_text("utf-8"), "utf-8")
    spec = load_spec("scenarios: [mine.yaml]\n", "my.yaml", folder=tmp_path)
    assert spec.files == (
        ("mine.yaml", read((SCENARIOS / "ring.yaml").read_text("utf-8"), "ring", limit=10**6).values),
    )
    assert mistake("scenarios: [mine.yaml]\n").startswith("my.yaml, line 1: scenarios[0]: no scenario is called 'mine")
    with pytest.raises(
        BluecutError, match=r"my\.yaml, line 1: scenarios\[0\]: gone\.yaml: cannot be read: No such fil"
    ):
        load_spec("scenarios: [gone.yaml]\n", "my.yaml", folder=tmp_path)


def test_a_mistake_in_such_a_file_names_its_own_line(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text("topology: {ring: 3}\nprogramme: {}\n", "utf-8")
    with pytest.raises(BluecutError, match=r"^mine\.yaml, line 2: programme: unknown field; did you mean program\?"):
        load_spec("scenarios: [mine.yaml]\n", "my.yaml", folder=tmp_path)


@pytest.mark.parametrize("path", sorted((SCENARIOS / "sweeps").glob("*.yaml")), ids=lambda path: path.stem)
def test_the_specs_that_come_with_bluecut_are_right_and_no_scenarios(path: Path) -> None:
    load_spec(path.read_text("utf-8"), path.name, folder=path.parent)
    jsonschema.validate(read(path.read_text("utf-8"), path.name, limit=limits.BYTES).values, schema())
    assert path.stem not in LIBRARY.names()
