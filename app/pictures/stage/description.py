"""A stage in words, as it is drawn: processes and what is recorded of them, channels and what is in flight."""

from collections.abc import Collection, Iterable

from app.core.model.algorithm import Kind
from app.core.model.values import Message
from app.pictures.in_words import Described, message_name
from app.pictures.stage.dataflow_foot import parted
from app.pictures.stage.facts import Facts
from app.run.run import Run
from app.wire.dedup_state import catalogue
from app.wire.note_codec import visible_tag
from app.wire.part_status import DIED
from app.words.catalogues import JOIN, word
from app.words.checkpoint_names import called


def description(
    run: Run,
    step: int,
    language: str,
    unclosed: Collection[str] = (),
    hidden: Collection[int] = (),
    among: Collection[str] = (),
) -> tuple[Described, ...]:
    """Return the stage after ``step`` steps, part by part; ``unclosed`` channels are shown as still being recorded, and
    ``hidden`` messages not at all; ``among``: only these processes, and the channels between them, are seen."""
    facts = _Facts(run, step, language, unclosed)
    facts.hidden = hidden
    topology, seen = run.system.topology, set(among or run.system.topology.names)
    ends = {name: {channel.source, channel.target} for name, channel in topology.channels.items()}
    channels = {name: facts.of_channel(name) for name in topology.channels if ends[name] <= seen}
    told = [Described(name, tuple(facts.of_process(name))) for name in topology.names if name in seen]
    alike: dict[tuple[str, ...], list[str]] = {}
    for name, parts in channels.items():
        alike.setdefault(parts, []).append(name)
    empty = alike.pop((), [])
    told += [Described(facts.named_channels(names), parts) for parts, names in alike.items()]
    if empty:
        told.append(Described(facts.say("empty"), (facts.in_words(empty),)))
    return tuple(told)


class _Facts(Facts):
    hidden: Collection[int] = ()

    def say(self, key: str, **fields: object) -> str:
        return word(f"drawn.{key}", self.language, **fields)

    def stage_word(self, key: str, **fields: object) -> str:
        return word(f"player.stage.{key}", self.language, **fields)

    # processes

    def of_process(self, name: str) -> Iterable[str]:
        """Yield what is in a process, what is recorded of it, and how it is."""
        state = self.view(self.world.states[name])
        if logs := parted(state, self.roles.get(name))[2]:
            yield self.stage_word("logs.offsets", entries=[f"{one.number}: {one.range}" for one in logs])
            yield self.stage_word("logs.commits", batches=[one.number for one in logs if one.done] or "∅")
        else:
            yield self.stage_word("process.none") if state == "" else self.in_words(state)
        if outside := self.outside(name):
            yield self.stage_word("outside", records=[self.show(one) for one in outside])
        keeps = catalogue(self.system, self.world, name)
        if keeps.ids:
            yield self.stage_word("keeps.ids", ids=keeps.ids)
        if keeps.unheard:
            yield self.stage_word("keeps.unheard", messages=[self.show(one.payload) for one in keeps.unheard])
        if self.coloured:
            yield self.colour_name(self.colour(name))
        if name in self.parts:
            yield self.recorded(name)
        elif name in self.saved:
            number = len(self.saved[name])
            own = self.system.algorithm.KIND is Kind.PRIVATE
            known = called(name, number) if own else self.stage_word("saved", saved=number)
            yield self.say("saved", name=known, state=self.view(self.saved[name][-1].state))
        if (life := self.life(name)) != "member":
            yield self.stage_word(f"life.{life}")

    def recorded(self, name: str) -> str:
        """Return the recorded state of a process, and whether it can be used."""
        state, how = self.view(self.parts[name].state), self.standing(name)
        how = "struck" if how == DIED else how
        shown = self.stage_word("process.none") if state == "" else state
        key = "recorded.checkpoint" if self.system.algorithm.COORDINATED else "recorded"
        said = self.say(key, snapshot=self.snapshot, state=shown)
        return said if how == "whole" else self.say("aside", text=said, aside=self.stage_word(how))

    # channels

    def named_channels(self, names: Collection[str]) -> str:
        """Return the name of a channel, or of several of which the same is told."""
        return self.say("channel" if len(names) == 1 else "channels", channel=names)

    def of_channel(self, name: str) -> tuple[str, ...]:
        """Return what is in a channel, what is recorded of it, and what keeps it from moving; nothing if there is
        nothing to tell."""
        queue = [message for message in self.world.queues.get(name, ()) if message.id not in self.hidden]
        lane, mode = self.world.lanes.get(name, ()), self.mode(name)
        log = self.logs[name][0] if mode in ("recording", "recorded") else ()
        more = [self.said(log, mode)] if mode in ("recording", "recorded") else []
        more += [self.stage_word("unseen")] if mode == "unwatched" else []
        more += [self.say("beside", messages=self.list(lane))] if lane else []
        if name in self.held:
            more.append(self.stage_word("channel.held", process=self.system.topology.channels[name].source))
        if name in self.blocked:
            more.append(self.stage_word("channel.blocked", snapshot=self.blocked[name]))
        if name in self.full:
            more.append(self.stage_word("channel.full", count=self.system.capacity[name]))
        more += [f"{message} {fault}".strip() for message, fault in self.troubles(name)]
        if not queue and not more:
            return ()
        return (self.said(queue, "flight"), *more)

    def said(self, messages: Collection[Message], how: str) -> str:
        """Return the messages in a channel, in flight or recorded, the first to arrive first."""
        if not messages:
            return self.say(f"{how}.none")
        several = ".order" if how == "flight" and len(messages) > 1 else ""
        return self.say(f"{how}{several}" if how != "recorded" else "recorded.messages", messages=self.list(messages))

    def list(self, messages: Iterable[Message]) -> str:
        """Return messages one after another, each with what it carries."""
        return JOIN[self.language].join(self.named(message) for message in messages)

    def called(self, message: Message) -> str:
        """Return the name of a message that was lost."""
        return self.named(message)

    def named(self, message: Message) -> str:
        """Return the name of a message, and what it carries."""
        name = message_name(self.system, message, self.language)
        if message.kind != "app" or visible_tag(self.system.program, message) is None:
            return name
        carried = self.colour_name(message.tag) if self.coloured else self.tag(message)[0]
        return self.say("aside", text=name, aside=carried)
