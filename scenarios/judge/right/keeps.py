"""Chandy and Lamport's rule, written another way: a process keeps what comes, and logs it when the marker closes the
channel. It counts the markers instead of keeping the open channels."""

from bluecut import Node


class Snapshot(Node):
    def setup(self):
        self.marked = set()  # (snapshot, channel): its marker has come
        self.kept = []  # (snapshot, channel, message), until then
        self.known = ()  # the snapshots for which it has recorded

    def start(self, snapshot):
        self.join(snapshot)

    def on_marker(self, channel, snapshot):
        self.join(snapshot, channel)

    def on_message(self, channel, message):
        self.kept += [(one, channel, message) for one in self.known if (one, channel) not in self.marked]

    def join(self, snapshot, channel=None):
        if snapshot not in self.known:
            self.known = (*self.known, snapshot)
            self.record(snapshot)
            for output in self.outputs:
                self.send_marker(output, snapshot)
        if channel is not None:
            for kept in [one for one in self.kept if one[:2] == (snapshot, channel)]:
                self.kept.remove(kept)
                self.log(channel, snapshot, kept[2])
            self.close(channel, snapshot)
            self.marked.add((snapshot, channel))
        if sum(one == snapshot for one, _ in self.marked) == len(self.inputs):
            self.done(snapshot)
