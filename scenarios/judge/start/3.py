"""Several snapshots at once, each with its own number. Try it: bluecut judge --level 3 FILE"""

from bluecut import Node


class Snapshot(Node):
    """One process. It knows its name, its inputs and its outputs (names of channels), and what you keep in self.

    The verbs, each for a snapshot, which is a number:

    self.record(snapshot)                   copies the present state of the program
    self.send_marker(channel, snapshot)     puts a marker on an output
    self.log(channel, snapshot, message)    copies a message into the state of an input
    self.close(channel, snapshot)           the state of an input is what was logged
    self.done(snapshot)                     the process has done its part
    """

    def setup(self):
        """Prepare what the process keeps: numbers, texts, lists, dicts, sets, messages."""

    def start(self, snapshot):
        """Somebody asks this process to begin the snapshot."""
        self.record(snapshot)

    def on_marker(self, channel, snapshot):
        """A marker has come on an input."""

    def on_message(self, channel, message):
        """A message has come on an input. The program handles it after this."""
