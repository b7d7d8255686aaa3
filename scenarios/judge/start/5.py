"""Channels keep no order, and markers are counted, in the worst run of
each system. One on each channel is enough. Do fewer do? Try it:
bluecut judge --level 5 FILE"""

from bluecut import Node


class Snapshot(Node):
    """One process: self.name, self.inputs, self.outputs.

    A message can carry a tag, and a marker a value.
    self.record(snapshot)                      copy its state
    self.send_marker(channel, snapshot, value) on an output
    self.log(channel, snapshot, message)       of an input
    self.close(channel, snapshot)              an input
    self.done(snapshot)                        with its part
    """

    def setup(self):
        """Prepare what you keep in self."""

    def start(self, snapshot):
        """Begin the snapshot."""
        self.record(snapshot)

    def on_send(self, channel):
        """The program sends. Return the tag of its message."""
        return None

    def on_marker(self, channel, snapshot, value):
        """A marker has come, perhaps too early."""

    def on_message(self, channel, message):
        """message.value has come, with message.tag."""
