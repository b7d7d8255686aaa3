"""The same workload written for SimPy, in the style of its documentation.

A process for each server that sends by the plan, a process and a Store for each link, and a Resource for each
server's port, which a message holds for the tick in which it leaves. Chandy–Lamport is two methods.
"""

from collections.abc import Generator
from random import Random
from typing import Any

import simpy

from tests.benchmarks.workload import TOKENS, Workload

MARKER = object()


class Server:
    """Tokens, links, and what was recorded."""

    def __init__(self, env: simpy.Environment, name: str) -> None:
        self.name = name
        self.tokens = TOKENS
        self.links: dict[str, Link] = {}
        self.inputs: list[str] = []
        self.port = simpy.Resource(env, capacity=1)
        self.recorded: int | None = None
        self.logs: dict[str, list[int]] = {}
        self.open: set[str] = set()

    def send(self, channel: str, amount: int) -> None:
        """Put tokens on a link."""
        self.tokens -= amount
        self.links[channel].put(amount)

    def record(self) -> None:
        """Record the state, open every input, send markers."""
        self.recorded = self.tokens
        self.open = set(self.inputs)
        self.logs = {channel: [] for channel in self.inputs}
        for link in self.links.values():
            link.put(MARKER)

    def receive(self, channel: str, message: Any) -> None:
        """Receive a token or a marker."""
        if message is MARKER:
            if self.recorded is None:
                self.record()
            self.open.discard(channel)
            return
        self.tokens += message
        if channel in self.open:
            self.logs[channel].append(message)


class Link:
    """A FIFO channel with delays."""

    def __init__(self, env: simpy.Environment, name: str, source: Server, target: Server, rng: Random) -> None:
        self.env, self.name, self.source, self.target, self.rng = env, name, source, target, rng
        self.store = simpy.Store(env)
        self.delivered = 0
        env.process(self.run())

    def put(self, message: Any) -> None:
        """Send: the delay is drawn now."""
        self.store.put((self.env.now + 1 + int(self.rng.random() * 5), message))

    def run(self) -> Generator[Any, Any, None]:
        """Carry one message after another."""
        while True:
            due, message = yield self.store.get()
            if due > self.env.now:
                yield self.env.timeout(due - self.env.now)
            with self.source.port.request() as turn:
                yield turn
                self.target.receive(self.name, message)
                self.delivered += 1
                yield self.env.timeout(1)


class SimPyWorld:
    """The workload in SimPy."""

    def __init__(self, load: Workload) -> None:
        self.env = env = simpy.Environment()
        rng = Random(2)
        topology = load.topology
        self.servers = servers = {name: Server(env, name) for name in topology.names}
        self.links = []
        for channel in topology.channels.values():
            link = Link(env, channel.name, servers[channel.source], servers[channel.target], rng)
            servers[channel.source].links[channel.name] = link
            servers[channel.target].inputs.append(channel.name)
            self.links.append(link)
        plans: dict[str, list[tuple[int, str]]] = {name: [] for name in topology.names}
        for at, name in load.sends:
            plans[topology.channels[name].source].append((at, name))
        for name, plan in plans.items():
            env.process(self.traffic(servers[name], plan))
        env.process(self.initiator(*load.start))

    def traffic(self, server: Server, plan: list[tuple[int, str]]) -> Generator[Any, Any, None]:
        """Send by a server's plan."""
        for at, channel in plan:
            if at > self.env.now:
                yield self.env.timeout(at - self.env.now)
            server.send(channel, 1)

    def initiator(self, at: int, name: str) -> Generator[Any, Any, None]:
        """Start the snapshot."""
        yield self.env.timeout(at)
        self.servers[name].record()

    def run(self) -> None:
        """Run until nothing is left."""
        self.env.run()

    @property
    def delivered(self) -> int:
        """Return the messages that arrived, markers too."""
        return sum(link.delivered for link in self.links)

    def live(self) -> int:
        """Return the tokens at the end."""
        return sum(server.tokens for server in self.servers.values())

    def snapshot(self) -> int:
        """Return the tokens in the snapshot."""
        assert all(server.recorded is not None and not server.open for server in self.servers.values())
        logged = sum(sum(log) for server in self.servers.values() for log in server.logs.values())
        return logged + sum(server.recorded or 0 for server in self.servers.values())
