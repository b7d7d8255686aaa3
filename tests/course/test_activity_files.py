"""Whatever stands in a teacher's file of an activity: it is one, or the mistake is told with file, line and field."""

from typing import Any
from unicodedata import category

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from app.course.activity import load
from app.course.activity_store import FOLDER
from app.forms.yaml_source import SourceError
from app.words.catalogues import LANGUAGES
from app.words.error_words import error_text
from tests.often import often

FILES = sorted(FOLDER.glob("*.yaml"))
LEAVES = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5), st.just([]), st.just({}), st.just("A")
)


def places(values: Any, here: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the paths of all parts."""
    inner = values.items() if isinstance(values, dict) else enumerate(values) if isinstance(values, list) else ()
    return [here, *(path for key, value in inner for path in places(value, (*here, key)))]


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """Draw the text of an activity of ours in which parts are others, are gone, or have names that nobody knows."""
    values: Any = yaml.safe_load(draw(st.sampled_from(FILES)).read_text("utf-8"))
    for _ in range(draw(st.integers(1, 3))):
        path = draw(st.sampled_from(places(values)))
        if not path:
            continue
        inside: Any = values
        for key in path[:-1]:
            inside = inside[key]
        match draw(st.sampled_from(("other", "gone", "more"))):
            case "other":
                inside[path[-1]] = draw(LEAVES)
            case "gone":
                del inside[path[-1]]
            case "more" if isinstance(inside, dict):
                inside[draw(st.text(max_size=5))] = draw(LEAVES)
    return yaml.safe_dump(values, allow_unicode=True)


@often(400)
@given(mutated())
def test_a_file_is_an_activity_or_its_mistake_is_told(text: str) -> None:
    told(text)


@often(200)
@given(st.text())
def test_any_text_is_refused_in_a_sentence(text: str) -> None:
    told(text)


@pytest.mark.parametrize(
    "text",
    ["", "\ud800: 1", "a: &a [*a]", "? [1]\n: 2", "x" * 20_000, "title: !!python/name:os", '"a\\n\\e[2Jb": 1'],
)
def test_what_is_no_activity_is_refused(text: str) -> None:
    assert told(text)


def told(text: str) -> str:
    """Return the mistake in a text, if there is one: it is told in one line, with the file, in both languages."""
    error = None
    try:
        load(text, "mine.yaml")
    except SourceError as found:
        error = found
    if error is None:
        return ""
    for language in LANGUAGES:
        said = error_text(error.phrase, language)
        assert said.startswith("mine.yaml") and len(said.splitlines()) == 1, said
        assert not any(category(sign) == "Cc" for sign in said), said
    return str(error)
