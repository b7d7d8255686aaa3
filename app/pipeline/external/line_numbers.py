"""Places: the lines in a trace of another system that a fault is about."""

from collections.abc import Mapping

from app.core.model.value import Frozen
from app.core.model.values import Json
from app.pipeline.external.acyclic import Name


class Places(Frozen):
    """The lines, from 1, of one run in a file: by message, where it is sent and received; by snapshot and process,
    where the process records; by snapshot, channel and message, where the message is recorded in the channel.
    ``channels`` gives the sender and the receiver of each."""

    file: str
    channels: Mapping[str, tuple[Name, Name]]
    sent: Mapping[Name, int]
    received: Mapping[Name, int]
    recorded: Mapping[Name, Mapping[Name, int]]
    logged: Mapping[tuple[Name, str, Name], tuple[int, ...]]

    def about(self, snapshot: Name | None, witness: Mapping[str, Json]) -> dict[str, Json]:
        """Return the ``file`` and the lines where the witness's message was sent and received, where its two ends
        recorded, and where the message was recorded in its channel; nothing if the witness has no message."""
        message, channel = witness.get("message"), witness.get("channel")
        if message is None or channel is None or snapshot is None:
            return {}
        records = self.recorded.get(snapshot, {})
        lines = {
            "sent": [self.sent[message]] if message in self.sent else [],
            "received": [self.received[message]] if message in self.received else [],
            "recorded": [records[end] for end in self.channels.get(channel, ()) if end in records],
            "logged": list(self.logged.get((snapshot, channel, message), ())),
        }
        return {"file": self.file} | {what: those for what, those in lines.items() if those}
