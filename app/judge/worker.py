"""Where a written class runs: a process of its own, which knows nothing of the run, the other processes and the judge.

This file is started as a script and uses the standard library alone. It reads requests as lines of JSON and answers
each with one line: a process with its state, frozen, and what calls it; then the state afterwards and the verbs that
were used, each with its line in the source. Values are frozen to lists of lists, see ``_freeze``.
"""

import builtins
import json
import os
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from types import CodeType, FrameType, FunctionType, ModuleType
from typing import Any, NoReturn

ALLOWED = (
    "__future__", "abc", "bisect", "collections", "collections.abc", "copy", "dataclasses", "enum", "functools",
    "heapq", "itertools", "math", "operator", "string", "typing",
)  # fmt: skip
"""The modules that a file may import, besides ``bluecut``: none of them reaches outside."""
FORBIDDEN = (
    "open",
    "os.",
    "subprocess.",
    "socket.",
    "ctypes.",
    "shutil.",
    "pty.",
    "signal.",
    "mmap.",
    "import",
    "fcntl.",
    "object.__setattr__",
)
"""What raises an audit event with one of these beginnings reaches outside."""
UNSEEN = (("posix", "pidfd_open"), ("posix", "mkfifo"), ("posix", "mknod"), ("posix", "chroot"), ("posix", "unshare"),
    ("posix", "setns"), ("os", "pidfd_open"), ("os", "mkfifo"), ("os", "mknod"), ("_signal", "pidfd_send_signal"),
    ("_imp", "create_builtin"), ("_imp", "create_dynamic"),
)  # fmt: skip
"""What reaches outside, and raises no such event; and what brings it back."""
MOST_BYTES = 65_536
"""The most that the frozen state of a process may take."""
MOST_USED = 1_000
"""The most verbs in one event."""
PATIENCE = 5.0
"""Seconds that a class has to handle one event. Whoever waits has a second more, and then ends what catches its own
end, or never comes to a line."""
DEEPEST = 20
"""The most levels of values within values."""
MEMORY = 512 * 1024 * 1024
PROCESSOR = 120
"""Seconds of processor time."""
GIVEN = ("name", "inputs", "outputs")
"""What a process is given, and does not keep itself."""

Frozen = Any


class Mistake(Exception):
    """What is wrong with a class: the kind of mistake, what it is about, and its line."""

    def __init__(self, kind: str, about: str = "", line: int | None = None) -> None:
        super().__init__(kind)
        self.kind, self.about, self.line = kind, about, line


class Message:
    """A message of the program: its ``value``, and the ``tag`` that ``on_send`` gave it. Two messages are equal when
    they are the same message."""

    __slots__ = ("_number", "tag", "value")

    def __init__(self, number: int, value: object, tag: object) -> None:
        self._number, self.value, self.tag = number, value, tag

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Message) and other._number == self._number

    def __hash__(self) -> int:
        return self._number

    def __repr__(self) -> str:
        return f"Message({self.value!r})"


class Node:
    """A process. Keep what you need in ``self``: numbers, texts, lists, dicts, sets and messages. Everything else about
    the system is unknown to you."""

    name: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]

    def setup(self) -> None:
        """Prepare what the process keeps."""

    def start(self, snapshot: int) -> None:
        """Handle the wish that this process begins a snapshot."""

    def on_marker(self, channel: str, snapshot: int) -> None:
        """Handle a marker. With a third parameter it gets what ``send_marker`` was given."""

    def on_message(self, channel: str, message: Message) -> None:
        """Handle a message, before the program does."""

    def record(self, snapshot: int) -> None:
        """Record the present state of the program."""
        _use("record", snapshot)

    def send_marker(self, channel: str, snapshot: int, value: object = None) -> None:
        """Put a marker on an output; ``value`` travels with it."""
        _use("send_marker", snapshot, channel, value)

    def log(self, channel: str, snapshot: int, message: Message) -> None:
        """Copy a message into the recorded state of an input."""
        if type(message) is not Message:
            raise Mistake("no-message")
        _use("log", snapshot, channel, message)

    def close(self, channel: str, snapshot: int) -> None:
        """Close an input: what has been logged on it is its recorded state."""
        _use("close", snapshot, channel)

    def done(self, snapshot: int) -> None:
        """Finish the part of this process."""
        _use("done", snapshot)


_used: list[Any] = []
_file = ""


