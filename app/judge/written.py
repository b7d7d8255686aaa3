"""A written class as an algorithm: the kernel asks it like any other, and it asks the sandbox.

What a process keeps is frozen to JSON between two calls. Equal questions have equal answers, so each is asked once.
"""

import json
from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any, TypeAlias

from immutables import Map
from msgspec.structs import replace

from app.algorithms.registry import with_defaults
from app.algorithms.shared import verbs
from app.algorithms.shared.verbs import VERBS, Ledger
from app.core.model.algorithm import AnyAlgorithm, Effect, Reply
from app.core.model.program import AnyProgram
from app.core.model.value import Value
from app.core.model.values import APP, Message, Part, Process, Refused
from app.judge.mistake import Mistake, is_line

Answer: TypeAlias = dict[str, Any]
"""What the worker answers to a question, of which nothing is known yet."""
Ask: TypeAlias = Callable[[str], Answer]
"""Returns the answer to a question, which is a line of JSON, with every part of the right type. Raises Mistake."""
Frozen: TypeAlias = Any
"""A value of JSON; what has no form of its own there is a tuple that begins with a letter, a message is itself."""
LETTERS = ("b", "f", "l", "t", "d", "s", "z", "m")
DEEPEST = 30
MOST_ASKED = 20_000_000
"""The most characters of all questions about a class: they hold what it keeps, and the judge remembers them. With more
of them nothing is decided."""
MOST_MARKERS = 20
"""The most markers that a process may send in a run, where they are counted: those that go round never end."""


class Own(Value):
    """The attributes of a process as JSON, and the messages in them, which count by their places there."""

    text: str = "[]"
    messages: tuple[Message, ...] = ()


class Kept(Value, cache_hash=True):
    """What a process keeps: its attributes, what it has recorded, and, where they are counted, how many markers it has
    sent."""

    own: Own
    ledger: "Ledger" = Map()
    markers: int = 0


class Use(Value):
    """A verb that was used: by whom, where in the file, and what for."""

    verb: str
    snapshot: int
    channel: str | None
    value: Frozen
    line: int | None


class Call(Value):
    """A callback that was called: the process, and the lines that were executed."""

    process: str
    name: str
    uses: tuple[Use, ...]
    lines: tuple[int, ...]


