"""MillWheel's exactly-once delivery: which ids are known."""

import pytest
from immutables import Map

from app.algorithms.independent.millwheel import Memory, on_receive
from app.core.model.values import APP, Message, Process, Swallow

READER = Process("b", inputs=("a->b",), outputs=())


@pytest.mark.parametrize(("ident", "known"), [("a.4", True), ("a.5", False), ("a.6", True), ("a.7", False)])
def test_what_is_below_the_watermark_or_seen_is_known(ident: str, known: bool) -> None:
    memory = Memory(marks=Map({"a->b": 5}), seen=Map({"a->b": ("a.6",)}))
    after, effects = on_receive(READER, memory, None, "a->b", Message(1, APP, None, tag=(ident, 5)))
    assert any(isinstance(effect, Swallow) for effect in effects) == known
    assert (after.doing is None) == known
