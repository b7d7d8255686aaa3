"""The form's buttons: what each does, and which of them can do anything.

In a scenario without mistakes a button leads to another one without mistakes, or nowhere. So channels that the
algorithm needs come and go together, and lines of the script that can no longer happen go. While there is a mistake,
a button does what it says, whatever comes of it.
"""

import copy
import re
from collections.abc import Callable, Iterator, Mapping
from itertools import islice

from app.core.model.value import Frozen
from app.core.model.values import BluecutError, Phrase
from app.forms.json_shape import mapping
from app.forms.whole_number import whole_number
from app.forms.yaml_source import Source, SourceError
from app.run.run import OWN, record
from app.scenario.scenario import build
from app.web.play.editor.changes import edited, entry, firsts_of, reshaped
from app.web.play.editor.form import FIRST, NEW, ROWS, Outline, Values, outline
from app.web.play.editor.naming import forget
from app.web.play.editor.next_line import continued

STEPS = 300
"""How many steps of the run are tried while the visitor types."""

LOOKED, TRIED = 2 * ROWS, 4
"""How many ways to do what a button says are looked at, and how many of those are tried that fit the system."""


MOVES = {"up": -1, "down": 1}

LINE = re.compile(r"script\[(\d+)\]")


class Done(Frozen):
    """What a form has made of a scenario. ``lost`` counts the lines of the script that could no longer happen;
    ``refused`` says why nothing was done."""

    values: Values
    lost: int = 0
    refused: Phrase | None = None


def done(values: Values, fields: Mapping[str, str]) -> Done:
    """Return what the form's ``fields`` and its button ``do`` make of the values. The form must belong to them."""
    button = fields.get("do", "")
    made = edited(values, fields)
    other = reshaped(made, fields)
    if other is not made:
        return _best(made, [other])
    now = outline(made)
    tries = list(islice(_tries(made, now, button), LOOKED)) if now else []
    return _best(made, tries, mends=button.split(".")[1] not in MOVES) if tries else Done(made)


def offered(values: Values, now: Outline, *, right: bool) -> frozenset[str]:
    """Return the buttons that can do something; those that move a row are not looked at. ``now`` is the outline of the
    values; ``right`` says that they have no mistake."""
    counts = {"process": len(now.processes), "channel": len(now.channels), "script": len(now.script)}
    buttons = [f"{part}.add" for part in counts]
    buttons += [f"{part}.remove.{at}" for part, count in counts.items() for at in range(count)]
    return frozenset(button for button in buttons if _offered(values, now, button, right=right))


def _offered(values: Values, now: Outline, button: str, *, right: bool) -> bool:
    """Can a button do something?"""
    tries = islice(_tries(values, now, button), LOOKED)
    if not right or button.startswith("script.remove"):
        return next(tries, None) is not None
    if button == "script.add":
        return any(_wrong(made) is None for made in tries)
    return any(_fits(made) for made in tries)


def _best(values: Values, tries: list[Values], *, mends: bool = True) -> Done:
    """Return the first of the tries that loses no line of the script, else the one that loses the fewest. Unless it
    ``mends``, no line may be lost."""
    if _wrong(values):
        return Done(tries[0])
    found: list[Done] = []
    for made in islice((made for made in tries if _fits(made)), TRIED):
        ended = _mended(made)
        if ended and (mends or not ended.lost):
            found.append(ended)
        if ended and not ended.lost:
            break
    if not found and (wrong := _wrong(tries[0])):
        return Done(values, refused=wrong.says if isinstance(wrong, SourceError) else wrong.phrase)
    return min(found, key=lambda one: one.lost, default=Done(values))


def _mended(values: Values) -> Done | None:
    """Return the values without the lines of the script that cannot happen, or None: something else is wrong."""
    made = values
    lost = 0
    while wrong := _wrong(made):
        line = LINE.match(wrong.field if isinstance(wrong, SourceError) else "")
        if not line:
            return None
        made = made | {"script": [each for at, each in enumerate(made["script"]) if at != int(line[1])]}
        lost += 1
    return Done(made, lost)


def _wrong(values: Values) -> BluecutError | None:
    """Return the mistake in the values or in their run, or None."""
    try:
        record(build(Source("scenario", values, {})), most=STEPS)
    except BluecutError as error:
        return error
    return None


def _fits(values: Values) -> bool:
    """Are the values right, whatever happens in the script?"""
    try:
        build(Source("scenario", values | {"script": []}, {})).system(OWN)
    except BluecutError:
        return False
    return True


# --- what the buttons do -----------------------------------------------------------------------------------------