class Written:
    """The class in a source text, for the programs of one system. Where ``calls`` is a list, each call is added."""

    def __init__(self, ask: Ask, facts: Mapping[str, Any]) -> None:
        self._ask = ask
        self._answers: dict[str, Answer] = {}
        self._known: dict[Any, tuple[Call, Own, tuple[Use, ...], Frozen]] = {}
        self._replies: dict[Any, Reply[Kept]] = {}
        self.tags, self.values = facts.get("tags") is True, facts.get("values") is True
        self.calls: list[Call] | None = None
        self.counts, self._asked = False, 0
        self.program: AnyProgram | None = None

    @property
    def full(self) -> bool:
        """Was so much asked that it has to end?"""
        return self._asked > MOST_ASKED

    def algorithm(self, program: AnyProgram, *, counts: bool = False) -> AnyAlgorithm:
        """Return the algorithm for a program, whose messages the class sees as people do; with ``counts`` two states
        differ if different numbers of markers were sent before them."""
        self.program, self._known, self._replies, self.counts = program, {}, {}, counts
        given = ("start", "on_initiate", "on_receive", "result", *(("carries", "on_send") if self.tags else ()))
        facts = {"NAME": "by-hand", "REQUIRES": "any", "COST": "?", "PSEUDOCODE": ()}
        return with_defaults(SimpleNamespace(**facts, **{name: getattr(self, name) for name in given}))

    def start(self, process: Process) -> Kept:
        """Call ``setup``."""
        own, uses, _ = self._call(process, Own(), "setup", ())
        if uses:
            raise Mistake("verb-in-setup", line=uses[0].line)
        return Kept(own)

    def on_initiate(self, process: Process, memory: Kept, state: object, snapshot: int) -> Reply[Kept]:
        """Call ``start``."""
        return self._handle(process, memory, state, "start", (snapshot,), None)

    def on_receive(self, process: Process, memory: Kept, state: object, channel: str, message: Message) -> Reply[Kept]:
        """Call ``on_marker`` or ``on_message``."""
        if message.kind == APP:
            return self._handle(process, memory, state, "on_message", (channel, message), None)
        more = (message.payload,) if self.values else ()
        return self._handle(process, memory, state, "on_marker", (channel, message.snapshot, *more), channel)

    def carries(self, process: Process, memory: Kept, channel: str) -> Frozen:
        """Return what ``on_send`` gives a message to carry."""
        return self._call(process, memory.own, "on_send", (channel,))[2]

    def on_send(self, process: Process, memory: Kept, channel: str, message: Message) -> Reply[Kept]:
        """Call ``on_send``, whose verbs would come too late."""
        own, uses, _ = self._call(process, memory.own, "on_send", (channel,))
        if uses:
            raise Mistake("verb-in-send", line=uses[0].line)
        return (memory if own == memory.own else replace(memory, own=own)), ()

    def result(self, process: Process, memory: Kept, snapshot: int) -> Part | None:
        """Return what the process has recorded."""
        return verbs.part(process, memory.ledger, snapshot)

    def _handle(
        self, process: Process, memory: Kept, state: object, name: str, arguments: tuple[Any, ...], first: str | None
    ) -> Reply[Kept]:
        """Let the class handle an event, and carry out the verbs that it uses. Different runs lead to the same event:
        it is worked out once."""
        happened = (process.name, memory, state, name, arguments, first)
        if self.calls is None and (found := self._replies.get(happened)) is not None:
            return found
        own, uses, _ = self._call(process, memory.own, name, arguments)
        if not uses and own == memory.own:
            self._replies[happened] = memory, ()
            return memory, ()
        ledger, effects, markers = memory.ledger, list[Effect](), memory.markers
        for use in uses:
            try:
                ledger, more = _carried_out(process, ledger, state, use, first)
            except Refused as error:
                raise Mistake("refused", str(error), use.line, error.phrase) from None
            effects += more
            markers += self.counts and use.verb == verbs.SEND_MARKER
            if markers > MOST_MARKERS:
                raise Mistake("endless", str(MOST_MARKERS), use.line)
        self._replies[happened] = Kept(own, ledger, markers), effects
        return self._replies[happened]

    def _call(
        self, process: Process, own: Own, name: str, arguments: tuple[Any, ...]
    ) -> tuple[Own, tuple[Use, ...], Frozen]:
        """Return the attributes after a call, the verbs used in it, and what it returns. Raises Mistake."""
        asked = (process.name, name, own, arguments)
        found = self._known.get(asked)
        if found is None:
            found = self._known[asked] = self._answer(process, own, name, arguments)
        if self.calls is not None:
            self.calls.append(found[0])
        return found[1:]

    def _answer(
        self, process: Process, own: Own, name: str, arguments: tuple[Any, ...]
    ) -> tuple[Call, Own, tuple[Use, ...], Frozen]:
        """Return the call, and what it results in. Raises Mistake."""
        known = {message.id: (number, message) for number, message in enumerate(own.messages)}
        asked = [_plain(one, known) for one in arguments]
        assert self.program is not None
        messages = [[n, self.program.show(m.payload), _plain(m.tag, {})] for n, m in known.values()]
        request = {
            "name": process.name, "inputs": process.inputs, "outputs": process.outputs, "state": json.loads(own.text),
            "call": name,
            "arguments": asked, "messages": messages,
        }  # fmt: skip
        key = json.dumps(request, default=str)
        answer = self._answers.get(key)
        if answer is None:
            self._asked += len(key)
            answer = self._answers[key] = self._ask(key)
        there = dict(known.values())
        uses = tuple(_use(one, there) for one in answer["verbs"])
        call = Call(process.name, name, uses, tuple(answer["lines"]))
        return call, _own(answer["state"], there), uses, _tupled(answer["answer"], {})


