"""A mistake goes to another process and comes back as it was."""

from app.core.model.error_json import read, written
from app.core.model.values import Phrase


def test_a_phrase_comes_back_with_its_phrases_and_sequences() -> None:
    inner = Phrase("did you mean {names}?", names=("p", "q"))
    phrase = Phrase("{file}: {line} {suggestion}", file="x.yaml", line=3, suggestion=inner, part=None)
    back = read(written(phrase))
    assert str(back) == str(phrase)
    fields = dict(back.fields)
    assert (fields["file"], fields["line"], fields["part"]) == ("x.yaml", 3, None)
    suggestion = fields["suggestion"]
    assert isinstance(suggestion, Phrase) and dict(suggestion.fields) == {"names": ("p", "q")}
