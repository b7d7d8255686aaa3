"""Channels that lose and duplicate messages: a random draw decides each time a message is about to arrive."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random

from app.core.model.values import Action, Deliver, Drop, Duplicate
from app.schedules.protocol import draw


@dataclass(frozen=True, slots=True)
class Unreliable:
    """By channel, how many of a hundred messages are lost, and how many are duplicated.

    Less than all are lost, so that a message that is sent again and again arrives some time (fair loss).
    """

    loss: Mapping[str, int] = field(default_factory=dict)
    duplication: Mapping[str, int] = field(default_factory=dict)

    def instead(self, rng: Random, deliver: Deliver) -> Action:
        """Return what happens to a message that would arrive now. Reliable channels make no draw."""
        loss, doubled = self.loss.get(deliver.channel, 0), self.duplication.get(deliver.channel, 0)
        if loss and draw(rng, 100) < loss:
            return Drop(deliver.channel, deliver.position)
        if doubled and draw(rng, 100) < doubled:
            return Duplicate(deliver.channel, deliver.position)
        return deliver

    def chances(self, deliver: Deliver) -> dict[Action, float]:
        """Return what may happen to a message that would arrive now, each with its probability."""
        loss, doubled = (kind.get(deliver.channel, 0) / 100 for kind in (self.loss, self.duplication))
        found: dict[Action, float] = {
            Drop(deliver.channel, deliver.position): loss,
            Duplicate(deliver.channel, deliver.position): (1 - loss) * doubled,
            deliver: (1 - loss) * (1 - doubled),
        }
        return {action: chance for action, chance in found.items() if chance}


RELIABLE = Unreliable()