def _carried_out(process: Process, ledger: Ledger, state: object, use: Use, first: str | None) -> Reply[Ledger]:
    """Carry out a verb. Raises Refused."""
    channel = use.channel or ""
    match use.verb:
        case verbs.RECORD:
            return verbs.record(process, ledger, use.snapshot, state, first)
        case verbs.SEND_MARKER:
            return verbs.send_marker(process, ledger, use.snapshot, channel, use.value)
        case verbs.LOG:
            return verbs.log(process, ledger, use.snapshot, channel, use.value)
        case verbs.CLOSE:
            return verbs.close(process, ledger, use.snapshot, channel)
    return verbs.done(process, ledger, use.snapshot)


def _own(state: Any, known: Mapping[int, Message]) -> Own:
    """Return attributes with their messages numbered in the order in which they come. Raises Mistake."""
    order: dict[int, int] = {}

    def numbered(value: Any) -> Any:
        if type(value) is not list:
            return value
        if value[:1] == ["m"]:
            return ["m", order.setdefault(_number(value, known), len(order))]
        return [numbered(item) for item in value]

    text = json.dumps([[name, numbered(value)] for name, value in state])
    return Own(text, tuple(map(known.__getitem__, order)))


def _number(value: list[Any], known: Mapping[int, Message]) -> int:
    """Return the number of a message that was handed over. Raises Mistake where it is none."""
    if len(value) != 2 or type(value[1]) is not int or value[1] not in known:
        raise Mistake("protocol")
    return value[1]


def _plain(value: Frozen, known: dict[int, tuple[int, Message]]) -> Any:
    """Return a frozen value as JSON, messages by numbers in the order in which they come."""
    if type(value) is Message:
        return ["m", known.setdefault(value.id, (len(known), value))[0]]
    return [_plain(item, known) for item in value] if type(value) is tuple else value


def _tupled(value: Any, known: Mapping[int, Message]) -> Frozen:
    """Return JSON as a frozen value: the reverse of ``_plain``. Raises Mistake."""
    if type(value) is not list:
        return value
    if value[:1] == ["m"]:
        return known[_number(value, known)]
    return tuple(_tupled(item, known) for item in value)


def _use(told: list[Any], known: Mapping[int, Message]) -> Use:
    verb, snapshot, channel, value, line = told
    value = _tupled(value, known)
    if verb == verbs.LOG and type(value) is not Message:
        raise Mistake("protocol")
    return Use(verb, snapshot, channel, value, line)


def checked(answer: Answer) -> Answer:
    """Return an answer whose every part has exactly the right type. Raises Mistake."""
    state, used, lines = answer.get("state"), answer.get("verbs"), answer.get("lines")
    right = (
        type(state) is list
        and all(type(one) is list and len(one) == 2 and type(one[0]) is str and _sound(one[1]) for one in state)
        and type(used) is list
        and all(type(one) is list and len(one) == 5 and _is_use(one) for one in used)
        and type(lines) is list
        and all(map(is_line, lines))
        and _sound(answer.get("answer"))
    )
    if not right:
        raise Mistake("protocol")
    return answer


def _is_use(one: list[Any]) -> bool:
    verb, snapshot, channel, value, line = one
    return (
        verb in VERBS
        and type(snapshot) is int
        and (channel is None or type(channel) is str)
        and _sound(value)
        and (line is None or is_line(line))
    )


def _sound(value: Any, depth: int = 0) -> bool:
    """Is this a frozen value as the worker writes it?"""
    if type(value) is not list:
        return value is None or type(value) in (int, str)
    if depth > DEEPEST or not value or (depth % 2 == 0 and value[0] not in LETTERS):
        return depth <= DEEPEST and bool(value) and all(_sound(item, depth + 1) for item in value)
    return all(_sound(item, depth + 1) for item in value[1:])
