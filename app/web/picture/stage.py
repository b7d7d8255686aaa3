"""The stage at a step: processes, channels, what is in them and what is recorded, as the player shows it at rest."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.core import oracle
from app.core.kernel import System
from app.core.model import MARKER, Message, Move, Part, World
from app.narration.tell import word
from app.simulator.run import Run, Step
from app.web.frames import text
from app.web.picture.geometry import COUNTER, arrange, slots
from app.web.picture.letters import fit, measure, wrap
from app.web.picture.marks import HATCHES, TONES, Text, hue, latest, words
from app.web.picture.paths import Point
from app.web.picture.plan import GAP, HEAD, Box, Content, Link, Plan, Track

WIDTH, LOW, HIGH = 960, 440, 600
"""A picture in px: high where there are many processes."""
TIGHT = 0.92
"""Widths are estimated with care; where texts stand in a line, that much of the estimate looks right."""
SHOWN = 4
"""Recorded messages that a caption shows before it counts them."""


@dataclass(frozen=True, slots=True)
class Node:
    """A live process."""

    name: str
    box: Box
    round: float
    acts: bool
    texts: tuple[Text, ...]


@dataclass(frozen=True, slots=True)
class Card:
    """What a process recorded. ``thread`` is the dotted line to the live process."""

    process: str
    box: Box
    round: float
    thread: tuple[float, float, float]
    camera: tuple[float, float, float] | None
    texts: tuple[Text, ...]


@dataclass(frozen=True, slots=True)
class Pill:
    """A message where it is. ``kind`` is app, marker or part."""

    message: int
    kind: str
    place: Point
    width: float
    height: float
    said: Text | None
    fresh: bool


@dataclass(frozen=True, slots=True)
class Copy:
    """A recorded message beside its channel, or what is printed in the channel. ``open``: still being recorded."""

    place: Point
    width: float
    height: float
    said: Text
    open: bool


@dataclass(frozen=True, slots=True)
class Tube:
    """A channel. ``mode`` is none, recording, recorded, or unwatched where the algorithm does not look."""

    name: str
    track: Track
    mode: str
    fresh: bool
    pills: tuple[Pill, ...]
    copies: tuple[Copy, ...]
    texts: tuple[Text, ...]
    more: Copy | None
    lane: bool


@dataclass(frozen=True, slots=True)
class Stage:
    """Everything that the template draws."""

    plan: Plan
    tone: str
    hatch: str
    tubes: tuple[Tube, ...]
    nodes: tuple[Node, ...]
    cards: tuple[Card, ...]

    @property
    def thin(self) -> bool:
        """Are the channels mere lines?"""
        return self.plan.look == "grid"


def stage(run: Run, step: int, language: str) -> Stage:
    """The stage after ``step`` steps."""
    return _Drawing(run, step, language).stage()


def plan_of(run_system: System, states: dict[str, object], language: str, width: float, height: float) -> Plan:
    """Where everything is, which depends on the first states only and so does not change during a run."""
    topology = run_system.topology
    places = [Point(*topology.layout[name]) for name in topology.names]
    order = topology.process_order
    links = [
        Link(order[c.source], order[c.target], f"{c.target}->{c.source}" in topology.channels)
        for c in topology.channels.values()
    ]
    rows, line, value = 0, 0.0, 0.0
    for state in states.values():
        if isinstance(state, dict):
            rows = max(rows, len(state))
            line = max([line, *(measure(f"{k} {words(v, language)}", 1) + 0.8 for k, v in state.items())])
        value = max(value, min(measure(words(state, language), 1) + 0.6, 6))
    name = max(measure(name, 1) for name in topology.names)
    return arrange(places, links, width, height, Content(rows, line, value, name))


class _Drawing:
    def __init__(self, run: Run, step: int, language: str) -> None:
        self.run, self.language, self.number = run, language, step
        self.system = run.system
        self.view, self.show = self.system.program.view, self.system.program.show
        self.world: World = run.world(step)
        self.step: Step | None = run.steps[step - 1] if step else None
        self.snapshot = latest(run, step)
        self.parts: dict[str, Part] = (
            oracle.parts(self.system, self.world, self.snapshot) if self.snapshot is not None else {}
        )
        self.logs = {c: (messages, c in p.open) for p in self.parts.values() for c, messages in p.channels}
        first = {name: self.view(run.begin.states[name]) for name in self.system.topology.names}
        self.plan = plan_of(self.system, first, language, WIDTH, LOW)
        if self.plan.look == "grid":
            self.plan = plan_of(self.system, first, language, WIDTH, HIGH)

    def stage(self) -> Stage:
        names = self.system.topology.names
        tone = hue(self.run, self.snapshot) if self.snapshot is not None else 0
        tubes = tuple(
            self.tube(name, track) for name, track in zip(self.system.topology.channels, self.plan.tracks, strict=True)
        )
        nodes = tuple(self.node(name, i) for i, name in enumerate(names))
        cards = tuple(self.card(name, i) for i, name in enumerate(names) if name in self.parts)
        return Stage(self.plan, TONES[tone], HATCHES[tone], tubes, nodes, cards)

    def told(self, value: object) -> str:
        return words(value, self.language)

    # processes

    def actor(self) -> str | None:
        """Who acts in this step."""
        if self.step is None:
            return None
        where = text(self.step.action, self.show).split(" ")[1]
        channel = self.system.topology.channels.get(where)
        if channel is None:
            return where
        return channel.source if isinstance(self.step.action, Move) else channel.target

    def node(self, name: str, i: int) -> Node:
        box, state = self.plan.nodes[i], self.view(self.world.states[name])
        look = self.plan.look
        if look == "grid":
            texts = [Text(0, 3.6, 10, fit(name, 10, box.w - 4), "middle", 600)]
        elif look == "row":
            texts = self.tall(name, box, state)
        elif not self.plan.rows:
            texts = self.stacked(name, box, state)
        else:
            texts = self.flat(name, box, state)
        return Node(name, box, {"row": 14, "circle": 10, "grid": 6}[look], name == self.actor(), tuple(texts))

    def tall(self, name: str, box: Box, state: object) -> list[Text]:
        top = -box.h / 2
        texts = [Text(0, top + 27, 18, fit(name, 18, box.w - 16), "middle", 700)]
        if not isinstance(state, dict):
            said = "" if state is None else self.told(state)
            size = max(12, min(30, 30 * (box.w - 24) / max(1, measure(said, 30))))
            return [*texts, Text(0, box.h / 2 - 21, size, fit(said, size, box.w - 16), "middle", 700)]
        items = list(state.items())
        shown = items[: self.plan.rows - 1 if len(items) > self.plan.rows else self.plan.rows]
        left = -min(box.w / 2 - 16, 52)
        for at, (key, value) in enumerate(shown):
            y = top + 55 + at * 24
            said = fit(self.told(value), 15, 70)
            texts.append(Text(left, y, 15, fit(key, 15, -2 * left - measure(said, 15) - 8), ink="mute"))
            texts.append(Text(-left, y, 15, said, "end", 600))
        if len(shown) < len(items):
            texts.append(Text(0, top + 55 + len(shown) * 24, 13, f"+{len(items) - len(shown)}", "middle", ink="mute"))
        return texts

    def stacked(self, name: str, box: Box, state: object) -> list[Text]:
        """Many processes: the name, and the state in one line below it."""
        said = "" if state is None else fit(self.told(state), 13, box.w - 10)
        title = Text(0, -4 if said else 4.5, 13, fit(name, 13, box.w - 8), "middle", 700)
        return [title, Text(0, 13.5, 13, said, "middle", 600)] if said else [title]

    def flat(self, name: str, box: Box, state: object) -> list[Text]:
        if not isinstance(state, dict):
            said = "" if state is None else fit(self.told(state), 18, box.w - 14)
            title = Text(0, -6 if said else 5, 15, fit(name, 15, box.w - 12), "middle", 700)
            return [title, Text(0, 17, 18, said, "middle", 600)] if said else [title]
        top = -box.h / 2
        texts = [Text(0, top + 18, 15, fit(name, 15, box.w - 12), "middle", 700)]
        for at, (key, value) in enumerate(list(state.items())[: self.plan.rows]):
            said = fit(self.told(value), 13, box.w * 0.5)
            y = top + 37 + at * 17
            texts.append(Text(-box.w / 2 + 10, y, 13, fit(key, 13, box.w - 24 - measure(said, 13)), ink="mute"))
            texts.append(Text(box.w / 2 - 10, y, 13, said, "end", 600))
        return texts

    def card(self, name: str, i: int) -> Card:
        box, node, look = self.plan.cards[i], self.plan.nodes[i], self.plan.look
        state = self.view(self.parts[name].state)
        up = -1 if box.y < node.y else 1
        thread = (box.x, node.y + up * node.h / 2, box.y - up * box.h / 2)
        texts: list[Text] = []
        camera = None
        if look == "row":
            camera, texts = self.sheet(name, box, state)
        elif look == "circle":
            number = f"#{self.snapshot}" if self.plan.rows else ""
            room = box.w - 26 - measure(number, 12) - (16 if number else 8)
            camera = (-box.w / 2 + 6, -8, 15)
            texts = [
                Text(-box.w / 2 + 26, 4.5, 12, number, weight=700, ink="paper"),
                Text(box.w / 2 - 8, 4.5, 12, fit(self.told(state), 12, room), "end", 600, "paper"),
            ]
        return Card(name, box, {"row": 10, "circle": 6, "grid": 2}[look], thread, camera, tuple(texts))

    def sheet(self, name: str, box: Box, state: object) -> tuple[tuple[float, float, float], list[Text]]:
        """The copy of a process in a row: a heading, and its state."""
        number = f"#{self.snapshot}"
        head = word("picture.recorded", self.language, process=name)
        head = head if measure(head, 13) <= box.w - 62 else fit(name, 13, box.w - 62)
        long = 32 + (measure(head, 13) + measure(number, 13)) * TIGHT
        y = -box.h / 2 + 24
        texts = [
            Text(-long / 2 + 24, y, 13, head, weight=600, ink="paper"),
            Text(long / 2, y, 13, number, "end", 700, "paper"),
        ]
        if isinstance(state, dict):
            lines = wrap([f"{k}={self.told(v)}" for k, v in state.items()], 15, box.w - 16, 3)
            top = -box.h / 2 + 50 + (box.h - 40 - len(lines) * 20) / 2
            texts += [Text(0, top + at * 20, 15, line, "middle", 600, "paper") for at, line in enumerate(lines)]
        else:
            texts.append(Text(0, box.h / 2 - 14, 20, fit(self.told(state), 20, box.w - 16), "middle", 700, "paper"))
        return (-long / 2, -box.h / 2 + 10, 18), texts

    # channels

    def tube(self, name: str, track: Track) -> Tube:
        log = self.logs.get(name)
        mode = "none" if log is None else "recording" if log[1] else "recorded" if self.closed(name) else "unwatched"
        queue, lane = self.world.queues.get(name, ()), self.world.lanes.get(name, ())
        grid = self.plan.look == "grid"
        pad = 0.0 if grid else max(0.0, track.tube / 2 - 4)
        places, hidden, more_at = slots([self.wide(m) for m in queue], track.way.length, pad)
        pills = [self.pill(m, track.way.at(at)) for m, at in zip(queue, places, strict=False)]
        edges = [at - self.wide(m) / 2 for m, at in zip(queue, places, strict=False)]
        near = 0.0 if hidden else min(edges, default=float("inf"))
        aside, _, _ = slots([self.wide(m) for m in lane], track.lane.length, 0)
        pills += [self.pill(m, track.lane.at(at)) for m, at in zip(lane, aside, strict=False)]
        more = None
        if hidden:
            more = Copy(track.way.at(more_at), COUNTER, 18, Text(0, 4, 11, f"+{hidden}", "middle"), False)
        recorded = log[0] if log else ()
        if self.plan.look == "row":
            texts, copies = self.caption(name, track, mode, recorded)
            if mode == "recorded" and not recorded and near > track.way.length / 2 + 24:
                at = track.way.at(track.way.length / 2)
                texts.append(Text(at.x, at.y + 7, 20, "∅", "middle", 700, "paper"))
        else:
            texts, copies = [], self.printed(track, mode, recorded, near)
        fresh = self.step is not None and any(getattr(n, "channel", None) == name for n in self.step.notes)
        return Tube(name, track, mode, fresh, tuple(pills), tuple(copies), tuple(texts), more, bool(lane))

    def closed(self, channel: str) -> bool:
        """Has the recording of the channel been closed?"""
        return self.snapshot is not None and (
            self.run.history.recordings[self.snapshot].closed.get(channel, self.number + 1) <= self.number
        )

    def label(self, message: Message) -> str:
        if self.plan.look == "grid":
            return ""
        payload = self.show(message.payload) if message.kind == "app" else message.payload
        return fit(self.told(payload), self.plan.font, 84 if self.plan.look == "row" else 46)

    def wide(self, message: Message) -> float:
        row = self.plan.look == "row"
        if message.kind == MARKER:
            return self.plan.pill + (8 if row else 4)
        if message.kind == "part":
            return 44 if row else 16
        if self.plan.look == "grid":
            return self.plan.pill
        return max(self.plan.pill + 6, measure(self.label(message), self.plan.font) + (20 if row else 12))

    def pill(self, message: Message, place: Point) -> Pill:
        row, grid = self.plan.look == "row", self.plan.look == "grid"
        said = None
        height = self.plan.pill
        if message.kind == MARKER:
            height = self.plan.pill / 2 + (3 if row else 1.5)
            if message.snapshot is not None and not grid:
                size = min(self.plan.font, 13)
                said = Text(0, size * 0.36, size, str(message.snapshot), "middle", 700)
        elif message.kind == "part":
            height = 1 if row else 0.5 if grid else 0.75
            if row:
                said = Text(0, 12 * 0.36, 12, fit(self.told(message.payload), 12, 40), weight=600, ink="tone")
        elif not grid:
            said = Text(0, self.plan.font * 0.36, self.plan.font, self.label(message), "middle", 600)
        sent = self.step is not None and any(
            n.key == "sent" and getattr(n, "message", None) == message for n in self.step.notes
        )
        return Pill(message.id, message.kind, place, self.wide(message), height, said, sent)

    def caption(self, name: str, track: Track, mode: str, recorded: Sequence[Message]) -> tuple[list[Text], list[Copy]]:
        """Beside a channel in a row: its name, whether it is recorded, and the recorded messages."""
        said = self.told(name)
        target = self.system.topology.channels[name].target
        note = {
            "none": "",
            "recording": word("picture.recording", self.language, process=target),
            "recorded": word("picture.closed", self.language),
            "unwatched": word("picture.unwatched", self.language),
        }[mode]
        pills = [(self.label(m), measure(self.label(m), 12) + 16) for m in recorded[:SHOWN]]
        rest = len(recorded) - len(pills)
        tail = f"+{rest}" if rest else "∅" if mode == "recorded" and not recorded else ""
        fixed = sum(w + 5 for _, w in pills) + (measure(tail, 13) + 8 if tail else 0)
        room = max(track.way.length + track.tube + GAP + HEAD, 96)
        first = measure(said, 13) * TIGHT + (8 if note else 0)
        if measure(note, 13) * TIGHT > room - fixed - first - 8:
            note = word("picture.recording.short", self.language) if mode == "recording" else ""
        long = first + measure(note, 13) * TIGHT
        x = track.label.x - (long + fixed + (8 if fixed else 0)) / 2
        y = track.label.y
        texts = [Text(x, y + 4.5, 13, said, ink="mute")]
        if note:
            ink = "mute" if mode == "unwatched" else "tone"
            texts.append(Text(x + first, y + 4.5, 13, note, weight=600, ink=ink))
        x += long + 8
        copies = []
        for content, w in pills:
            inside = Text(0, 4.5, 12, content, "middle", 600, "tone" if mode == "recording" else "paper")
            copies.append(Copy(Point(x + w / 2, y), w, 20, inside, mode == "recording"))
            x += w + 5
        if tail:
            texts.append(Text(x, y + 4.5, 15 if tail == "∅" else 13, tail, weight=700, ink="tone"))
        return texts, copies

    def printed(self, track: Track, mode: str, recorded: Sequence[Message], near: float) -> list[Copy]:
        """In a curved or thin channel: what is recorded, where nothing covers it."""
        at = track.way.length * track.print
        if mode in ("none", "unwatched") or near <= at + 26 or (mode == "recording" and not recorded):
            return []
        grid = self.plan.look == "grid"
        texts = " ".join(self.label(m) for m in recorded[:2])
        said = texts
        if not recorded:
            said = "∅"
        elif grid or len(recorded) > 2 or measure(texts, self.plan.font) > 44:
            said = f"×{len(recorded)}"
        if grid and said == "∅":
            return []
        size = 8 if grid else max(self.plan.font, 11)
        w = max(measure(said, size) + 10, size + 8)
        ink = "tone" if mode == "recording" else "paper"
        inside = Text(0, size * 0.36, size, said, "middle", 700, ink)
        return [Copy(track.way.at(at), w, size + 7, inside, mode == "recording")]
