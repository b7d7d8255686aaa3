"""What a mistake says: one line, whatever it quotes."""

from app.core.model.values import Phrase


def test_what_breaks_a_line_is_written_out_once() -> None:
    assert str(Phrase("there is no {name}", name="a\nb\x1b\u2028c")) == r"there is no a\nb\x1b\u2028c"
