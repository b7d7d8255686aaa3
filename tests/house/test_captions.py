"""The words of a scenario's author are headlines: short enough to be read while the picture moves."""

from app.core.model.values import Json
from app.forms.yaml_source import read
from app.scenario.format import FILE_BYTES
from app.scenario.library import LIBRARY
from app.web.shared.run_page import opened
from tests.each import each

WORDS, CHARACTERS = 18, 40
"""The most words of an English headline, a sign between spaces counting as one, and characters of a Chinese one."""


def long(english: str, chinese: str) -> bool:
    """Is a text too long for a headline in either language?"""
    return len(english.split()) > WORDS or len(chinese) > CHARACTERS


@each("name", LIBRARY.names)
def test_what_an_author_says_of_a_step_is_a_headline(name: str) -> None:
    scenario = LIBRARY.scenario(name)
    said = [words for words in scenario.captions if words is not None]
    assert [words.en for words in said if long(words.en or "", words.zh or "")] == []


@each("name", LIBRARY.names)
def test_a_story_has_a_cast_and_ends_with_a_question(name: str) -> None:
    story = LIBRARY.scenario(name).form.story
    assert story
    english, chinese = opened(story.en or ""), opened(story.zh or "")
    assert all((*english, *chinese))
    assert not long(english[1], chinese[1])


def sole(values: Json) -> list[str]:
    """Return the texts that stand for both languages."""
    if isinstance(values, list):
        return [text for value in values for text in sole(value)]
    if not isinstance(values, dict):
        return []
    told = ("title", "surprise", "story", "ending", "say", "task", "hint")
    found = [str(values[field]) for field in told if isinstance(values.get(field), str)]
    return found + [text for value in values.values() for text in sole(value)]


def test_a_text_that_stands_for_both_languages_is_found() -> None:
    assert sole({"title": "t", "story": {"en": "s", "zh": "s"}, "script": [{"say": "u"}]}) == ["t", "u"]


@each("name", LIBRARY.names)
def test_the_library_speaks_both_languages(name: str) -> None:
    path = LIBRARY.files()[name]
    assert sole(read(path.read_text(encoding="utf-8"), name, limit=FILE_BYTES).values) == []
