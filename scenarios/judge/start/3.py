"""Several snapshots at once, each with its own number. Try it: bluecut judge --level 3 FILE"""

from bluecut import Node


class Snapshot(Node):
    """One process: self.name, self.inputs, self.outputs.

    What it can do for a snapshot, which is a number:
    self.record(snapshot)                 copy its state
    self.send_marker(channel, snapshot)   on an output
    self.log(channel, snapshot, message)  of an input
    self.close(channel, snapshot)         an input
    self.done(snapshot)                   with its part
    """

    def setup(self):
        """Prepare what you keep in self."""

    def start(self, snapshot):
        """Begin the snapshot."""
        self.record(snapshot)

    def on_marker(self, channel, snapshot):
        """A marker has come on an input."""

    def on_message(self, channel, message):
        """A message has come. The program is next."""