def _tries(values: Values, now: Outline, button: str) -> Iterator[Values]:
    """Yield what a button may do, the simplest first: ``LIST.add``, or ``LIST.remove|up|down.NUMBER``. Unknown buttons
    do nothing."""
    part, verb, number = [*button.split("."), "", ""][:3]
    if part not in ADD or (now.shape and part != "script"):
        return
    if verb == "add":
        yield from ADD[part](values, now)
    rows = {"process": now.processes, "channel": now.channels, "script": now.script}[part]
    index = whole_number(number)
    if index is None or index >= len(rows):
        return
    if verb == "remove":
        yield from REMOVE[part](values, now, index)
    elif verb in MOVES and 0 <= index + MOVES[verb] < len(rows):
        made = copy.deepcopy(values)
        held = made["script"] if part == "script" else made["topology"][LISTS[part]]
        other = index + MOVES[verb]
        held[index], held[other] = held[other], held[index]
        yield made


LISTS = {"process": "processes", "channel": "channels"}


def _add_process(values: Values, now: Outline) -> Iterator[Values]:
    """Add a process with an unused name and channels to and from another: without them it would never take part; to and
    from all, if need be. In a dataflow it is a source between the coordinator and another process."""
    if len(now.processes) >= ROWS:
        return
    name = next(f"P{i}" for i in range(1, ROWS + 2) if f"P{i}" not in now.names)
    firsts = mapping(values["program"].get(FIRST[now.program]))
    for ends in [*([one] for one in reversed(now.names)), now.names]:
        before = [one for one in now.names if mapping(firsts.get(one)).get("coordinator")]
        into = before[:1] if now.program == "dataflow" else ends
        made = copy.deepcopy(values)
        made["topology"]["processes"].append(name)
        _join(made, [*(f"{one}->{name}" for one in into), *(f"{name}->{one}" for one in ends)])
        if now.program != "bank" or all(isinstance(first, int) for first in firsts.values()):
            firsts_of(made).setdefault(name, copy.deepcopy(NEW[now.program]))
        yield made


def _add_channel(values: Values, now: Outline) -> Iterator[Values]:
    """Add a channel that does not exist yet, or one in each direction."""
    links = set(now.links)
    pairs = [(a, b) for a in now.names for b in now.names if a != b and f"{a}->{b}" not in links]
    if len(now.channels) >= ROWS:
        return
    for ways in (1, 2):
        for a, b in pairs:
            made = copy.deepcopy(values)
            _join(made, [link for link in (f"{a}->{b}", f"{b}->{a}")[:ways] if link not in links])
            yield made


def _add_line(values: Values, now: Outline) -> Iterator[Values]:
    """Add a line that can happen at the end of the script; the first one starts a snapshot."""
    if len(now.script) >= ROWS:
        return
    starts = [entry("start", now, name) for name in now.names or [""]]
    follows = continued(values)
    for line in [follows, *starts] if now.script and follows else [*starts, follows]:
        if line:
            yield values | {"script": [*(values.get("script") or []), line]}


ADD: dict[str, Callable[[Values, Outline], Iterator[Values]]] = {
    "process": _add_process,
    "channel": _add_channel,
    "script": _add_line,
}


def _remove_process(values: Values, now: Outline, index: int) -> Iterator[Values]:
    """Remove a process, its channels, and all that is said of them. If need be, the processes before it have channels
    to those after it instead."""
    name = now.names[index]
    gone = [f"{a}->{b}" for a, b in now.channels if name in (a, b)]
    made = copy.deepcopy(values)
    del made["topology"]["processes"][index]
    _cut(made, gone, name)
    yield made
    before, after = [a for a, b in now.channels if b == name], [b for a, b in now.channels if a == name]
    made = copy.deepcopy(made)
    _join(made, [f"{a}->{b}" for a in before for b in after if a != b and f"{a}->{b}" not in now.links])
    yield made


def _remove_channel(values: Values, now: Outline, index: int) -> Iterator[Values]:
    """Remove a channel and all that is said of it, if need be together with the one in the other direction."""
    a, b = now.channels[index]
    for gone in ([f"{a}->{b}"], [f"{a}->{b}", f"{b}->{a}"]):
        made = copy.deepcopy(values)
        _cut(made, gone)
        yield made


def _remove_line(values: Values, _: Outline, index: int) -> Iterator[Values]:
    """Remove a line of the script."""
    yield values | {"script": [line for at, line in enumerate(values["script"]) if at != index]}


REMOVE: dict[str, Callable[[Values, Outline, int], Iterator[Values]]] = {
    "process": _remove_process,
    "channel": _remove_channel,
    "script": _remove_line,
}


def _join(values: Values, channels: list[str]) -> None:
    """Add channels."""
    values["topology"]["channels"] = [*(values["topology"].get("channels") or []), *channels]


def _cut(values: Values, channels: list[str], *processes: str) -> None:
    """Remove channels, and what is said of them and of ``processes``."""
    kept = [channel for channel in values["topology"].get("channels") or [] if channel not in channels]
    if "channels" in values["topology"]:
        values["topology"]["channels"] = kept
    forget(values, {*channels, *processes})
