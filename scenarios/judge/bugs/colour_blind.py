"""One thing in this class is wrong. Find it, and try: bluecut judge --level 4 FILE"""

from bluecut import Node


class Snapshot(Node):
    def setup(self):
        self.round = 0  # the last snapshot for which it has recorded
        self.sent = dict.fromkeys(self.outputs, 0)
        self.came = {channel: [] for channel in self.inputs}  # for each message, the round in which it was sent
        self.owed = {}  # snapshot -> {input: how many messages cross the cut there}
        self.finished = []

    def on_send(self, channel):
        self.sent[channel] += 1
        return self.round

    def catch_up(self, snapshot):
        while self.round < snapshot:
            self.round += 1
            self.owed[self.round] = {}
            self.record(self.round)
            for channel in self.outputs:
                self.send_marker(channel, self.round, self.sent[channel])
            self.check(self.round)

    def start(self, snapshot):
        self.catch_up(snapshot)

    def on_marker(self, channel, snapshot, sent):
        self.catch_up(snapshot)
        self.owed[snapshot][channel] = sent
        self.check(snapshot)

    def on_message(self, channel, message):
        before = self.round
        for snapshot in range(message.tag + 1, before + 1):
            self.log(channel, snapshot, message)
        self.came[channel].append(message.tag)
        for snapshot in range(1, self.round + 1):
            self.check(snapshot)

    def check(self, snapshot):
        if snapshot in self.finished:
            return
        owed = self.owed[snapshot]
        for channel in self.inputs:
            if owed.get(channel) == sum(tag < snapshot for tag in self.came[channel]):
                owed[channel] = "closed"
                self.close(channel, snapshot)
        if all(owed.get(channel) == "closed" for channel in self.inputs):
            self.finished.append(snapshot)
            self.done(snapshot)
