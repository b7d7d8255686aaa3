"""The stage at a step: processes, channels, their contents and recorded states, as the player shows it at rest."""

import math
from collections.abc import Collection

from msgspec import structs
from msgspec.structs import replace

from app.core.model.algorithm import Kind
from app.core.model.notes import Changed, Restored, only
from app.core.model.values import CONTROL, LANES, MARKER, WORD, Json, Message
from app.pictures.layout.colours import HATCHES, TINTS, TONES, Text, hue
from app.pictures.layout.paths import Point
from app.pictures.layout.plan import Box, Plan, Track
from app.pictures.layout.stage_plan import plan_of
from app.pictures.layout.text_width import TIGHT, fit, measure
from app.pictures.spacetime.flights import Progress
from app.pictures.stage.captions import LABEL, Channel, badge, caption
from app.pictures.stage.coins import Coin, as_coins
from app.pictures.stage.dataflow_foot import Entry, Foot, Strip, feet, parted, strip
from app.pictures.stage.facts import Facts
from app.pictures.stage.node_text import UNCHANGED, Look, live, recorded
from app.pictures.stage.queue_places import COUNTER, Rest
from app.pictures.stage.shapes import Card, Copy, Node, Pill, Sign, Stage, Tube
from app.pictures.stage.traffic import Measure, traffic
from app.run.run import Run
from app.wire.dedup_state import EMPTY, catalogue, shortened
from app.wire.note_codec import visible_tag
from app.wire.part_status import DIED, STORING, going_back
from app.words.catalogues import word
from app.words.sentence_fields import control

ROUND = {"row": (14, 10), "circle": (10, 6), "wires": (10, 6), "grid": (5, 2)}
"""The radii of the corners of a process and of its copy, by look."""
REACH = {"row": 3.0, "circle": 1.5, "wires": 0.0, "grid": 0.5}
"""How far a marker reaches beyond half a message's height, by look."""
BARRIER = {"row": (15.0, 8.0), "circle": (13.0, 6.0), "wires": (12.0, 5.0), "grid": (4.0, 2.0)}
"""How wide a barrier is, and how much higher than a message, by look."""
ASIDE = 13
"""The font size of what travels beside the channels."""
WHOLE, SMALLER = 3, 0.64
"""A text as short as this is never cut: a part of a number would be another number. How much smaller the word of a
control message may be, so that it is not shortened."""

MOST = 1.7
"""A letter that would have to be so much larger does not fit into its message."""

SIGN, LOWER = 13, 11
"""The font size of a word on the edge of a process, and of the number of messages that are not shown; and the least of
a word that has little room."""
TAG, RING = 16, 8
"""How much wider a tag makes a message, and the radius of its ring, on slim channels."""


def stage(
    run: Run,
    step: int,
    language: str,
    *,
    ring: bool = True,
    plan: Plan | None = None,
    unclosed: Collection[str] = (),
) -> Stage:
    """Return the stage after ``step`` steps; ``ring``: draw one around the process that acted last, and mark what
    it changed; ``plan``: another than that of the run's beginning; ``unclosed`` channels are shown as still being
    recorded."""
    return _Drawing(run, step, language, ring, plan or plan_of(run, language), unclosed).stage()


