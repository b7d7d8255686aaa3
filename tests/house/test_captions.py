"""The words of a scenario's author are headlines: short enough to be read while the picture moves."""

from app.scenario.library import LIBRARY
from app.web.shared.opening import opened
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
