"""What steps say, in short cuts and in full."""

from app.run.run import record
from app.scenario.library import LIBRARY
from app.wire.frames import telling
from app.words.step_sentences import ordinary, sentences


def test_an_ordinary_step_says_what_the_rules_for_every_step_say() -> None:
    keys: set[str] = set()
    for name in ("blue-figure", "commit-after-complete", "domino", "lossy-network", "leave-in-order", "one-overtakes"):
        run = record(LIBRARY.scenario(name))
        for step in run.steps:
            if said := ordinary(step.action, step.notes, run.system.program.show):
                assert said == sentences(telling(run, step))
                keys.update(sentence.key for sentence in said)
    assert keys == {"send", "receive"}