def _use(verb: str, snapshot: object, channel: object = None, value: object = None) -> None:
    frame: FrameType | None = sys._getframe(2)
    while frame is not None and frame.f_code.co_filename != _file:
        frame = frame.f_back
    if type(snapshot) is not int:
        raise Mistake("no-snapshot", repr(snapshot)[:80])
    if channel is not None and type(channel) is not str:
        raise Mistake("no-channel", repr(channel)[:80])
    if len(_used) == MOST_USED:
        raise Mistake("crowd")
    _used.append([verb, snapshot, channel, _freeze(value), frame.f_lineno if frame else None])


def _freeze(value: object, depth: int = 0) -> Frozen:
    """Return a value as JSON: what has no form of its own there becomes a list that begins with a letter. Raises
    Mistake for what a process cannot keep."""
    kind = type(value)
    if value is None or kind in (str, int):
        return value
    if kind is bool:
        return ["b", 1 if value else 0]  # True is not 1
    if depth > DEEPEST:
        raise Mistake("too-deep")
    match value:
        case float() if kind is float:
            return ["f", repr(value)]
        case list() if kind is list:
            return ["l", *(_freeze(item, depth + 1) for item in value)]
        case tuple() if kind is tuple:
            return ["t", *(_freeze(item, depth + 1) for item in value)]
        case dict() if kind is dict:
            return ["d", *([_freeze(k, depth + 1), _freeze(v, depth + 1)] for k, v in value.items())]
        case set() if kind is set:
            return ["s", *sorted((_freeze(item, depth + 1) for item in value), key=json.dumps)]
        case frozenset() if kind is frozenset:
            return ["z", *sorted((_freeze(item, depth + 1) for item in value), key=json.dumps)]
        case Message() if kind is Message:
            return ["m", value._number]
    raise Mistake("kind", kind.__name__)


def _thaw(frozen: Frozen, messages: dict[int, Message]) -> Any:
    if type(frozen) is not list:
        return frozen
    letter, *items = frozen
    if letter == "m":
        return messages[items[0]]
    if letter in "bf":
        return bool(items[0]) if letter == "b" else float(items[0])
    if letter == "d":
        return {_thaw(key, messages): _thaw(value, messages) for key, value in items}
    make: Callable[[Any], Any] = {"l": list, "t": tuple, "s": set, "z": frozenset}[letter]
    return make(_thaw(item, messages) for item in items)


class Worker:
    """A loaded class, and what must stay as it was when it was loaded."""

    def __init__(self, source: str, file: str) -> None:
        global _file
        _file = file
        space = {"__name__": "snapshot", "__builtins__": _safe(), "Node": Node}
        code = _compiled(source, file)
        sys.settrace(_tracing({}))
        try:
            exec(code, space)
        finally:
            sys.settrace(None)
        classes = [one for one in space.values() if isinstance(one, type) and issubclass(one, Node) and one is not Node]
        if not classes:
            raise Mistake("no-class")
        self.kind: type[Node] = classes[-1]
        if "__init__" in self.kind.__dict__:
            raise Mistake("init", line=_line_of(self.kind.__dict__["__init__"]))
        self.space = space
        self.shared = self._outside()

    def _outside(self) -> str:
        """Return what the file keeps outside the processes, as text."""
        kept = [*self.space.items(), *(pair for one in self.kind.__mro__[:-2] for pair in vars(one).items())]
        found: dict[str, Frozen] = {}
        for name, value in kept:
            if not name.startswith("__") and type(value) in (list, dict, set, int, str, float, tuple, bool):
                try:
                    found[name] = _freeze(value)
                except Mistake:
                    found[name] = repr(value)
        return json.dumps(found)

    @property
    def facts(self) -> dict[str, object]:
        """Return what the judge must know of the class."""
        marker = self.kind.on_marker.__code__.co_argcount
        return {"tags": hasattr(self.kind, "on_send"), "values": marker > 3}

    def call(self, asked: dict[str, Any]) -> dict[str, object]:
        """Let a process handle something. Raises Mistake."""
        known = {n: Message(n, value, _thaw(tag, {})) for n, value, tag in asked["messages"]}
        node = self.kind.__new__(self.kind)
        node.name, node.inputs, node.outputs = asked["name"], tuple(asked["inputs"]), tuple(asked["outputs"])
        for name, value in asked["state"]:
            setattr(node, name, _thaw(value, known))
        _used.clear()
        lines: dict[int, None] = {}
        arguments = [_thaw(one, known) for one in asked["arguments"]]
        sys.settrace(_tracing(lines))
        try:
            answer = getattr(node, asked["call"])(*arguments)
        finally:
            sys.settrace(None)
        state = [[name, _freeze(value)] for name, value in vars(node).items() if name not in GIVEN]
        if len(json.dumps(state)) > MOST_BYTES:
            raise Mistake("too-large")
        if self._outside() != self.shared:
            raise Mistake("shared")
        return {"state": state, "verbs": list(_used), "answer": _freeze(answer), "lines": list(lines)}


