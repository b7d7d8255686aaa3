"""What a hostile or broken file does harms nothing and ends in a clear verdict."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psutil
import pytest

from app.judge import sandbox, worker, written
from app.judge.judge import FAILED, PASSED, UNDECIDED, Judgement, judge
from app.judge.mistake import Mistake
from app.judge.suite import FOLDER, of_level
from tests.often import pairs
from tests.until import lives, until

HEAD = "from bluecut import Node\n\nclass Snapshot(Node):\n"
REACH = "[c for c in ().__class__.__base__.__subclasses__() if c.__name__ == '_wrap_close'][0].__init__.__globals__"
"""The well-known way to the module ``os`` around all that is barred."""
MODULES = f"{REACH}['sys'].modules"
JUDGE = f"{REACH}['sys']._getframe(1).f_globals"
"""The names of the worker itself."""


WALLS = {"bwrap": sandbox.BUBBLE, "setpriv": sandbox.MORTAL, "unshare": sandbox.NAMESPACES, "none": ()}


def behind(wall: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    if wall and not sandbox.stands(wall):
        pytest.skip(f"{wall[0]} does not work on this machine")
    monkeypatch.setattr(sandbox, "walls", lambda: wall)


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
        (
            HEAD + "    def start(self, snapshot, seen=[]):\n        seen.append(1)\n        self.n = len(seen)\n",
            "remembers",
            None,
        ),
        (
            HEAD + "    def start(self, snapshot):\n        vars(Box)['n'].append(1)\n        self.n = len(Box.n)\n"
            "class Box:\n    n = []\n",
            "remembers",
            None,
        ),
        (on_start("for _ in range(2_000):\n    self.send_marker(self.outputs[0], snapshot)"), "crowd", 6),
        (on_start("class Deep:\n    __eq__ = lambda self, other: self == other\nDeep() == 1"), "raised", 6),
        (on_start("class Deep(Exception):\n    __str__ = lambda self: str(self)\nraise Deep"), "raised", 7),
        (on_start("class Rude(Exception):\n    def __str__(self): raise SystemExit\nraise Rude"), "raised", 7),
        (on_start("self.x = '-' * 10 ** 12"), "raised", 5),
        (HEAD + "    x = " + "-" * 50_000 + "1\n", "raised", None),
        (HEAD + "    def start(self, snapshot):\n        " + "\u0301" * 50_000 + "\n", "syntax", 5),
    ],
)
def test_a_mistake_is_named_with_its_line(source: str, kind: str, line: int | None) -> None:
    found = mistake(source)
    assert found.kind == kind, (found.kind, found.about)
    assert line is None or found.line == line


ATTACKS = [
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
    (f"{JUDGE}['FORBIDDEN'] = ()\n{MODULES}['posix'].fork()", {"reaches-out"}),
    (f"{JUDGE}['_guard'].__code__ = (lambda *_: None).__code__", {"reaches-out"}),
    (f"{JUDGE}['_guard'].__defaults__ = ((),)", {"reaches-out"}),
    (f"{JUDGE}['Mistake'] = lambda *_: None\n{MODULES}['posix'].mkdir('{{file}}')", {"raised", "ended"}),
    (f"p = {MODULES}['posix']\nf = p.pidfd_open(p.getppid())", {"raised"}),
    (f"{MODULES}['_imp'].create_builtin(type('S', (), {{'name': 'posix'}}))", {"raised"}),
    (f"{MODULES}['posix'].mkfifo('{{file}}')", {"raised"}),
    (f"{MODULES}['posix'].listdir('/proc/self/fd')", {"reaches-out"}),
    (f"{MODULES}['posix'].posix_spawn('/bin/sh', ['sh', '-c', 'sleep 9'], {{}})", {"reaches-out"}),
    (f"{JUDGE}['_used'].append(['record', snapshot, None, None, -1_000_000])", {"protocol"}),
    (f"{REACH}['sys']._getframe(1).f_locals['lines'][10 ** 20] = None", {"protocol"}),
    (f"{REACH}['sys'].settrace(None)\nself.record(snapshot)", {"incomplete"}),
    (f"raise {JUDGE}['Mistake']('raised', 'x', 10 ** 30)", {"raised"}),
    ("self.x = 'x' * 60_000\nself.record(snapshot)", {"incomplete"}),
]


@pytest.mark.parametrize(("attack", "wall"), pairs(ATTACKS, WALLS, len(WALLS)))
def test_an_attack_ends_in_a_verdict_and_harms_nothing(
    attack: tuple[str, set[str]], wall: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    behind(WALLS[wall], monkeypatch)
    body, kinds = attack
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


@pytest.mark.parametrize(
    ("source", "line"),
    [
        (on_start("while True:\n    pass"), 5),
        (on_start("for x in iter(int, 1):\n    self.x = x"), 5),
        ("from bluecut import Node\nx = 0\nwhile True:\n    x += 1", 3),
    ],
)
def test_an_endless_loop_is_told_with_its_line(source: str, line: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "PATIENCE", 0.1)
    monkeypatch.setitem(sys.modules, "bluecut", sys)
    server = worker.Server()
    asked = {"name": "p", "inputs": [], "outputs": [], "state": [], "messages": [], "call": "start", "arguments": [1]}
    first = json.loads(server.answer(json.dumps({"source": source, "file": "s.py"})))
    told = first if "mistake" in first else json.loads(server.answer(json.dumps(asked)))
    assert (told["mistake"], told["line"] - line in (0, 1)) == ("hangs", True)


RULE = (FOLDER / "right" / "markers.py").read_text("utf-8")
COMES = "    def on_message(self, channel, message):\n"


def test_what_answers_late_every_time_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "ALL_PATIENCE", 0.5)
    assert mistake(RULE.replace(COMES, f"{COMES}        {MODULES}['time'].sleep(0.2)\n")).kind == "hangs"


@pytest.mark.skipif(sandbox.walls() not in (sandbox.BUBBLE, sandbox.MORTAL), reason="no wall here ends with the judge")
def test_nothing_of_a_class_outlives_a_judge_that_is_killed(tmp_path: Path) -> None:
    (tmp_path / "sleeps.py").write_text(on_start(f"{MODULES}['time'].sleep(300)"))
    with subprocess.Popen(
        [sys.executable, "-m", "app", "judge", str(tmp_path / "sleeps.py")],
        cwd=Path(__file__).parents[2],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as judge:
        until(lambda: len(below(judge.pid)) > 1)
        until(lambda: psutil.Process(judge.pid).cpu_times() == resting(judge.pid))  # the class sleeps
        there = below(judge.pid)
        judge.kill()
    until(lambda: not any(lives(one.pid) for one in there))


def below(process: int) -> list[psutil.Process]:
    return psutil.Process(process).children(recursive=True)


def resting(process: int) -> Any:
    time.sleep(0.5)
    return psutil.Process(process).cpu_times()


def test_what_answers_unasked_and_reads_no_more_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "PATIENCE", 1.0)
    forged = b'{"state": [], "verbs": [], "answer": null, "lines": []}\n'
    keeps = HEAD + "    def setup(self):\n        self.x = 'x' * 65_400\n"  # a question longer than a pipe holds
    starts = on_start(f"{REACH}['write'](4, {forged!r})\n{MODULES}['time'].sleep(9)").removeprefix(HEAD)
    assert mistake(keeps + starts).kind == "hangs"


def test_of_what_keeps_ever_more_nothing_is_decided(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(written, "MOST_ASKED", 50_000)
    judged = tried(RULE.replace(COMES, f"{COMES}        self.x = 'x' * 30_000\n"))
    assert judged.verdict == UNDECIDED and not judged.failed


def test_markers_that_become_more_and_more_are_stopped() -> None:
    twice = "self.record(snapshot)\nfor _ in range(60):\n    self.send_marker(self.outputs[0], snapshot)"
    more = "    def on_marker(self, channel, snapshot):\n        self.start(snapshot + 1)\n"
    judged = tried(on_start(twice.replace("self.record(snapshot)\n", "")) + more)
    assert judged.failed and judged.failed.failure and judged.failed.failure.mistake
    assert judged.failed.failure.mistake.kind == "crowd" and judged.failed.failure.replay


def test_a_class_may_be_written_in_the_letters_of_its_author() -> None:
    source = (FOLDER / "right" / "markers.py").read_text("utf-8")
    assert tried(source.replace("self.open", "self.打开的").replace("Snapshot", "Cliché")).verdict == PASSED


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


@pytest.mark.parametrize("wall", WALLS.values(), ids=WALLS)
def test_a_class_is_asked_behind_every_wall(wall: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    behind(wall, monkeypatch)
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
