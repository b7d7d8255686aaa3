"""The simulator of Princeton's COS418, assignment 2, written literally from its rules, with no code shared with
Bluecut: one loop over ticks, servers and links. Tests compare Bluecut with it."""

from collections import deque
from dataclasses import dataclass, field

Packet = tuple[str, int, int]
"""("token", how many, when it may be received) or ("marker", snapshot id, when)."""


@dataclass
class Taken:
    """One snapshot: recorded tokens, messages by channel, and which channels are still recorded."""

    tokens: dict[str, int] = field(default_factory=dict)
    messages: dict[tuple[str, str], list[int]] = field(default_factory=dict)
    open: set[tuple[str, str]] = field(default_factory=set)


class Course:
    """Runs a ``.top`` and an ``.events`` text with given delays."""

    def __init__(self, top: str, delays: str) -> None:
        lines = [line.split() for line in top.splitlines() if line.strip() and not line.startswith("#")]
        count = int(lines[0][0])
        self.tokens = {name: int(tokens) for name, tokens in lines[1 : 1 + count]}
        self.links: dict[tuple[str, str], deque[Packet]] = {}
        for source, target in lines[1 + count :]:
            if source != target:
                self.links[source, target] = deque()
        self.delays = iter(delays)
        self.time = 0
        self.snapshots: list[Taken] = []

    def servers(self) -> list[str]:
        return sorted(self.tokens, key=str.encode)

    def outbound(self, source: str) -> list[tuple[str, str]]:
        return [(source, target) for target in self.servers() if (source, target) in self.links]

    def inbound(self, target: str) -> set[tuple[str, str]]:
        return {link for link in self.links if link[1] == target}

    def push(self, link: tuple[str, str], kind: str, value: int) -> None:
        self.links[link].append((kind, value, self.time + 1 + int(next(self.delays))))

    def run(self, events: str) -> None:
        for line in events.splitlines():
            match line.split():
                case ["send", source, target, amount]:
                    assert self.tokens[source] >= int(amount)
                    self.tokens[source] -= int(amount)
                    self.push((source, target), "token", int(amount))
                case ["snapshot", server]:
                    self.snapshots.append(Taken())
                    self.record(server, len(self.snapshots) - 1)
                case ["tick"]:
                    self.tick()
                case ["tick", number]:
                    for _ in range(int(number)):
                        self.tick()
        while any(self.links.values()):
            self.tick()

    def record(self, server: str, number: int) -> None:
        taken = self.snapshots[number]
        taken.tokens[server] = self.tokens[server]
        taken.open |= self.inbound(server)
        for link in self.outbound(server):
            self.push(link, "marker", number)

    def tick(self) -> None:
        self.time += 1
        for server in self.servers():
            for link in self.outbound(server):
                queue = self.links[link]
                if queue and queue[0][2] <= self.time:
                    self.deliver(link, queue.popleft())
                    break

    def deliver(self, link: tuple[str, str], packet: Packet) -> None:
        kind, value, _ = packet
        target = link[1]
        if kind == "token":
            self.tokens[target] += value
            for taken in self.snapshots:
                if link in taken.open:
                    taken.messages.setdefault(link, []).append(value)
            return
        taken = self.snapshots[value]
        if target not in taken.tokens:
            self.record(target, value)
        taken.open.discard(link)
