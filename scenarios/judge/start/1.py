"""Chandy and Lamport's rule with two gaps. Fill them, and try it: bluecut judge --level 1 FILE"""

from bluecut import Node


class Snapshot(Node):
    def setup(self):
        self.open = {}  # snapshot -> inputs on which no marker has come

    def start(self, snapshot):
        self.begin(snapshot)
        self.finish(snapshot)

    def on_marker(self, channel, snapshot):
        if snapshot not in self.open:
            self.begin(snapshot)
        self.open[snapshot].remove(channel)
        self.close(channel, snapshot)
        self.finish(snapshot)

    def on_message(self, channel, message):
        for snapshot, channels in self.open.items():
            pass  # gap 1: which messages belong to the state of the channel? self.log(channel, snapshot, message)

    def begin(self, snapshot):
        self.record(snapshot)
        self.open[snapshot] = list(self.inputs)
        # gap 2: what must leave before anything else? self.send_marker(channel, snapshot)

    def finish(self, snapshot):
        if not self.open[snapshot]:
            self.done(snapshot)
