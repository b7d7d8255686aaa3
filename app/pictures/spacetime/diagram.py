"""The space-time diagram at a step, as the player shows it at rest: lines, arrows, record points and the cuts."""

import math
from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from app.core.model.notes import Crashed, Joined, Left, Note
from app.core.model.values import APP, MARKER, Restore
from app.core.oracle.history import Recording
from app.pictures.layout.colours import TINTS, TONES, Text, hue
from app.pictures.layout.paths import Point, r
from app.pictures.layout.text_width import fit, measure
from app.pictures.spacetime import cut_curve, recovery_line
from app.pictures.spacetime.channel_faults import faulty, scissors
from app.pictures.spacetime.flights import Flight
from app.pictures.spacetime.labels import LINE, SPACED, Labels, apart, top
from app.pictures.spacetime.options import FINE, PLAYER, Chosen, Look
from app.pictures.spacetime.rollbacks import Setback, acts, downs, saves, setbacks
from app.pictures.spacetime.shapes import Arrow, Cut, Event, Line, Record, Timeline, Undone
from app.pictures.spacetime.vector_clocks import boxes, clocks
from app.pictures.spacetime.window import CROSSING, FOOT, HEAD, ORPHAN, PLAIN, Window
from app.run.run import Run
from app.wire.part_status import ruined
from app.words.catalogues import readable, word

LEAD = 0.3
"""The distance in steps at which a cut passes the end of a line that takes no part."""
BEFORE, LEAST = 48.0, 9.0
"""The room for PAST before a cut, in px; and how much of the past must be seen for its name."""
ABOVE = 18
"""How far the line of now rises beside its word, in px."""
MOST_BENT = 24
"""With more processes than this, the lines are too close for a cut to bend between them."""


def timeline(run: Run, step: int, language: str, look: Look = PLAYER) -> Timeline:
    """Return the diagram after ``step`` steps."""
    return _Drawing(run, step, language, look).timeline()


