"""A run for people: its steps as sentences, what its snapshots recorded, what the checks say.

``lines`` is plain text for a pipe, ``show`` the same in tables on a terminal.
"""

from collections.abc import Iterator

from rich.console import Console
from rich.table import Table
from rich.text import Text

from app.analysis.checkpoint_sizes import FULL, INCREMENTAL, WAYS
from app.analysis.phases import Phase
from app.analysis.promise import holds
from app.cli.terminal import visible
from app.core.model.values import Json
from app.core.oracle.checks import CHECKS
from app.run.run import Run, Step
from app.web.shared.step_view import caption
from app.wire.frames import sentences_of_step
from app.wire.phase_words import phases_line
from app.wire.snapshot_table import Row, rows
from app.words.catalogues import pieces, plain, readable, tell, word
from app.words.guarantee_words import either
from app.words.guarantee_words import verdict as kept
from app.words.witness_words import witness_sentence

MARKS = {True: "✓", False: "✗", None: "–"}
BLUE = "#0072B2"
WRONG = "#D55E00"
RIGHT = "#009E73"


def lines(run: Run, told: Json, differences: list[str], language: str) -> Iterator[str]:
    """Yield the whole report as lines of text."""
    yield _headline(run, language)
    yield ""
    width = len(str(len(run.steps)))
    for step in run.steps:
        yield f"{step.number:>{width}}  {plain(tell(sentences_of_step(run, step), language))}"
        if words := caption(run, step.number, language):
            yield f"{'':{width}}  » {words}"
    if run.full:
        yield word("cli.full", language, steps=len(run.steps))
    for snapshot in told["snapshots"]:
        yield ""
        yield _title(snapshot, language)
        yield f"  {_phased(snapshot, run, language)}"
        rows = list(_elements(run, snapshot, language))
        widest = max((len(element) for element, _ in rows), default=0)
        for element, value in rows:
            yield f"  {element:<{widest}}  {value}"
        for check in CHECKS:
            yield f"  {MARKS[snapshot['checks'][check]]} {_verdict(snapshot, check, language)}"
        yield from (f"  {sentence}" for sentence in _asides(snapshot, language))
    if "files" in told:
        yield ""
        yield from _files(told["files"], language)
    yield from (line for line in ("", *_booked(told, language)) if "ledger" in told)
    yield ""
    if run.history.recordings:
        yield f"{MARKS[run.undisturbed]} {_undisturbed(run, language)}"
    yield from differences or [_agreed(run, language)]


def show(run: Run, told: Json, differences: list[str], language: str) -> None:
    """Print the whole report on a terminal."""
    console = Console(highlight=False)
    console.print(Text(visible(_headline(run, language)), style="bold"))
    steps = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    steps.add_column(justify="right", style="dim")
    steps.add_column(ratio=1)
    for step in run.steps:
        steps.add_row(str(step.number), _spoken(run, step, language))
    console.print(steps)
    if run.full:
        console.print(Text(word("cli.full", language, steps=len(run.steps))))
    for snapshot in told["snapshots"]:
        console.print()
        console.print(Text(visible(_title(snapshot, language)), style=f"bold {BLUE}"))
        console.print(Text(f"  {visible(_phased(snapshot, run, language))}", style="dim"))
        table = Table(box=None, show_header=False, padding=(0, 2))
        for element, value in _elements(run, snapshot, language):
            table.add_row(element, Text(visible(value)))
        console.print(table)
        for check in CHECKS:
            holds = snapshot["checks"][check]
            mark = Text(f"  {MARKS[holds]} ", style={True: RIGHT, False: WRONG, None: "dim"}[holds])
            console.print(mark + Text(visible(_verdict(snapshot, check, language))))
        for sentence in _asides(snapshot, language):
            console.print(Text(f"  {visible(sentence)}"))
    if "files" in told:
        console.print()
        for sentence in _files(told["files"], language):
            console.print(Text(visible(sentence)))
    if "ledger" in told:
        console.print()
        for line in _booked(told, language):
            console.print(Text(visible(line)))
    console.print()
    if run.history.recordings:
        style = RIGHT if run.undisturbed else WRONG
        console.print(Text(f"{MARKS[run.undisturbed]} ", style=style) + Text(_undisturbed(run, language)))
    for sentence in differences or [_agreed(run, language)]:
        console.print(Text(visible(sentence), style=WRONG if differences else RIGHT))


def _undisturbed(run: Run, language: str) -> str:
    """Return I6 in words, and up to where it is judged."""
    text = word("check.undisturbed.claim", language)
    if run.astray is None:
        return text
    where = word("player.astray", language, step=run.astray.step, snapshot=run.astray.snapshot)
    return text + word("cli.because", language) + where


def _booked(told: Json, language: str) -> Iterator[str]:
    """Yield what the ledger says, and the items that are not visible as often as they should be."""
    book = told.get("ledger") or {}
    for name in ("state", "output"):
        if book and (book[name] or not book["settled"]):
            said = kept(book[name], book["promise"][name], language)
            yield f"{MARKS[holds(book[name], book['promise'][name])]} {word(f'cli.ledger.{name}', language, said=said)}"
    if book and book["settled"] and book["output"] is None and book["waiting"]:
        said = word("result.waiting", language, count=book["waiting"])
        yield f"{MARKS[None]} {word('cli.ledger.output', language, said=said)}"
    if book.get("orders"):
        yield f"  {word('ledger.orders.' + book['orders']['verdict'], language, count=book['orders']['results'])}"
    for name, values in book.get("possible", {}).items():
        now = told["final"]["processes"][name]
        yield f"  {word('cli.ledger.kept', language, process=name, now=now, values=either(values, language))}"
    for one in book.get("records", ()):
        if one["times"] == one["wanted"] and "possible" in one:
            fields = {"sink": one["sink"], "record": one["id"], "seen": one["values"]}
            yield f"  {word('cli.ledger.value', language, **fields, values=either(one['possible'], language))}"
        if one["times"] != one["wanted"]:
            key = "cli.ledger.waiting" if one.get("waiting") else "cli.ledger.record"
            fields = {"sink": one["sink"], "record": one["id"], "times": one["times"], "wanted": one["wanted"]}
            yield f"  {word(key, language, **fields)}"
    if book:
        counts = {name: book[name] for name in ("reread", "restarts")}
        yield f"  {word('ledger.cost', language, **counts)}"


