"""Channels that keep no order: a message may overtake a marker. Try it: bluecut judge --level 4 FILE"""

from bluecut import Node


class Snapshot(Node):
    """One process. Here a message can carry a tag, and a marker a value.

    self.record(snapshot)                         copies the present state of the program
    self.send_marker(channel, snapshot, value)    puts a marker with a value on an output
    self.log(channel, snapshot, message)          copies a message into the state of an input
    self.close(channel, snapshot)                 the state of an input is what was logged
    self.done(snapshot)                           the process has done its part
    """

    def setup(self):
        """Prepare what the process keeps: numbers, texts, lists, dicts, sets, messages."""

    def start(self, snapshot):
        """Somebody asks this process to begin the snapshot."""
        self.record(snapshot)

    def on_send(self, channel):
        """The program is about to send on an output. What is returned becomes the tag of the message."""
        return None

    def on_marker(self, channel, snapshot, value):
        """A marker has come on an input, perhaps before messages that were sent earlier."""

    def on_message(self, channel, message):
        """A message has come on an input: message.value, message.tag. The program handles it after this."""
