"""A deferred step is a value; its text is what links, files and scripts have always written."""

import pytest

from app.core.model.values import Todo


@pytest.mark.parametrize(
    ("what", "text"),
    [
        (Todo("record", (1,)), "record 1"),
        (Todo("letter", (3, 0)), "letter 3 0"),
        (Todo("resend", name="p->q"), "resend p->q"),
        (Todo("commit", item="s.4"), "commit s.4"),
        (Todo("ack", name="p->q", item="s.4"), "ack p->q:s.4"),
        (Todo("back", (1, 2, 5, -1), "P"), "back P 1 2 5 -1"),
        (Todo(""), ""),
    ],
)
def test_the_text_of_a_deferred_step(what: Todo, text: str) -> None:
    assert str(what) == text
    assert text == f"{what.word} {what.about}".rstrip()