class _Drawing(Facts):
    def __init__(
        self, run: Run, step: int, language: str, ring: bool, plan: Plan, unclosed: Collection[str] = ()
    ) -> None:
        super().__init__(run, step, language, unclosed)
        self.with_actor, self.plan = ring, plan
        self.sources = [name for name, role in self.roles.items() if role["role"] == "source"]
        notes = self.step.notes if self.step else ()
        self.back = going_back(notes, self.system.topology.names)
        self.returned = {m.id for n in only(Restored, notes) for _, queue in n.queues for m in queue}
        numbers = {name: len(mine) for name, mine in self.saved.items()}
        self.look = Look(
            self.plan,
            self.snapshot,
            language,
            self.in_words,
            self.regions,
            numbers,
            self.system.algorithm.KIND is Kind.PRIVATE,
            as_coins(self.system),
        )

    def stage(self) -> Stage:
        names = self.system.topology.names
        progress = Progress(self.run)
        come = Measure(self.wide, self.least, lambda message: progress.come(message.id, self.number))
        self.traffic = traffic(self.plan, self.system, self.world, come)
        tone = hue(self.run, self.snapshot) if self.snapshot is not None else 0
        tubes = tuple(
            self.tube(name, track) for name, track in zip(self.system.topology.channels, self.plan.tracks, strict=True)
        )
        nodes = tuple(self.node(name, i) for i, name in enumerate(names))
        # In a grid the process itself is filled, because a copy beside it would be in the way.
        kept = (*self.parts, *self.saved)
        apart = [(name, i) for i, name in enumerate(names) if name in kept and self.plan.look != "grid"]
        cards = tuple(self.card(name, i) for name, i in apart)
        return Stage(self.plan, TONES[tone], HATCHES[tone], TINTS[tone], tubes, nodes, cards)

    # processes

    def actor(self) -> str | None:
        """Return the process that acts in this step, if it is to be marked."""
        if self.step is None or not self.with_actor:
            return None
        return self.system.actor(self.step.action)

    def node(self, name: str, i: int) -> Node:
        filled = self.plan.look == "grid" and name in self.parts and self.standing(name) == "whole"
        life, box = self.lives.get(name, "member"), self.plan.nodes[i]
        size = feet(self.roles.get(name), self.plan, box)
        main, pending, logs = parted(self.view(self.world.states[name]), self.roles.get(name))
        inside = live(name, structs.replace(box, h=box.h - size.high), main, self.before(name), self.look, filled)
        texts = [replace(text, y=text.y - size.high / 2) for text in inside.texts]
        coins = tuple(replace(coin, y=coin.y - size.high / 2) for coin in inside.coins)
        marks = tuple(structs.replace(mark, y=mark.y - size.high / 2) for mark in inside.marks)
        if self.back.get(name) == "back":
            texts = [replace(text, ink="tone") for text in texts]
            coins = tuple(replace(coin, ink="tone") for coin in coins)
        round_, acts = ROUND[self.plan.look][0], name == self.actor()
        edge = self.sign(self.life(name), box) or self.badge(name, box)
        node = Node(name, box, round_, acts, filled, tuple(texts), marks, coins, life, edge)
        return replace(
            node, strip=self.strip(name, box, pending, logs), low=size.low, high=size.high, back=self.back.get(name, "")
        )

    def before(self, name: str) -> object:
        """Return the state that this step has changed as it was before, if the step is to be marked."""
        notes = self.step.notes if self.step and self.with_actor else ()
        if name in self.back or all(note.process != name for note in only(Changed, notes)):
            return UNCHANGED
        return parted(self.view(self.run.world(self.number - 1).states[name]), self.roles.get(name))[0]

    def strip(self, name: str, box: Box, pending: list[Json], logs: list[Entry]) -> Strip | None:
        """Return the strip at the foot of a process of a dataflow."""
        if not self.plan.foot or name not in self.roles:
            return None
        outside = [(self.show(one), one.id) for one in self.outside(name)]
        offset = getattr(self.world.states[name], "offset", None) or 0
        heard = self.heard() if name == self.system.topology.root else []
        # The items that a sink holds back take the place of its ids.
        role = self.roles[name]
        bare = role["role"] != "sink" or parted(self.view(self.world.states[name]), role)[0] == ""
        keeps = catalogue(self.system, self.world, name) if bare else EMPTY
        ids = [shortened(one, self.sources) for one in keeps.ids]
        unheard = [(self.show(m.payload), getattr(m.payload, "id", None)) for m in keeps.unheard]
        foot = Foot(name, self.roles[name], offset, pending, outside, heard, logs, ids, unheard)
        return strip(foot, box, self.plan, self.in_words, self.language)

    def sign(self, life: str, box: Box) -> Sign | None:
        """Return the word on the edge of a process that is not simply a member; see ``static/js/stage/process.js``."""
        if life == "member" or self.plan.look == "grid":
            return None
        said = word(f"player.stage.life.{life}.short", self.language)
        bars = 12 if life == "paused" else 0
        room = (box.w - (22 if bars else 14) - bars) / TIGHT
        size = self.plan.letter(max(LOWER, min(SIGN, SIGN * room / measure(said, SIGN))))
        if measure(said, size) > room:
            said = "" if bars else fit(said, size, room)
        wide = measure(said, size) * TIGHT + bars + (18 if bars else 10) if said else 20
        text = Text(bars + 8 if bars else 5, 4.5, size, said, weight=600) if said else None
        return Sign(Point(6 - box.w / 2, -box.h / 2), wide, text, bool(bars))

    def badge(self, name: str, box: Box) -> Sign | None:
        """Return the colour of a process, if the algorithm knows colours; see ``static/js/stage/edge.js``."""
        if not self.coloured or self.plan.look == "grid":
            return None
        size, number = SIGN, self.colour(name)
        letter, red, whole = self.letter(number), number >= self.system.first, self.colour_name(number)
        said = whole if measure(whole, size) + 10 <= box.w - (40 if self.plan.look == "row" else 56) else letter
        text = Text(5, 4.5, size, said, weight=700, ink="paper" if red else "ink")
        return Sign(Point(6 - box.w / 2, -box.h / 2), measure(said, size) + 10, text, False, "red" if red else "white")

    def card(self, name: str, i: int) -> Card:
        box, node = self.plan.cards[i], self.plan.nodes[i]
        beside = abs(box.x - node.x) > node.w / 2
        far = -1 if (box.x < node.x if beside else box.y < node.y) else 1
        thread = (box.x, node.y + far * node.h / 2, box.y - far * box.h / 2)
        if beside:
            thread = (node.x + far * node.w / 2, box.y, box.x - far * box.w / 2)
        state = self.parts[name].state if name in self.parts else self.saved[name][-1].state
        shown, how = self.view(state), self.standing(name)
        camera, texts, coins = recorded(name, box, "" if shown == "" else shown, self.look)
        if how != "whole":
            ink = "tone" if how == "storing" else "mute"
            texts = [replace(text, ink=ink) for text in texts]
            coins = [replace(coin, ink=ink) for coin in coins]
        return Card(name, box, ROUND[self.plan.look][1], thread, beside, camera, tuple(texts), tuple(coins), how)

    # channels

    def tube(self, name: str, track: Track) -> Tube:
        log, mode = self.logs.get(name), self.mode(name)
        queue, lane = self.world.queues.get(name, ()), self.world.lanes.get(name, ())
        rest, aside = self.traffic[name]
        wrong = [message["id"] for _, message in self.faults.get(name, ())]
        pills = [
            self.legible(replace(self.pill(m, way.at(station.at)), scale=station.scale, wrong=m.id in wrong))
            for messages, way, found in ((queue, track.way, rest), (lane, track.lane, aside))
            for m, station in zip(messages, found.stations, strict=False)
        ]
        faults, partitioned = self.troubles(name), name in self.world.partitioned
        contents = tuple(self.in_words(self.payload(m)) for m in log[0]) if log else ()
        ends = self.system.topology.channels[name]
        given_up = self.snapshot is not None and self.world.snapshots[self.snapshot].aborted
        standing = self.standing(ends.target)
        useless, storing = given_up or standing == DIED, standing == STORING
        coins = self.look.tokens
        channel = Channel(name, track, mode, contents, faults, partitioned, storing, useless, coins)
        texts: list[Text] = []
        hung: Box | None = None
        if self.plan.look == "row":
            texts, copies, hung = caption(channel, self.language)
        else:
            copies = badge(channel, self.plan)
        barrier = bool(queue) and queue[0].kind == MARKER and self.system.algorithm.COORDINATED
        more = self.more(track, rest, headed=barrier and not rest.stations)
        dotted = bool(lane)
        away = not (self.world.member(ends.source) and self.world.member(ends.target))
        shapes = (tuple(pills), tuple(copies), tuple(texts))
        against = self.system.topology.layers and name in self.system.topology.back_edges
        row, thick = self.plan.look == "row", track.tube / 2
        end, reach = track.way.length + (thick + 6 if row else 4), thick + 7
        stop = (track.way.at(end, -reach), track.way.at(end, reach)) if name in self.blocked else None
        begin, reach = (3 - thick if row else 3), thick + 3
        jam = (track.way.at(begin, -reach), track.way.at(begin, reach)) if name in self.full else None
        flags = (dotted, partitioned, away, name in self.held, against)
        return Tube(name, track, mode, *shapes, more, *flags, stop, jam, useless, hung)

    def more(self, track: Track, rest: Rest, *, headed: bool) -> Copy | None:
        """Return how many messages are not shown. If they are ``headed`` by a barrier, it is drawn and not counted."""
        if not rest.hidden:
            return None
        grid, scale = self.plan.look == "grid", rest.more.scale
        wide = 13.0 if grid else self.plan.wide - 4 if self.plan.look == "wires" else float(COUNTER)
        high = 9.0 if grid else self.plan.pill - 1 if self.plan.look == "wires" else 18.0
        size = 7.5 * scale if grid else self.plan.letter(SIGN * scale)
        said = Text(0, size * 0.36, size, f"+{rest.hidden - headed}", "middle", 600)
        place = track.way.at(rest.more.at, track.inner * (track.tube / 2 + 12) if rest.aside else 0)
        room = 0.0 if grid else measure(said.said, size) * TIGHT
        return Copy(place, max(wide * scale, room), max(high * scale, size + 1), said, False, headed=headed)

    def legible(self, pill: Pill) -> Pill:
        """Return a message whose letters are not made smaller with it than can be read."""
        if pill.scale == 1 or not self.plan.least:
            return pill

        def larger(text: Text) -> Text:
            size = self.plan.letter(text.size, pill.scale)
            return replace(text, size=size, y=text.y * size / text.size)

        tag = pill.tag and (*pill.tag[:4], larger(pill.tag[4]))
        said = pill.said and larger(pill.said)
        if pill.said and said and said.size > MOST * pill.said.size:
            said = None  # alone, without its message, it says nothing
        return replace(pill, said=said, tag=tag)

    def tagged(self, message: Message) -> float:
        """Return the width of a message's tag."""
        if message.kind != "app" or self.plan.look == "grid" or visible_tag(self.system.program, message) is None:
            return 0
        _, r, half, _, _ = self.ring(message)
        return (20 if self.plan.look == "row" else TAG) + 2 * (half - r)

    def ring(self, message: Message) -> tuple[float, float, float, bool, Text]:
        """Return the place of the ring from the left end of its message, half its height and half its width, whether it
        is red, and its text; see ``static/js/stage/tag.js``."""
        row, (said, red) = self.plan.look == "row", self.tag(message)
        reach = 9 if row else min(RING, self.plan.pill / 2 - 1.5)
        size = self.plan.letter(reach * (1 if len(said) > 1 else 1.25))
        half = max(reach, (measure(said, size) * TIGHT + 2) / 2)
        x = self.plan.pill / 2 - reach + half - (0 if row else 1)
        return x, reach, half, red, Text(0, size * 0.36, size, said, "middle", 700, "paper" if red else "ink")

    def label(self, message: Message) -> tuple[str, float]:
        """Return the text on a message, shortened to fit a tube, and its size; see ``pill.js``."""
        look, font = self.plan.look, self.plan.font
        if look == "grid":
            return "", font
        asked = message.kind == CONTROL
        wide = {"row": LABEL, "circle": 46, "wires": self.plan.wide - (6 if asked else 9)}[look]
        room = wide - (self.tagged(message) if look == "wires" else 0)
        whole = self.in_words(self.payload(message))
        if len(whole) <= WHOLE:
            return whole, self.plan.letter(font)
        # An item with its key is as long as a word.
        if not asked and not self.roles:
            return fit(whole, font, room), font
        room /= TIGHT if asked else 1
        size = self.plan.letter(font * max(SMALLER, min(1, room / max(1.0, measure(whole, font)))))
        said = fit(whole, size, room)
        brief = whole[:1].upper() if asked else "…"
        return said if said == whole or len(said) > 4 else brief, size

    def aside(self, message: Message) -> str:
        """Return the text of a message that travels beside the channels."""
        said = control(message.payload[2]) if message.kind == WORD else message.payload
        return fit(self.in_words(said), ASIDE, 84)

    def wide(self, message: Message) -> float:
        look = self.plan.look
        if message.kind == MARKER:
            if self.system.algorithm.COORDINATED:
                return BARRIER[look][0] + 2
            return self.plan.pill + (8 if look == "row" else 4)
        if message.kind in LANES:
            return max(44, measure(self.aside(message), ASIDE) + 24) if look == "row" else 16
        if look == "grid":
            return self.plan.pill
        if message.kind == "app" and self.look.tokens:
            return self.plan.pill + self.tagged(message)
        said, size = self.label(message)
        long = measure(said, size) + self.tagged(message)
        if look == "wires":
            return min(self.plan.wide if len(said) > WHOLE else math.inf, max(self.plan.pill + 4, long + 9))
        return max(self.plan.pill + 6, long + (20 if look == "row" else 12))

    def least(self, message: Message) -> float:
        """Return how small the letters of a message let it be."""
        if self.plan.look != "wires":
            return 0
        pill = self.pill(message, Point(0, 0))
        sizes = [text.size for text in (pill.said, pill.tag and pill.tag[4]) if text]
        return min(1, self.plan.least / min(sizes, default=math.inf))

    def pill(self, message: Message, place: Point) -> Pill:
        look, plan = self.plan.look, self.plan
        said = coin = None
        height = plan.pill
        bar = message.kind == MARKER and self.system.algorithm.COORDINATED
        if bar:
            width, over = BARRIER[look]
            height = plan.pill + over
            if message.snapshot is not None and look != "grid":
                number = str(message.snapshot)
                size = plan.letter(min(14 if look == "row" else 12, (width - 2) / measure(number, 1)))
                said = Text(0, size * 0.36, size, number, "middle", 700)
        elif message.kind == MARKER:
            height = plan.pill / 2 + REACH[look]
            if message.snapshot is not None and look != "grid":
                size = plan.letter(min(plan.font, plan.pill * 0.66 if look == "wires" else 13))
                said = Text(0, size * 0.36, size, str(message.snapshot), "middle", 700)
        elif message.kind in LANES:
            height = {"row": 1.0, "grid": 0.5}.get(look, 0.75)
            if look == "row":
                ink = "ink" if message.kind == WORD else "tone"
                said = Text(0, ASIDE * 0.36, ASIDE, self.aside(message), weight=600, ink=ink)
        elif look != "grid" and message.kind == "app" and self.look.tokens:
            coin = Coin(self.tagged(message) / 2, 0, plan.pill / 2)
        elif look != "grid":
            x = self.tagged(message) / 2 - 1 if self.tagged(message) else 0
            written, size = self.label(message)
            said = Text(x, size * 0.36, size, written, "middle", 600)
        notes = self.step.notes if self.step and self.with_actor else ()
        sent = any(n.key == "sent" and getattr(n, "message", None) == message for n in notes)
        wide = self.wide(message) - (2 if bar else 0)
        tag = None
        if self.tagged(message):
            x, r, half, red, text = self.ring(message)
            tag = (x - wide / 2, r, half, red, text)
        back = message.id in self.returned and self.back != {} and "anew" not in self.back.values()
        if back and said is not None:
            said = replace(said, ink="paper")
        if back and coin is not None:
            coin = replace(coin, ink="paper")
        return Pill(message.id, message.kind, place, wide, height, said, sent, False, 1, tag, bar, back, coin)
