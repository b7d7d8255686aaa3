"""What a hostile or broken file does harms nothing and ends in a clear verdict."""

import os
import subprocess
from pathlib import Path

import pytest

from app.judge import sandbox
from app.judge.judge import FAILED, Judgement, judge
from app.judge.mistake import Mistake
from app.judge.suite import of_level

HEAD = "from bluecut import Node\n\nclass Snapshot(Node):\n"
REACH = "[c for c in ().__class__.__base__.__subclasses__() if c.__name__ == '_wrap_close'][0].__init__.__globals__"
"""The well-known way to the module ``os`` around all that is barred."""


def tried(source: str) -> Judgement:
    return judge(source, "mine.py", of_level(2)[:1])


def mistake(source: str) -> Mistake:
    judged = tried(source)
    assert judged.verdict == FAILED
    found = judged.mistake or (judged.trials[0].failure and judged.trials[0].failure.mistake)
    assert found
    return found


def on_start(body: str) -> str:
    return HEAD + "    def start(self, snapshot):\n" + "".join(f"        {line}\n" for line in body.splitlines())


@pytest.mark.parametrize(
    ("source", "kind", "line"),
    [
        ("def f(:\n", "syntax", 1),
        ("x = 1\n", "no-class", None),
        (HEAD + "    def __init__(self):\n        self.x = 1\n", "init", 4),
        ("import os\n", "import", 1),
        ("import subprocess\n" + HEAD + "    pass\n", "import", 1),
        ("open('/etc/passwd')\n", "raised", 1),
        (on_start("self.x = object()"), "kind", None),
        (on_start("self.x = 1 / 0"), "raised", 5),
        (on_start("self.record('one')"), "no-snapshot", 5),
        (on_start("self.send_marker(7, snapshot)"), "no-channel", 5),
        (on_start("self.log('q->p', snapshot, 'T')"), "no-message", 5),
        (on_start("self.record(snapshot)\nself.record(snapshot)"), "refused", 6),
        (on_start("self.send_marker('q->p', snapshot)"), "refused", 5),
        (on_start("self.done(snapshot)"), "refused", 5),
        (HEAD + "    def setup(self):\n        self.record(1)\n", "verb-in-setup", 5),
        (HEAD + "    def on_send(self, channel):\n        self.record(1)\n", "verb-in-send", 5),
        (on_start("self.x = 'x' * 100_000"), "too-large", None),
        (on_start("x = []\nfor _ in range(50):\n    x = [x]\nself.x = x"), "too-deep", None),
        (HEAD + "    seen = []\n    def start(self, snapshot):\n        self.seen.append(snapshot)\n", "shared", None),
        ("count = 0\n" + on_start("global count\ncount += 1"), "shared", None),
        (on_start("self.x = min({'a', 'b', 'c', 'd', 'e'}, key=hash)"), "undetermined", None),
        (on_start("self.x = hash('a')"), "undetermined", None),
        (on_start("self.x = id(self) if False else str(object())"), "undetermined", None),
        (on_start("def f(n):\n    return f(n + 1)\nf(0)"), "raised", None),
    ],
)
def test_a_mistake_is_named_with_its_line(source: str, kind: str, line: int | None) -> None:
    found = mistake(source)
    assert found.kind == kind, (found.kind, found.about)
    assert line is None or found.line == line


@pytest.mark.parametrize(
    ("body", "kinds"),
    [
        (f"{REACH}['system']('touch {{file}}')", {"reaches-out"}),
        (f"{REACH}['kill']({REACH}['getppid'](), 9)", {"reaches-out"}),
        (f"{REACH}['fork']()", {"reaches-out", "raised"}),
        (f"{REACH}['_exit'](3)", {"ended"}),
        (f"{REACH}['write'](4, b'nonsense\\n' * 10)", {"protocol"}),
        (f"{REACH}['write'](4, b'x' * 10_000_000)", {"protocol", "too-large", "ended"}),
        (f"{REACH}['write'](4, b'{{}}\\n')", {"protocol"}),
        (f"{REACH}['write'](4, b'[' * 100_000 + b'\\n')", {"protocol"}),
        ("x = 'x'\nwhile True:\n    x += x", {"raised", "ended", "hangs"}),
        ("print('x' * 100_000_000)", {"incomplete", "raised"}),
        ("__builtins__['len'] = lambda one: 3", {"incomplete"}),
        ("raise SystemExit(0)", {"raised"}),
        ("raise KeyboardInterrupt", {"raised"}),
        ("class Lies(int):\n    def __eq__(self, other): return True\nself.x = Lies(3)", {"kind"}),
        ("class Lies(str):\n    pass\nself.record(snapshot)\nself.send_marker(Lies('p->q'), snapshot)", {"no-channel"}),
        ("self.name = 'q'\nself.record(snapshot)", {"incomplete"}),
    ],
)
def test_an_attack_ends_in_a_verdict_and_harms_nothing(body: str, kinds: set[str], tmp_path: Path) -> None:
    file = tmp_path / "made"
    judged = tried(on_start(body.replace("{file}", str(file))))
    assert judged.verdict == FAILED
    failure = judged.trials[0].failure
    assert failure
    assert (failure.mistake.kind if failure.mistake else failure.what) in kinds, failure
    assert not file.exists()


def test_what_never_returns_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "PATIENCE", 0.5)
    assert mistake(on_start("while True:\n    pass")).kind == "hangs"


def test_a_file_that_is_too_long_is_not_read() -> None:
    assert mistake("#" * 100_001).kind == "long"
    assert mistake("#" * 100_000).kind == "no-class"


def test_nothing_is_left_running() -> None:
    with sandbox.Sandbox() as one:
        assert one.ask({"source": HEAD + "    pass\n", "file": "mine.py"}) == {"tags": False, "values": False}
        process = one._process
    assert process.returncode is not None
    with pytest.raises(Mistake):
        one.ask({})


WALLS = pytest.mark.parametrize("wall", [sandbox.BUBBLE, sandbox.NAMESPACES, ()], ids=["bwrap", "unshare", "none"])


@WALLS
def test_a_class_is_asked_behind_every_wall(wall: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    if wall and not sandbox.stands(wall):
        pytest.skip(f"{wall[0]} does not work on this machine")
    monkeypatch.setattr(sandbox, "walls", lambda: wall)
    assert mistake(on_start("self.x = 1 / 0")).line == 5


def test_behind_bubblewrap_there_is_no_network_and_nothing_to_write_or_to_read(tmp_path: Path) -> None:
    if not sandbox.stands(sandbox.BUBBLE):
        pytest.skip("bwrap does not work on this machine")
    (tmp_path / "secret").write_text("x")
    tries = f"""
import os, socket
made = []
for name, attempt in (
    ("read", lambda: open({str(tmp_path / "secret")!r})),
    ("look", lambda: open("/proc/1/cmdline")),
    ("write", lambda: open("/etc/made", "w")),
    ("call", lambda: socket.create_connection(("127.0.0.1", 9), 1)),
    ("signal", lambda: os.kill({os.getpid()}, 0)),
):
    try:
        attempt()
        made.append(name)
    except OSError:
        pass
print(made, [name for _, name in socket.if_nameindex()])
"""
    command = [*sandbox.BUBBLE, *sandbox.PYTHON, "-c", tries]
    assert subprocess.run(command, capture_output=True, text=True, check=False).stdout == "[] ['lo']\n"
