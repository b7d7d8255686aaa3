"""One thing in this class is wrong. Find it, and try: bluecut judge --level 3 FILE"""

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
            if channel in channels:
                self.log(channel, snapshot, message)

    def begin(self, snapshot):
        self.record(snapshot)
        self.open[snapshot] = list(self.inputs)
        for channel in self.outputs[:1]:
            self.send_marker(channel, snapshot)

    def finish(self, snapshot):
        if not self.open[snapshot]:
            self.done(snapshot)