def _headline(run: Run, language: str) -> str:
    form = run.scenario.form
    name = getattr(form.title, language)
    return word(
        "cli.headline",
        language,
        title=name,
        algorithm=run.system.algorithm.NAME,
        discipline=run.system.discipline,
        steps=len(run.steps),
    )


def _spoken(run: Run, step: Step, language: str) -> Text:
    """Return a step's sentences, the most important words in bold."""
    text = Text()
    for matters, words in pieces(tell(sentences_of_step(run, step), language)):
        text.append(visible(words), style="bold" if matters else "")
    if words := caption(run, step.number, language):
        text.append(f"\n» {visible(words)}", style="italic")
    return text


def _title(snapshot: Json, language: str) -> str:
    """Return which snapshot this is, who started it, and how it ended."""
    return word(
        f"cli.snapshot.{_standing(snapshot)}",
        language,
        snapshot=snapshot["id"],
        initiators=list(snapshot["initiators"]),
        markers=snapshot["markers"],
    )


def _phased(snapshot: Json, run: Run, language: str) -> str:
    return phases_line([Phase(**phase) for phase in snapshot["phases"]], len(run.steps), language)


def _standing(snapshot: Json) -> str:
    """Return how a snapshot ended, as the key of its word."""
    if snapshot["aborted"]:
        return "aborted"
    if snapshot["unusable"]:
        return "unusable"
    return "complete" if snapshot["complete"] else "open"


def _elements(run: Run, snapshot: Json, language: str) -> Iterator[tuple[str, str]]:
    """Yield the recorded global state as pairs: element, state."""
    for row in rows(run, len(run.steps), snapshot["id"]):
        yield readable(row.element, language), _state(row, language)


def _state(row: Row, language: str) -> str:
    """Return what a row of the table says about its element."""
    if row.mode == "recorded":
        return readable(row.value, language)
    if row.mode == "lost":
        return f"{readable(row.value, language)} – {word('player.table.lost', language)}"
    if row.mode == "struck":
        return " – ".join(filter(None, (readable(row.value, language), word("player.tray.given-up", language))))
    if row.mode in ("storing", "died"):
        return word(f"player.table.{row.mode}", language, state=readable(row.value, language) or "–")
    if row.mode == "unwatched":
        return word("player.stage.unseen", language)
    if row.mode in ("absent", "gone"):
        return word(f"player.table.{row.mode}", language)
    return word("cli.unrecorded" if row.kind == "process" else "cli.open", language)


def _verdict(snapshot: Json, check: str, language: str) -> str:
    """Return the verdict of a check in words, with its witness if it has one."""
    text = word(f"check.{check}.claim", language)
    if check in snapshot["witnesses"]:
        text += word("cli.because", language) + witness_sentence(snapshot["witnesses"][check], language)
    return text


def _asides(snapshot: Json, language: str) -> Iterator[str]:
    """Yield what else is known: why a snapshot is not complete, and the program's stable property."""
    unfinished = snapshot["witnesses"].get("complete")
    if unfinished and unfinished["unreachable"]:
        yield word("cli.unreachable", language, processes=unfinished["unreachable"])
    if stuck := snapshot.get("deadlock"):
        waits = [word("player.deadlock.wait", language, process=one, source=other) for one, other in stuck["waits"]]
        told = {"waits": waits, "process": stuck["process"], "snapshot": snapshot["id"]}
        yield word("player.deadlock", language, **told)
        yield word("player.deadlock.blocked", language, channels=stuck["blocked"])
    if stable := snapshot.get("stable"):
        yield word("cli.stable", language, property=word(f"stable.{snapshot['property']}", language), **stable)


def _files(told: Json, language: str) -> Iterator[str]:
    """Yield the size of the checkpoints, and what a restore of each would read."""
    yield word("cli.files", language, retain=told["retain"])
    for way in WAYS:
        yield "  " + word(
            f"cli.files.{way}", language, **{f: told[way][f] for f in ("keys", "files", "raw", "compressed")}
        )
    for snapshot, whole in told[FULL]["reads"].items():
        more = told[INCREMENTAL]["reads"][snapshot]
        values = {"files": whole["files"], "raw": whole["raw"], "others": more["files"], "bytes": more["raw"]}
        yield "  " + word("cli.files.read", language, snapshot=snapshot, **values)
    if wasted := told[FULL]["wasted"]["files"]:
        yield "  " + word("cli.files.wasted", language, files=wasted)
    for snapshot in told[FULL]["lapsed"]:
        yield "  " + word("cli.files.lapsed", language, snapshot=snapshot)


def _agreed(run: Run, language: str) -> str:
    """Return the sentence that everything is as expected."""
    expects = run.scenario.own(run.key) and run.scenario.form.expect is not None
    return word("cli.expected" if expects else "cli.holds", language)
