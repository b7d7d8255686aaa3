"""MillWheel's exactly-once delivery: which ids are known."""

import pytest
from immutables import Map

from app.algorithms.independent.millwheel import Memory, on_receive
from app.core.kernel.enabled import faults
from app.core.model.values import APP, Forget, Message, Process, Swallow
from app.run.run import record
from app.scenario.library import LIBRARY

READER = Process("b", inputs=("a->b",), outputs=())


@pytest.mark.parametrize(("ident", "known"), [("a.4", True), ("a.5", False), ("a.6", True), ("a.7", False)])
def test_what_is_below_the_watermark_or_seen_is_known(ident: str, known: bool) -> None:
    memory = Memory(marks=Map({"a->b": 5}), seen=Map({"a->b": ("a.6",)}))
    after, effects = on_receive(READER, memory, None, "a->b", Message(1, APP, None, tag=(ident, 5)))
    assert any(isinstance(effect, Swallow) for effect in effects) == known
    assert (after.doing is None) == known


def test_of_what_is_due_only_an_acknowledgement_can_be_forgotten() -> None:
    run = record(LIBRARY.scenario("acknowledgement-lost"))
    words = set[str]()
    for at in range(len(run.steps) + 1):
        world = run.world(at)
        forgotten = [(one.process, one.what) for one in faults(run.system, world) if isinstance(one, Forget)]
        assert forgotten == [due for due in world.wakes if due[1].word == "ack"]
        words |= {what.word for _, what in world.wakes}
    assert words > {"ack"}