def _tracing(lines: dict[int, None]) -> Callable[[FrameType, str, object], Any]:
    """Return what remembers the lines of the file that are executed from now on, and raises a Mistake at the line that
    is executed again when time has run out."""
    until = time.monotonic() + PATIENCE

    def each(inner: FrameType, event: str, _: object) -> Any:
        if event == "line":
            if inner.f_lineno in lines and time.monotonic() > until:
                raise Mistake("hangs", line=inner.f_lineno)
            lines[inner.f_lineno] = None
        return each

    return lambda frame, *_: each if frame.f_code.co_filename == _file else None


def _compiled(source: str, file: str) -> CodeType:
    try:
        return compile(source, file, "exec")
    except SyntaxError as error:
        raise Mistake("syntax", error.msg, error.lineno) from None
    except ValueError as error:
        raise Mistake("syntax", str(error)) from None


def _safe() -> dict[str, Any]:
    """Return the builtins that a file may use."""
    real = builtins.__import__

    def imported(name: str, *rest: Any, **named: Any) -> ModuleType:
        if name not in (*ALLOWED, "bluecut"):
            raise Mistake("import", name)
        return real(name, *rest, **named)

    barred = ("open", "input", "breakpoint", "exit", "quit", "help", "__import__")
    return {**{k: v for k, v in vars(builtins).items() if k not in barred}, "__import__": imported}


def _line_of(function: object) -> int | None:
    return function.__code__.co_firstlineno if isinstance(function, FunctionType) else None


def _guard(event: str, _: object, forbidden: tuple[str, ...] = FORBIDDEN) -> None:
    if event.startswith(forbidden):  # a default: whoever finds this function cannot change it without being seen
        raise Mistake("reaches-out", event)


def _limited() -> None:
    """Bound what the process may take of the machine."""
    import resource  # browsers have none

    for limit, most in (
        (resource.RLIMIT_AS, MEMORY), (resource.RLIMIT_CPU, PROCESSOR), (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_NPROC, 0), (resource.RLIMIT_CORE, 0),
    ):  # fmt: skip
        with suppress(ValueError):  # not every system can bound everything
            resource.setrlimit(limit, (most, most))


def _where(error: BaseException) -> int | None:
    """Return the last line of the file in the traceback of an error."""
    trace, line = BaseException.__dict__["__traceback__"].__get__(error), None
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == _file:
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


def _told(error: BaseException) -> dict[str, object]:
    if isinstance(error, Mistake):
        return {"mistake": error.kind, "about": error.about, "line": error.line or _where(error)}
    name, told = type(error).__name__, ""
    with suppress(BaseException):  # what it says of itself may be wrong, too
        told = str(error)
    return {"mistake": "raised", "about": f"{name}: {told}"[:300] if told else name, "line": _where(error)}


class Server:
    """Answers requests, each a line of JSON. The first has the source."""

    def __init__(self) -> None:
        """Let a file import what it may, and nothing else from now on."""
        module: Any = ModuleType("bluecut")
        module.Node, module.Message = Node, Message
        sys.modules["bluecut"] = module
        for name in (*ALLOWED, "unicodedata"):  # Python itself asks the last one about names that are not ASCII
            __import__(name)
        self._worker: Worker | None = None

    def answer(self, line: str) -> str:
        """Return the answer to a request: a line of JSON."""
        asked = json.loads(line)
        try:
            if "source" in asked:
                self._worker = Worker(asked["source"], asked["file"])
                return json.dumps(self._worker.facts)
            assert self._worker is not None
            return json.dumps(self._worker.call(asked))
        except BaseException as error:
            return json.dumps(_told(error))


def main() -> NoReturn:
    """Answer what comes on standard input, and let nothing else be written."""
    requests, answers = os.fdopen(os.dup(0), "r"), os.fdopen(os.dup(1), "w")
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nothing, number)
    server = Server()
    _limited()
    for module, function in UNSEEN:
        vars(sys.modules[module]).pop(function, None)
    sys.addaudithook(_guard)
    for line in requests:
        answers.write(server.answer(line) + "\n")
        answers.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
