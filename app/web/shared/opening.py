"""What stands before the first step: the cast and the question of a scenario's story."""

import re

SENTENCE = re.compile(r"[^.?!。？！]+(?:[.?!](?! |$)[^.?!。？！]*)*[.?!。？！]*[”」)]?\s*")
QUESTIONS = 2
"""The most questions that a story ends with."""


def opened(story: str) -> tuple[str, str]:
    """Return the story without its question, and the question: its last sentence if it asks, with the one before if
    that asks, too."""
    sentences = SENTENCE.findall(story.strip())
    first = len(sentences)
    while first and len(sentences) - first < QUESTIONS and sentences[first - 1].rstrip("”」) ").endswith(("?", "？")):
        first -= 1
    return "".join(sentences[:first]).strip(), "".join(sentences[first:]).strip()