class _Drawing(Window):
    def __init__(self, run: Run, step: int, language: str, look: Look) -> None:
        super().__init__(run, step, language, look)
        self.least = max(LEAST, BEFORE - self.left)
        self.most = self.room - 9 - measure(word("spacetime.future", language), FINE) * SPACED
        self.small = min(1.0, max(0.15, self.row / 30))
        self.dot = max(1.2, min(5.5, self.row * 0.3))
        self.square = max(3.0, min(18, self.row * 0.5))
        self.hatched = min(self.row / 2 - 1, 14)
        self.setbacks = setbacks(run, step)
        alone = any(one.process is not None for one in self.setbacks)
        self.labels = Labels(self.room, self.row, HEAD + self.row / 2, clear=LINE + self.hatched if alone else LINE)
        self.born = dict.fromkeys(run.system.newcomers, math.inf)
        self.ended: dict[str, tuple[int, bool]] = {}
        for at, note in run.told(Note, step):
            match note:
                case Joined():
                    self.born[note.process] = at
                case Crashed() | Left():
                    self.ended[note.process] = (at, isinstance(note, Crashed))

    def timeline(self) -> Timeline:
        chosen = self.run.history.recordings[self.snapshot] if self.snapshot is not None else None
        begun = [r for r in self.run.history.recordings.values() if r.started <= self.step and self.shows(r)]
        cuts = [self.cut(seen) for seen in sorted(begun, key=lambda seen: seen.id)]
        now = self.x(self.step + 0.5)
        said = self.now_word(now)
        past, texts = "", [said]
        if chosen is not None and (how := ruined(self.run, self.step, chosen.id)):
            texts.append(top(word(f"player.tray.{how}", self.language), self.meets(chosen)[0][0], HEAD - 12))
        elif chosen is not None:
            past = self.curves(chosen)[2]
            texts = self.sides(chosen, texts)
        if self.look.chosen is not None:
            past, texts = self.drawn(self.look.chosen, cuts), self.beside()
        window = self.visible()
        self.labels.arrows = [self.way(one) for one in window if one.message.kind == APP]
        ends = [(one, self.x(one.step), self.y(one.source), self.y(one.target)) for one in faulty(self.run, self.step)]
        faults = tuple(scissors(*end, self.labels, self.language) for end in ends if self.inside(end[1]))
        records = self.records(begun) if self.look.records else ()
        self.labels.boxes += [(at.x - 9, at.y - 9, at.x + 9, at.y + 9) for at in (one.place for one in records)]
        events = tuple(e for e in self.events() if self.inside(e.place.x))
        self.labels.boxes += boxes((event.clock for event in events), self.look.chosen)
        tone = hue(self.run, self.snapshot) if self.snapshot is not None else 0
        return Timeline(
            self.width,
            self.height,
            self.left,
            self.room,
            self.lines(),
            max(0.3, min(2, self.row / 6)),
            now,
            ABOVE if said in texts else 0,
            HEAD - 2,
            self.height - FOOT + 2,
            self.dot,
            self.square,
            self.labels_of_lines(),
            self.ticks(),
            tuple(self.arrow(f, chosen) for f in window),
            events,
            records,
            tuple(cuts),
            past,
            TINTS[tone],
            tuple(text for text in texts if text.x >= 0 or self.look.chosen)
            if self.look.now or self.look.chosen
            else (),
            self.acted() if self.look.now and self.look.ring else None,
            self.taken_back(texts),
            self.run.system.algorithm.COORDINATED,
            *self.recovery(),
            self.look,
            tuple(Point(self.x(at), self.y(i)) for i, at in enumerate(self.look.places)),
            self.unit,
            self.least,
            self.most,
            faults=faults,
            ways=tuple(self.ways()) if self.look.chosen else (),
        )

    # lines and axis

    def lines(self) -> tuple[Line, ...]:
        """Return the lines, each from when its process exists until now, or until it is gone."""
        born, ended = self.born, self.ended
        found = []
        gaps = downs(self.run, self.step)
        for i, name in enumerate(self.names):
            begin: float = born.get(name, 0)
            for since, until in gaps.get(name, ()):  # while it is down there is no line
                left, right = max(0.0, self.x(begin)) if begin else 0.0, max(0.0, min(self.x(since), self.room))
                found.append(Line(self.y(i), left, right, False, True, 0 <= self.x(since) <= self.room))
                begin = until
            if begin == math.inf and name in gaps:
                continue
            end, crashed = ended.get(name, (self.step + 0.5, False))
            x = None if begin == math.inf else max(0.0, self.x(begin)) if begin else 0.0
            until = max(0.0, min(self.x(end), self.room))
            found.append(Line(self.y(i), x, until, name in born and x is not None, name in ended, crashed))
        return tuple(found)

    def labels_of_lines(self) -> tuple[Text, ...]:
        every = max(1, math.ceil(14 / self.row))
        size = 15 if self.row >= 24 else 11
        return tuple(
            Text(self.left - 14, self.y(i) + size * 0.35, size, self.names[i], "end", 700)
            for i in range(0, len(self.names), every)
        )

    def ticks(self) -> tuple[Text, ...]:
        wanted = (len(str(self.steps)) * 8 + 12) / self.unit
        stride = next(f * 10**p for p in range(6) for f in (1, 2, 5) if f * 10**p >= wanted)
        return tuple(
            Text(self.x(k), self.height - FOOT + 18, FINE, str(k), "middle", ink="mute")
            for k in range(stride, self.steps + 1, stride)
            if self.inside(self.x(k))
        )

    # what happened

    def events(self) -> list[Event]:
        if self.look.chosen is not None:
            return self.dotted(self.look.chosen)
        if self.run.system.recovers:
            return self.acts()
        return [
            Event(
                e.step,
                {"internal": "change"}.get(e.kind, e.kind),
                self.spot(e.step, e.process),
                name=f"{e.process}:{e.index}",
            )
            for e in self.run.history.events
            if e.step <= self.step and self.inside(self.x(e.step))
        ]

    def dotted(self, chosen: Chosen) -> list[Event]:
        places = [self.spot(dot.at, dot.process) for dot in chosen.dots]
        texts = clocks(zip(chosen.dots, places, strict=True), self.dot)
        facts = zip(chosen.dots, places, texts, strict=True)
        return [Event(dot.step, dot.kind, place, dot, clock=clock) for dot, place, clock in facts]

    def acts(self) -> list[Event]:
        """Return the events of a run with rollbacks, including those undone later: the first one of each step."""
        return [Event(step, kind, self.spot(step, name)) for step, name, kind in acts(self.run, self.step)]

    def records(self, begun: Sequence[Recording]) -> tuple[Record, ...]:
        found = [(name, at, TONES[0]) for name, at in saves(self.run, self.step)]
        for seen in begun:
            tone = TONES[hue(self.run, seen.id)]
            found += [(name, at, tone) for name, at in seen.recorded.items() if at <= self.step]
        return tuple(Record(name, self.spot(at, name), tone) for name, at, tone in found if self.inside(self.x(at)))

    def acted(self) -> Point | None:
        if not self.step or isinstance(self.run.steps[self.step - 1].action, Restore):
            return None
        notes = self.run.steps[self.step - 1].notes
        name = next((getattr(n, "process", None) for n in notes if hasattr(n, "process")), None)
        return self.spot(self.step, name) if name is not None else None

    # messages

    def way(self, flight: Flight) -> tuple[Point, Point]:
        """Return the ends of a message's whole arrow."""
        goal = Point(self.x(flight.goal(self.steps)[0]), self.y(flight.target))
        return Point(self.x(flight.begins), self.y(flight.source)), goal

    def ways(self, first: float = -math.inf, last: float = math.inf) -> list[tuple[Point, Point]]:
        """Return the same of all messages of the run that are under way between two steps."""
        near = (f for f in self.all if f.begins < last and f.ends > first and self.look.draws(f.message.kind))
        return [self.way(f) for f in near]

    def arrow(self, flight: Flight, seen: Recording | None) -> Arrow:
        fate, kind, chosen = self.fate(flight, seen), flight.message.kind, self.look.chosen
        final, fate = fate, PLAIN if chosen else fate  # a moving cut does not change the shapes
        lost = flight.lost <= self.step
        goal, far = flight.goal(self.steps)
        twin = self.flights[flight.twin] if flight.twin is not None else None
        start = Point(self.x(flight.begins), self.y(self.between(flight, flight.origin(twin, self.steps))))
        end = Point(self.x(goal), self.y(self.between(flight, far)))
        arrived = flight.ends <= self.step
        done = 1.0 if arrived else (self.step + 0.5 - flight.begins) / (goal - flight.begins)
        dx, dy = end.x - start.x, end.y - start.y
        length = math.hypot(dx, dy) or 1
        ux, uy = dx / length, dy / length
        gap = min(self.dot + 1 if kind == APP else min(self.square / 2, 8), length / 3)
        gap += 5 if fate == ORPHAN else 0
        reach = min(length - gap, max(gap, length * done))
        head = (11 if fate == CROSSING else 9) * self.small if kind == APP and fate != ORPHAN and not lost else 0

        def at(distance: float) -> Point:
            return Point(start.x + ux * distance, start.y + uy * distance)

        first, neck, tip = at(gap), at(max(gap, reach - head * 0.8)), at(reach)
        body = f"M{r(first.x)} {r(first.y)}L{r(neck.x)} {r(neck.y)}"
        triangle = rest = ""
        if head:
            back, x, y = at(max(gap, reach - head)), uy * head * 0.42, ux * head * 0.42
            triangle = f"M{r(tip.x)} {r(tip.y)}L{r(back.x - x)} {r(back.y + y)}L{r(back.x + x)} {r(back.y - y)}Z"
        if not arrived and (self.row >= 24 or fate != PLAIN):
            stop = at(length - gap)
            rest = f"M{r(tip.x)} {r(tip.y)}L{r(stop.x)} {r(stop.y)}"
        mark = at(max(gap, reach - 20)) if chosen else tip  # its cross stays beside the event
        if kind == MARKER and not lost:
            mark = at(length * min(done, max(0.5, 1 - 24 / length)))
        tone = TONES[hue(self.run, self.snapshot)] if self.snapshot is not None else TONES[0]
        said = self.label(flight, fate, start, end) if kind == APP else None
        snapshot = flight.message.snapshot
        undone = lost and flight.undone
        lost = lost and not undone
        faded = chosen is not None and (chosen.pale if kind != APP else flight.message.identity in chosen.faded)
        if said and chosen and final != PLAIN:
            said = replace(said, weight=700, ink="tone" if final == CROSSING else "wrong")
        same = (body, triangle, rest, mark, said, snapshot, lost, undone, faded, self.carriers[flight.message.id])
        return Arrow(flight.message.id, kind, final, tone, *same)

    def between(self, flight: Flight, part: float) -> float:
        """Return the height, in rows, of a point on a message's path."""
        return flight.source + (flight.target - flight.source) * part

    def label(self, flight: Flight, fate: str, start: Point, end: Point) -> Text | None:
        """Return the message's text where nothing else stands."""
        lost = flight.lost <= self.step and not flight.undone
        if self.look.small or (self.row < 16 and fate == PLAIN and not lost):
            return None
        said = fit(readable(self.run.system.program.show(flight.message.payload), self.language), 13, 90)
        said += "′" if flight.twin is not None else ""
        if fate == ORPHAN:
            said = word("spacetime.orphan", self.language, message=said)
        elif lost:
            said = word("spacetime.lost", self.language, message=said)
        spot = self.labels.place(said, start, end)
        if spot is None:
            return None
        ink = "wrong" if lost else {PLAIN: "ink", CROSSING: "tone", ORPHAN: "wrong"}[fate]
        size, weight = (13, 400) if fate == PLAIN and not lost else (14, 700)
        return Text(spot.x, spot.y + 5, size, said, "middle", weight, ink)

    # what is taken back

    def recovery(self) -> tuple[str, tuple[Text, ...]]:
        """Return the recovery line of uncoordinated checkpoints, and the names of the checkpoints."""
        at, under = recovery_line.line(self.run, self.step), self.square / 2 + 14
        xs = [self.x(one) for one in at or (self.look.chosen.places if self.look.chosen else ())]
        taken = recovery_line.taken(self.run, self.step)
        spots = ((one, self.spot(one.step, one.process)) for one in taken)
        placed = ((one, (spot.x, spot.y + under)) for one, spot in spots)
        said = recovery_line.names(self.run, self.step, placed, xs)
        if at is None:
            return "", said
        path = f"M{r(xs[0])} {HEAD - 2}" + "".join(curve for _, curve in self.pieces(xs))
        text = recovery_line.title(self.run, self.step, self.language)
        middle = max(xs[-1], measure(text, 12) / 2)
        return path, (*said, Text(middle, self.height - FOOT + 16, FINE, text, "middle", 700, "tone"))

    def now_word(self, x: float) -> Text:
        """Return the word at now: after its line, or before it at the edge of the picture."""
        said = word("spacetime.now", self.language)
        after = x + 5 + measure(said, FINE) <= self.room
        return Text(x + 5 if after else x - 5, HEAD - 12, FINE, said, "start" if after else "end", ink="mute")

    def taken_back(self, texts: Iterable[Text]) -> tuple[Undone, ...]:
        """Return what was undone. What is said where all roll back keeps clear of the texts at the top, or stands along
        the line."""
        taken, found = [*texts], []
        for one in self.setbacks:
            if self.x(one.step) < -40:
                continue
            undone = self.undone(one)
            if one.process is None:
                if apart(undone.said, taken):
                    taken.append(undone.said)
                else:
                    x, _, bottom = undone.line
                    undone = replace(
                        undone, said=Text(x - 7, bottom - 4, FINE, undone.said.said, weight=700), turned=True
                    )
            found.append(undone)
        return tuple(found)

    def undone(self, setback: Setback) -> Undone:
        """Return the area between a cut, or the beginning, and the line at which all roll back to it."""
        x, top, bottom = self.x(setback.step), HEAD - 2.0, self.height - FOOT + 2
        recorded = setback.process is None and setback.snapshot > 0
        if setback.process is not None:
            middle, half = self.y(self.names.index(setback.process)), self.hatched
            free = self.square / 2 + 3 if setback.since else 0  # around the square from which it continues
            left, top, bottom = self.x(setback.since) + free, middle - half, middle + half
            area = f"M{r(left)} {r(top)}H{r(x)}V{r(bottom)}H{r(left)}Z"
            said = recovery_line.returned(self.run, setback, self.language)
        else:
            seen = self.run.history.recordings.get(setback.snapshot) if recorded else None
            away = self.square / 2 + 3  # the cut itself stays free
            at = [seen.recorded.get(name) if seen else None for name in self.names]
            xs = [max(-80.0, self.x(one) + away) if one is not None else max(-80.0, self.x(0)) for one in at]
            area = f"M{r(xs[0])} {top}" + "".join(curve for _, curve in self.pieces(xs)) + f"H{r(x)}V{top}Z"
            key = "spacetime.restored" if recorded else "spacetime.restored.beginning"
            said = word(key, self.language, snapshot=setback.snapshot)
        after = x < 210 or self.x(self.step + 0.5) - x > 210
        y = HEAD - 12 if setback.process is None else top - 6
        text = Text(x + (6 if after else -6), y, FINE, said, "start" if after else "end", 700, "ink")
        return Undone(area, (x, top, bottom), text, recorded)

    def pieces(self, xs: Sequence[float], bends: Sequence[cut_curve.Bend] | None = None) -> list[tuple[float, str]]:
        """Return the pieces of a curve that meets the lines at ``xs``, from the top, each with its beginning."""
        ys = [self.y(i) for i in range(len(xs))]
        return cut_curve.path(xs, ys, bends or cut_curve.even(len(xs)), self.height - FOOT + 2)

    # cuts

    def cut(self, seen: Recording) -> Cut:
        firm, loose, _ = self.curves(seen)
        broken = ruined(self.run, self.step, seen.id) is not None
        return Cut(seen.id, TONES[hue(self.run, seen.id)], firm, loose, seen.id == self.snapshot, broken)

    def meets(self, seen: Recording) -> tuple[list[float], list[bool]]:
        """Return where a cut meets each line, and whether it is firm there: the past of a process that has not recorded
        lasts until now. A process that takes no part has no place on the cut: there the curve follows its neighbours,
        but passes before a line that begins later and after one that has ended."""
        records = [seen.recorded.get(name, math.inf) for name in self.names]
        firm = [at <= self.step for at in records]
        places = [at if done else self.step + 0.5 for at, done in zip(records, firm, strict=True)]
        out = {*self.out(seen), *(name for name, at in self.born.items() if at == math.inf)}
        parts = [row for row, name in enumerate(self.names) if name not in out]
        for row, name in enumerate(self.names):
            if name not in out or not parts:
                continue
            beside = next((other for other in reversed(parts) if other < row), parts[0])
            firm[row], places[row] = firm[beside], places[beside]
            born = self.born.get(name, 0)
            if seen.absent.get(name, False):
                places[row] = max(places[row], self.ended.get(name, (self.step, False))[0] + LEAD)
            elif born != math.inf:
                places[row] = min(places[row], born - LEAD)
        return [self.x(at) for at in places], firm

    def drawn(self, chosen: Chosen, cuts: list[Cut]) -> str:
        """Draw the chosen cut beside ``cuts``, and return the area before it."""
        xs = [self.x(at) for at in chosen.places]
        firm, _, past = self.curve(xs, [True] * len(self.names), self.bends(chosen.places))
        cuts.append(Cut(0, TONES[0], firm, "", True))
        return past

    def beside(self) -> list[Text]:
        """Return PAST and FUTURE, at their distance from the top of a cut."""
        past, future = (word(f"spacetime.{side}", self.language) for side in ("past", "future"))
        before = Text(-9, HEAD - 12, FINE, past, "end", 700, "tone")
        return [before, Text(9, HEAD - 12, FINE, future, weight=700, ink="mute")]

    def curves(self, seen: Recording) -> tuple[str, str, str]:
        """Return the firm and the loose parts of a cut, and the area before it."""
        return self.curve(*self.meets(seen), self.bends([seen.recorded.get(name, math.inf) for name in self.names]))

    def bends(self, at: Sequence[float]) -> list[cut_curve.Bend]:
        """Return how a cut that meets the lines ``at`` these steps keeps away from the arrows of the whole run; it must
        not jump from step to step."""
        if len(at) > MOST_BENT or math.inf in at:
            return cut_curve.even(len(at))
        first, last = min(at) - cut_curve.NEAR / self.unit, max(at) + cut_curve.NEAR / self.unit
        arrows = self.ways(first, last)
        return cut_curve.bent(list(map(self.x, at)), list(map(self.y, range(len(at)))), arrows)

    def curve(
        self, xs: list[float], firm: list[bool], shape: Sequence[cut_curve.Bend] | None = None
    ) -> tuple[str, str, str]:
        """Return the same for any curve, by where it meets the lines."""
        xs = [max(-80.0, min(self.room + 80, x)) for x in xs]
        top = HEAD - 2
        bends = self.pieces(xs, shape)
        heights = [top, *(self.y(i) for i in range(len(xs)))]
        whole = [firm[0], *(firm[i - 1] and firm[i] for i in range(1, len(xs))), firm[-1]]
        pieces = [
            (is_firm, f"M{r(x)} {r(height)}", line)
            for is_firm, height, (x, line) in zip(whole, heights, bends, strict=True)
        ]
        paths = [
            "".join(start + line for is_firm, start, line in pieces if is_firm is wanted) for wanted in (True, False)
        ]
        past = f"M-200 {top}H{r(xs[0])}" + "".join(line for _, _, line in pieces) + "H-200Z"
        return paths[0], paths[1], past

    def sides(self, seen: Recording, texts: list[Text]) -> list[Text]:
        """Return PAST and FUTURE beside the top of the cut."""
        xs, firm = self.meets(seen)
        now, found = self.x(self.step + 0.5), []
        if self.least <= xs[0] <= self.room:
            found.append(Text(xs[0] - 9, HEAD - 12, FINE, word("spacetime.past", self.language), "end", 700, "tone"))
        if firm[0] and xs[0] <= self.most:
            future = word("spacetime.future", self.language)
            found.append(Text(xs[0] + 9, HEAD - 12, FINE, future, weight=700, ink="mute"))
        return found + (texts if not firm[0] or now - xs[0] > 80 else [])
