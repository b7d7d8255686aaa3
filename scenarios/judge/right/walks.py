"""Lai and Yang's colours with one marker for everybody: it walks from process to process, on channels of any order, and
carries what each has sent before it recorded. The channels must lead everywhere and back."""

from bluecut import Node


class Snapshot(Node):
    def setup(self):
        self.recorded = False
        self.sent = dict.fromkeys(self.outputs, 0)
        self.came = dict.fromkeys(self.inputs, 0)  # only what was sent before its sender recorded
        self.owed = {}  # input -> how many of these there are
        self.closed = []

    def on_send(self, channel):
        if not self.recorded:
            self.sent[channel] += 1
        return self.recorded

    def start(self, snapshot):
        self.on_marker(None, snapshot, ({}, {}))

    def on_marker(self, channel, snapshot, value):
        self.begin(snapshot)
        told, knows = value
        self.told = {**told, self.name: self.sent}  # process -> what it has sent on each output
        knows = {**knows, self.name: sorted(self.told)}  # process -> of whom it has been told
        for one in self.inputs:
            self.owed[one] = self.told.get(one.split("->")[0], {}).get(one)
        self.check(snapshot)
        way = self.way(lambda one: one not in knows)
        way = way or self.way(lambda one: self.lacks(one, knows[one]))
        if way:
            self.send_marker(way, snapshot, (self.told, knows))

    def on_message(self, channel, message):
        if message.tag:
            self.begin(1)
            return
        self.came[channel] += 1
        if self.recorded:
            self.log(channel, 1, message)
            self.check(1)

    def begin(self, snapshot):
        if not self.recorded:
            self.recorded = True
            self.record(snapshot)

    def check(self, snapshot):
        for channel in self.inputs:
            if channel not in self.closed and self.owed.get(channel) == self.came[channel]:
                self.closed.append(channel)
                self.close(channel, snapshot)
                if len(self.closed) == len(self.inputs):
                    self.done(snapshot)

    def way(self, wanted):  # the output that leads to the nearest wanted process; nothing where there is none
        ways = [(channel, channel) for channel in self.outputs]  # the last channel, and the output with which it begins
        seen = [self.name]
        for channel, output in ways:
            target = channel.split("->")[1]
            if target in seen:
                continue
            seen.append(target)
            if wanted(target):
                return output
            ways += [(onward, output) for onward in self.told.get(target, ())]
        return None

    def lacks(self, process, known):  # something that the marker can tell it
        return any(one not in known and any(c.endswith("->" + process) for c in self.told[one]) for one in self.told)
