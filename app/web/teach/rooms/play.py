"""The class is the system: groups of people, each a process or a channel of the same scenario.

Nothing here writes to a disk or waits: every change returns the choices to be written, as (group, choice).
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from random import SystemRandom
from typing import Any, TypeVar

from app.algorithms.shared.verbs import SEND_MARKER
from app.core.model.values import BluecutError, Json
from app.course.activity import Activity, RoundForm
from app.course.live_run import START, Gone, LiveRun, by_hand
from app.web.teach.rooms import crowd
from app.web.teach.rooms.hub import Hub, event
from app.wire.run_url import Address, stamp

IDLE = 8.0
"""Seconds after which the first message of a channel arrives by itself."""
SILENT = 15.0
"""Seconds after which a process that should do something is shown as silent."""
AWAY = 30.0
"""Seconds after which the right rule plays for it, until it comes back."""
GROUPS = 30
"""The most groups of a room."""
SHOWN = 5
"""The most messages of a channel on the wall."""
FEW = 15
"""So many people are one group."""

_DRAW = SystemRandom()

T = TypeVar("T")

Made = list[tuple[int, int]]
"""What was done: the numbers of the groups, and the choices."""
Done = tuple[int, int, int]
"""A choice that was made, the seat that made it, and its request; 0 and 0 if nobody did."""


@dataclass
class Group:
    """People who are one system. ``roles`` says which process or channel each seat is, ``heard`` when somebody has last
    acted for it, or a message has begun to wait; ``turns`` the last request of each seat; ``by`` the seat and its
    request by the place of a choice; ``kept`` how many choices are on the disk, and ``cut`` whether it has more of this
    round than there is; ``end`` how the snapshot of the round has ended, once it is over; ``past`` what was done in
    earlier rounds. In the ``crowd`` nobody has a role, see ``app.web.teach.rooms.crowd``; then ``last`` is what has
    happened last, with its votes."""

    number: int
    run: LiveRun
    hub: Hub = field(default_factory=Hub)
    roles: dict[int, str] = field(default_factory=dict)
    heard: dict[str, float] = field(default_factory=dict)
    turns: dict[int, int] = field(default_factory=dict)
    by: dict[int, tuple[int, int]] = field(default_factory=dict)
    kept: int = 0
    end: str = ""
    version: int = 0
    past: dict[int, list[Done]] = field(default_factory=dict)
    cut: bool = False
    crowd: bool = False
    last: dict[str, Json] | None = None
    _found: dict[str, tuple[object, Any]] = field(default_factory=dict)

    def once(self, name: str, about: object, find: Callable[[], T]) -> T:
        """Return what ``find`` finds, which is asked once a step of a run for what it is ``about``."""
        key = (id(self.run), len(self.run.choices), about)
        if name not in self._found or self._found[name][0] != key:
            self._found[name] = key, find()
        found: T = self._found[name][1]
        return found

    def possible(self, form: RoundForm) -> list[dict[str, Json]]:
        """Return what people can do now."""
        return self.once("possible", form.deeds, lambda: self.run.possible(form.deeds))

    def options(self, form: RoundForm) -> list[dict[str, Json]]:
        """Return what the crowd can vote on now."""
        return self.once("options", form.deeds, lambda: crowd.options(self.run, form))

    def deeds(self) -> list[Done]:
        """Return what was done in this round."""
        return [(choice, *self.by.get(place, (0, 0))) for place, choice in enumerate(self.run.choices)]

    def anew(self, deeds: Sequence[Done] = ()) -> None:
        """Begin a round with what was done in it before."""
        self.run, self.end, self.heard, self.last = LiveRun(self.run.scenario), "", {}, None
        self.by, self.kept = {}, 0
        for choice, seat, turn in deeds:
            self.redo(choice, seat, turn)

    def read(self, round_: int, now: int, deed: Done) -> None:
        """Take in what was done in a round before the server started; ``now`` is the round that goes on."""
        if round_ == now:
            self.redo(*deed)
        elif round_ < now:
            self.past.setdefault(round_, []).append(deed)

    def redo(self, choice: int, seat: int, turn: int) -> None:
        """Do once more what was done before."""
        self.run.take(choice)
        self.kept = len(self.run.choices)
        if seat:
            self.by[self.kept - 1] = seat, turn
            self.turns[seat] = max(turn, self.turns.get(seat, 0))


class Play:
    """An activity in a room: its round, from 0, and ``stage``: ``play``, ``snapshot``, ``over``. For ``ends`` and
    ``backs`` see ``Playing`` of ``app.web.teach.rooms.room``."""

    def __init__(self, activity: Activity, groups: int, clock: Callable[[], float]) -> None:
        self.form, self.scenario, self.ref, self.clock = activity.form, activity.scenario, activity.ref, clock
        self.round, self.stage, self.frozen = 0, "play", False
        self.ends: tuple[tuple[int, ...], ...] = ()
        self.backs = 0
        self.groups = [Group(number, LiveRun(self.scenario)) for number in range(groups)]

    @property
    def form_of_round(self) -> RoundForm:
        """The form of its present round."""
        return self.form.rounds[self.round]

    @property
    def roles(self) -> list[str]:
        """The processes, then the channels."""
        topology = self.scenario.topology
        return [*topology.names, *topology.channels]

    # --- seats ------------------------------------------------------------------------------------------------------

    def seated(self, seat: int) -> Group:
        """Return the group of a seat. Somebody new joins the smallest one: as a channel if one is left, else beside
        somebody who is a process; where each has somebody, too, the others are the crowd."""
        known = next((group for group in self.groups if seat in group.roles), None)
        if known is not None:
            return known
        playing = [group for group in self.groups if not group.crowd]
        group = min(playing, key=lambda each: (len(each.roles), each.number))
        if len(group.roles) >= max(FEW, len(self.roles) + len(self.scenario.topology.names)):
            group = self.group(len(playing))
            group.roles[seat] = ""
            return group
        taken, roles, names = set(group.roles.values()), self.roles, self.scenario.topology.names
        free = next((role for role in roles if role not in taken), None)
        group.roles[seat] = free or names[len(group.roles) % len(names)]
        self._heard(group, group.roles[seat])
        return group

    def group(self, number: int) -> Group:
        """Return a group; the one after the last is the crowd, which comes into being with the first who joins it."""
        if number == len(self.groups):
            self.groups.append(Group(number, LiveRun(self.scenario), crowd=True))
        return self.groups[number]

    # --- deeds ------------------------------------------------------------------------------------------------------

    def act(self, group: Group, role: str, name: str) -> Made:
        """Let somebody do what is named. Raises Gone if it is not possible any more, or not allowed."""
        if self.frozen or self.stage == "over":
            raise Gone("the presenter has stopped the round")
        mine = [each for each in group.possible(self.form_of_round) if each["text"] == name]
        if not mine or mine[0]["who"] != role:
            raise Gone("{action!r} is not possible any more", action=name[:80])
        made = [(group.number, group.run.act(name))]
        if mine[0]["deed"] == START:
            self.stage = "snapshot"
        self._heard(group, role)
        self.tell(group)
        return made

    def _heard(self, group: Group, role: str) -> None:
        group.heard[role] = self.clock()

    def moved(self, ballots: crowd.Ballots | None = None) -> Made:
        """Let happen what does not wait for people: messages that have waited for long arrive, and the right rule plays
        for processes that nobody is, and for those who are silent; in the crowd, what has the most ``ballots``."""
        if self.frozen or self.stage == "over":
            return []
        made: Made = []
        for group in self.groups:
            before = len(made)
            if group.crowd:
                made += [(group.number, choice) for choice in self._voted(group, ballots or {})]
                continue
            made += [(group.number, choice) for choice in self._moved(group)]
            if len(made) > before or self._silent(group):
                self.tell(group)
        return made

    def _moved(self, group: Group) -> Iterator[int]:
        now, run, taken = self.clock(), group.run, set(group.roles.values())
        for channel in run.system.topology.channels:
            if not run.world.queues.get(channel):
                group.heard[channel] = now
            elif now - group.heard.setdefault(channel, now) >= IDLE:
                group.heard[channel] = now
                if (choice := run.delivered(channel)) is not None:
                    yield choice
        if SEND_MARKER not in self.form_of_round.deeds:
            return  # there is no rule to play
        for process in run.system.topology.names:
            if run.due(process) is None:
                group.heard[process] = now
            elif process not in taken or now - group.heard.setdefault(process, now) >= AWAY:
                yield from run.carried_out(process)

    def _voted(self, group: Group, ballots: crowd.Ballots) -> list[int]:
        """Let the crowd go on, if it is time."""
        now = self.clock()
        if now - group.heard.setdefault("", now) < crowd.EVERY:
            return []
        group.heard[""] = now
        made, happened, votes = crowd.advanced(group.run, self.form_of_round, ballots, _DRAW)
        group.last = {**happened, "votes": votes} if happened else None
        if happened and happened["deed"] == START:
            self.stage = "snapshot"
        if made:
            self.tell(group)
        return made

    def _silent(self, group: Group) -> list[str]:
        """Return the processes that should have done something for a while."""
        if group.crowd:
            return []
        now = self.clock()
        names = group.run.system.topology.names
        return [each for each in names if group.run.due(each) and now - group.heard.get(each, now) >= SILENT]

    # --- the presenter ----------------------------------------------------------------------------------------------

    def now(self) -> Made:
        """Start a snapshot in every group that has none."""
        self.stage = "snapshot"
        made = [(group.number, choice) for group in self.groups for choice in group.run.started()]
        self.tell_all()
        return made

    def over(self) -> Made:
        """Finish the round."""
        if self.stage == "over":
            return []
        made: Made = []
        self.ends += (tuple(len(group.run.choices) for group in self.groups),)
        for group in self.groups:
            choices = group.run.started()
            choices += group.run.photographed() if self.form_of_round.ends == "photograph" else group.run.settled()
            choices += group.run.crashed(self.form_of_round.crash) if self.form_of_round.crash else []
            made += [(group.number, choice) for choice in choices]
        self.stage = "over"
        return made

    def next(self) -> None:
        """Begin the next round, from the beginning. Raises BluecutError after the last one."""
        if self.round + 1 >= len(self.form.rounds):
            raise BluecutError("this was the last round")
        if self.stage != "over":
            raise BluecutError("this round is not over")
        for group in self.groups:
            group.past[self.round] = group.deeds()
            group.anew()
        self.round += 1
        self.stage, self.frozen = "play", False
        self.tell_all()

    def runs(self) -> list[tuple[int, Group, str]]:
        """Return the round, the group and the address of each run that was made."""
        found = []
        for group in self.groups:
            past = {number: [choice for choice, *_ in done] for number, done in group.past.items()}
            for number, choices in (past | {self.round: group.run.choices}).items():
                if choices:
                    address = Address(self.ref, self.scenario, by_hand(choices)).url(v=stamp(self.scenario))
                    found.append((number, group, address))
        return sorted(found, key=lambda each: (each[0], each[1].number))

    @property
    def undoes(self) -> bool:
        """Is there something to undo?"""
        return self.round > 0 or self.stage != "play"

    def undo(self) -> None:
        """Go back to before the end of the round, its snapshot, or its beginning, whichever came last: what was done
        since is gone. Raises BluecutError at the beginning of the activity."""
        if not self.undoes:
            raise BluecutError("there is nothing to undo")
        if self.stage == "over":
            last, self.ends = self.ends[-1] if self.ends else (), self.ends[:-1]
            back = [group.deeds()[: last[group.number]] for group in self.groups[: len(last)]]
        elif self.stage == "snapshot":
            back = [group.deeds()[: group.run.begun] for group in self.groups]
        else:
            self.round -= 1
            back = [group.past.pop(self.round, []) for group in self.groups]
        self._went_back(back)

    def again(self) -> None:
        """Play the round once more, from its beginning."""
        self.ends = self.ends[: self.round]
        self._went_back([])

    def _went_back(self, deeds: list[list[Done]]) -> None:
        for group, each in zip_longest(self.groups, deeds, fillvalue=()):
            assert isinstance(group, Group)
            group.anew(each)
            group.cut = True
        self.frozen, self.backs = False, self.backs + 1
        started = any(group.run.begun is not None for group in self.groups)
        self.stage = "over" if len(self.ends) > self.round else "snapshot" if started else "play"
        self.tell_all()

    # --- what is told -----------------------------------------------------------------------------------------------

    def tell(self, group: Group) -> None:
        """Let a group know how far its run has come."""
        group.version += 1
        group.hub.publish(self.event(group))

    def event(self, group: Group) -> bytes:
        """Return what a group is told."""
        return event(self.document(group))

    def tell_all(self) -> None:
        """Let all groups know."""
        for group in self.groups:
            self.tell(group)

    def document(self, group: Group) -> dict[str, Json]:
        """Return what a group sees."""
        open_ = self.stage != "over" and not self.frozen
        now: dict[str, Json] = {
            "version": group.version,
            "group": group.number,
            "round": self.round,
            "stage": self.stage,
            "frozen": self.frozen,
            "again": self.backs,
            "end": group.end,
        }
        if group.crowd:
            offered = group.options(self.form_of_round) if open_ else []
            return {**self._card(group), **now, "options": offered, "last": group.last}
        return {
            **group.run.as_json(),
            **now,
            "deeds": list(self.form_of_round.deeds),
            "acts": group.possible(self.form_of_round) if open_ else [],
            "silent": self._silent(group),
        }

    def wall(
        self, ballots: crowd.Ballots | None = None, foretold: crowd.Ballots | None = None
    ) -> list[dict[str, Json]]:
        """Return how each group is doing: what is recorded so far, of how much, and who is silent; its processes as
        [name, state, what it has recorded], its channels as [source, target, what is in it, is it closed?], where true
        is a marker. Where nothing can be counted, what is ``recorded`` are processes, and ``claim`` is whether the
        snapshot says that the stable property holds. Who has crashed is in ``crash``, with what is left, of how much.
        In ``completed`` is, at the end, what was done for somebody who is a process, as [name, verbs].
        Of the crowd, also what it chooses from, as [event, votes], and how many have ``foretold`` each verdict."""
        return [
            self._card(group) | (self._ballots(group, ballots or {}, foretold or {}) if group.crowd else {})
            for group in self.groups
        ]

    def _ballots(self, group: Group, ballots: crowd.Ballots, foretold: crowd.Ballots) -> dict[str, Json]:
        votes = crowd.counted(ballots, len(group.run.choices))
        said = [answer[0] for _, answer in foretold.values()]
        offered = group.options(self.form_of_round) if self.stage != "over" else []
        return {
            "people": len(group.roles),
            "options": [[each, votes[str(each["text"])]] for each in offered],
            "last": group.last,
            "foretold": [said.count(each) for each in crowd.VERDICTS],
        }

    def completed(self, group: Group) -> dict[str, list[str]]:
        """Return what of the snapshot was not done by those who are a process, but for them, by process."""
        places = (place for place in range(len(group.run.choices)) if place not in group.by)
        taken = set(group.roles.values())
        found = group.run.completed(places, self.form_of_round.deeds)
        return {name: verbs for name, verbs in found.items() if name in taken}

    def _card(self, group: Group) -> dict[str, Json]:
        return {**group.once("card", group.end, lambda: self._drawn(group)), "silent": self._silent(group)}

    def _drawn(self, group: Group) -> dict[str, Json]:
        counted, shown = group.run.counted(), group.run.as_json()
        copies = sum(each["copy"] is not None for each in shown["processes"].values())
        recorded, total = counted or (copies, len(shown["processes"]))
        crash = self.form_of_round.crash if group.end and counted else None
        records = self.form_of_round.ends != "photograph"  # a photograph shows no channel
        return {
            "group": group.number,
            "recorded": recorded,
            "total": total,
            "counts": counted is not None,
            "claim": group.run.claim(),
            "processes": [[name, each["state"], each["copy"]] for name, each in shown["processes"].items()],
            "channels": [
                [c["source"], c["target"], [each is None for each in c["queue"][:SHOWN]], c["closed"] and records]
                for c in shown["channels"].values()
            ],
            "steps": len(group.run.choices),
            "end": group.end,
            "crash": crash and [crash, group.run.left(), total],
            "completed": [[name, verbs] for name, verbs in self.completed(group).items()] if group.end else [],
        }


def groups_for(people: int, roles: int) -> int:
    """Return how many groups so many people make: one for a few, otherwise one for every process and channel."""
    return 1 if people <= FEW else min(GROUPS, max(1, people // roles))
