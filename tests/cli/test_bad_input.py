"""Bad input gives status 2, one line on stderr that says what is wrong, and nothing on stdout."""

from pathlib import Path

import pytest

from tests.cli.command import Done, bluecut

GOOD = """title: {en: t, zh: t}
topology: {processes: [P, Q], channels: [P->Q]}
program: {kind: bank, everyone: 1}
"""


def refused(done: Done) -> str:
    """Return the message, after checking that it was reported correctly."""
    assert done.code == 2
    assert done.out == ""
    assert done.err.startswith("bluecut: ") and done.err.endswith("\n") and done.err.count("\n") == 1
    return done.err.removeprefix("bluecut: ").rstrip("\n")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ("", "Missing command. One of: check, checkpoint, "),
        ("frob", "No such command 'frob'. One of: check, checkpoint, "),
        ("rnu", "No such command 'rnu'. Did you mean 'run'? One of: "),
        ("it's", 'No such command "it\'s". One of: check, '),
        ("--nope", "No such option"),
        ("import", "Missing command. One of: cos418."),
        ("import trace.json", "No such command 'trace.json'. One of: cos418."),
        ("store", "Missing command. One of: backup, "),
        ("run", "Missing argument 'SCENARIO'."),
        ("run ring star", "Got unexpected extra argument (star)"),
        ("run ring --frob", "No such option"),
        ("run ring --seed x", "Invalid value for '--seed': 'x' is not a valid int"),
        ("run ring --seed -1", "Invalid value for '--seed': -1 is not in the range 0<=x<=2147483647."),
        ("run ring --algorithm paxos", "--algorithm: unknown algorithm 'paxos'; one of chandy-lamport, merged, "),
        ("explore ring --algorithm lai", "--algorithm: no algorithm is called 'lai'; did you mean lai-yang?"),
        ("run ring --discipline lifo", "Invalid value for '--discipline': 'lifo' is not one of 'fifo', 'causal', "),
        ("run ring --lang fr", "Invalid value for '--lang': 'fr' is not one of 'en', 'zh'."),
        ("run ring --choices one", "choices: 'one' is not of the form STEP:INDEX, as in 5:2 or 5:2.0,12:3"),
        ("run ring --choices 5:0,5:0", "choices: the steps must increase from left to right"),
        (
            "run ring --choices 0:999",
            "choices: 0:999 does not exist; after step 0 there are 15 actions, counted from 0",
        ),
        ("run ring --choices 500:0", "choices: step 500 is past the end; the run has 9 steps"),
        ("run rin", "no scenario of the library and no file is called 'rin'; did you mean ring"),
        (
            "run ../../etc/nothing",
            "no scenario of the library and no file is called '../../etc/nothing'; bluecut check lists",
        ),
        ("run /", "/: a folder; give a file"),
        ("check ring nothing-such", "no scenario of the library and no file is called 'nothing-such'"),
        ("explore ring --most 0", "Invalid value for '--most': 0 is not in the range"),
        ("export ring", "Missing option '--to'. Choose from: shiviz, json, svg"),
        ("export ring --to png", "Invalid value for '--to': 'png' is not one of 'shiviz', 'json', 'svg'."),
        ("export ring --to json --step 3", "--step is for svg; json has the whole run"),
        ("export ring --to svg --step 99", "step 99 does not exist; the run has 9 steps"),
        ("export ring --to json -o /nowhere/x", "/nowhere/x: cannot be written: No such file or directory"),
        ("import cos418 --top a", "Missing option '--events'."),
        ("import cos418 --top /no/a --events /no/b --delays /no/c", "/no/a: cannot be read: No such file or directory"),
        ("serve --port 99999", "Invalid value for '--port': 99999 is not in the range 0<=x<=65535."),
    ],
)
def test_a_bad_command_line_is_told(arguments: str, says: str) -> None:
    assert refused(bluecut(*arguments.split())).startswith(says)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "stdin, line 1: empty; a scenario has at least title, topology and program"),
        (b"a: [", "stdin, line 1: not YAML: "),
        (GOOD.encode() + b"foo: 1\n", "stdin, line 4: foo: unknown field; known here: "),
        (GOOD.encode() + b"# \xff\n", "stdin, line 4: not UTF-8; save the file as UTF-8 text"),
        (b"\x00\x01\x02", "stdin, line 1: not YAML: the character U+0000 is not allowed; leave it out"),
        (GOOD.encode() + b"script: [{deliver: P->Q}]\n", "stdin, line 4: script[0]: nothing is in flight on P->Q"),
        (GOOD.encode() + b'script: [{start: "a\\nb"}]\n', "stdin, line 4: script[0].start: must be a name of 1 to 12"),
    ],
)
@pytest.mark.parametrize("command", ["run", "check", "explore", "export --to json"])
def test_a_bad_scenario_is_told(command: str, content: bytes, says: str) -> None:
    if command == "explore" and b"deliver" in content:
        assert bluecut("explore", "-", stdin=content).code == 0  # exploring does not follow the script
        return
    assert refused(bluecut(*command.split(), "-", stdin=content)).startswith(says)


def test_a_file_without_end_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.cli.scenario_argument.MOST_BYTES", 1_000)
    says = "larger than 1,000 bytes, the most that can be read"
    assert refused(bluecut("run", "/dev/zero")) == f"/dev/zero: {says}"
    assert refused(bluecut("run", "-", stdin=b"#" * 1_001)) == f"stdin: {says}"


def test_a_bad_file_among_good_ones_stops_check_before_it_prints(tmp_path: Path) -> None:
    bad = tmp_path / "bad.yaml"
    bad.write_text(GOOD + "foo: 1\n", encoding="utf-8")
    assert refused(bluecut("check", "ring", str(bad))).startswith(f"{bad}, line 4: foo: unknown field")


def test_a_file_that_may_not_be_read_is_told(tmp_path: Path) -> None:
    loop = tmp_path / "loop.yaml"
    loop.symlink_to(loop)
    assert "Too many levels of symbolic links" in refused(bluecut("import", "cos418", *loops(loop)))


def loops(path: Path) -> list[str]:
    """Return the three files of an import, all the same."""
    return ["--top", str(path), "--events", str(path), "--delays", str(path)]


@pytest.mark.parametrize(
    "command",
    [
        *("run {}", "check {}", "export {} --to json", "lesson {}", "verify {}", "checkpoint {}", "measure {}"),
        *("stream {}", "sweep {} -o x", "serve --report {}", "{}", "run --{}", "run ring --choices {}"),
        "run ring --algorithm {}",
    ],
)
def test_a_name_of_5000_characters_is_told_and_not_quoted_whole(command: str) -> None:
    assert len(refused(bluecut(*command.format("a" * 5_000).split()))) <= 2_000


def test_a_long_field_is_not_quoted_whole() -> None:
    said = refused(bluecut("run", "-", stdin=GOOD.encode() + b"a" * 1_000 + b": 1\n"))
    assert said.startswith(f"stdin, line 4: {'a' * 100}…{'a' * 99}: unknown field")


def test_a_name_with_a_zero_byte_or_a_line_break_is_told_on_one_line() -> None:
    assert refused(bluecut("run", "a\x00b")).startswith("no scenario of the library and no file is called 'a\\x00b'")
    assert refused(bluecut("run", "a\nb")).startswith("no scenario of the library and no file is called 'a\\nb'")
    assert refused(bluecut("frob\nfrob\x1b[2J")).startswith("No such command 'frob")


def test_a_bom_and_windows_line_ends_are_no_mistake() -> None:
    content = b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode()
    assert bluecut("run", "-", stdin=content).code == 0


def test_a_run_in_chinese_is_refused_in_chinese() -> None:
    assert refused(bluecut("run", "ring", "--lang", "zh", "--choices", "500:0")) == (
        "choices：第 500 步已在结尾之后；这次运行共有 9 步"
    )
    assert refused(bluecut("export", "rin", "--to", "svg", "--lang", "zh")).startswith("场景库里没有名为 'rin' 的场景")


def test_an_import_that_cannot_run_names_the_line_of_the_events(tmp_path: Path) -> None:
    (tmp_path / "two.top").write_text("2\nN1 1\nN2 0\nN1 N2\nN2 N1\n")
    (tmp_path / "two.events").write_text("tick\nsnapshot N2\nsend N1 N2 5\n")
    (tmp_path / "delays").write_text("01234\n")
    files = [f"--{what}={tmp_path / name}" for what, name in (("top", "two.top"), ("events", "two.events"))]
    said = refused(bluecut("import", "cos418", *files, f"--delays={tmp_path / 'delays'}"))
    assert said == f"{tmp_path / 'two.events'}, line 3: N1 has 1 and cannot send 5"
