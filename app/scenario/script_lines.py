"""The lines of a script as actions."""

from collections.abc import Callable
from typing import Any

from app.compact_json import compact
from app.core.model.values import (
    Abandon,
    Action,
    Collect,
    Crash,
    Deed,
    Deliver,
    Detail,
    Drop,
    Duplicate,
    Forget,
    Heal,
    Into,
    Join,
    Json,
    Leave,
    Move,
    Overtake,
    Partition,
    Phrase,
    Restart,
    Restore,
    Sets,
    Start,
    Todo,
    Wake,
)
from app.forms.json_shape import mapping, whole
from app.forms.yaml_source import Path, Source
from app.programs.bank import freeze
from app.programs.scripted import Telegram
from app.programs.token import TOKEN
from app.programs.variables import Letter
from app.scenario.cross_checks import check_entry
from app.scenario.format import BankForm, EntryForm, ScenarioForm, ScriptedForm, SendForm, TokenForm, VariablesForm
from app.schedules.protocol import LATEST, Entry


def script(source: Source, form: ScenarioForm) -> tuple[Entry, ...]:
    """Return the lines of the script as actions."""
    entries = []
    for i, entry in enumerate(form.script):
        path: Path = ("script", i)
        given = [f for f in DOING if getattr(entry, f) is not None]
        if len(given) != 1:
            raise source.error(path, "give exactly one of {actions}", actions=DOING)
        if entry.at is not None and form.schedule.kind != "timed":
            raise source.error(
                (*path, "at"), "only a timed schedule has times; set schedule.kind to timed or leave it out"
            )
        check_entry(source, path, form, entry)
        entries.append(Entry(_action(source, path, form, entry), entry.at or 0, source.line(path)))
    return tuple(entries)


PLAIN: dict[str, Callable[[Any], Action]] = {
    kind.key: kind for kind in (Start, Collect, Partition, Heal, Crash, Join, Leave, Abandon, Restart)
}
"""The lines that say everything in one value."""

DOING = (
    "start", "send", "read", "deliver", "collect", "change", "wake", "drop", "duplicate", "overtake", "partition",
    "heal", "crash", "join", "leave", "abandon", "forget", "restore", "restart",
)  # fmt: skip
"""What a line of the script can do."""


def _action(source: Source, path: Path, form: ScenarioForm, entry: EntryForm) -> Action:
    for name, plain in PLAIN.items():
        if (value := getattr(entry, name)) is not None:
            return plain(value)
    for fault in (Drop, Duplicate, Overtake):
        if (channel := getattr(entry, fault.key)) is not None:
            return fault(channel, entry.position or (fault is Overtake))
    for step in (Wake, Forget):
        if (process := getattr(entry, step.key)) is not None:
            return step(process, Todo(entry.what or ""))
    if entry.restore is not None:
        return Restore(LATEST if entry.restore == "latest" else entry.restore)
    if entry.deliver is not None:
        told = "state" in entry.model_fields_set
        return Deliver(entry.deliver, entry.position, compact(entry.state) if told else None)
    if entry.read is not None:
        return Move(entry.read, None, None, Deed.READ)
    if entry.send is not None:
        process = entry.send.on.split("->")[0]
        payload, detail = _sending(source, (*path, "send"), form, entry.send)
        return Move(process, entry.send.on, payload, detail)
    assert entry.change is not None
    change = entry.change
    if isinstance(form.program, VariablesForm):
        if not change.set:
            raise source.error((*path, "change"), "set is missing; give the variables and their new values")
        return Move(change.process, None, None, Sets(tuple(change.set.items())))
    if "state" not in change.model_fields_set:
        raise source.error((*path, "change"), "state is missing; give the new state")
    state = compact(change.state) if isinstance(form.program, ScriptedForm) else change.state
    return Move(change.process, None, None, Into(state))


def _sending(source: Source, path: Path, form: ScenarioForm, send: SendForm) -> tuple[Any, Detail | None]:
    """Return the payload of a scripted send, and the detail that the program needs beside it."""
    message = send.message
    match form.program:
        case TokenForm():
            if message not in (None, TOKEN):
                raise source.error(
                    (*path, "message"), "the only message of a token program is {token}; leave it out", token=TOKEN
                )
            return TOKEN, None
        case BankForm() as bank:
            amounts = mapping(message).values() or (message,)
            if not all(map(whole, amounts)):
                raise source.error(
                    (*path, "message"), "give an amount: a whole number, or quantities with whole numbers"
                )
            check_quantities(source, (*path, "message"), bank, message)
            return freeze(message), None
        case ScriptedForm():
            detail = Into(compact(send.state)) if "state" in send.model_fields_set else None
            return Telegram(compact(message)), detail
    if not isinstance(message, str) or not 0 < len(message) <= 40:
        raise source.error((*path, "message"), "give the message a name of 1 to 40 characters")
    if isinstance(form.program, VariablesForm):
        return Letter(message, tuple((send.then or {}).items())), Sets(tuple((send.set or {}).items()))
    return message, None


def check_quantities(source: Source, path: Path, program: BankForm, amount: Json) -> None:
    """Check that an amount names only what the accounts hold. Raises SourceError."""
    balances = [program.everyone, *program.accounts.values()]
    held = tuple(dict.fromkeys(name for b in balances if b is not None for name, _ in freeze(b)))
    for name, _ in freeze(amount):
        if held and name not in held:
            raise source.error(
                path,
                "the accounts hold no {quantity}; they hold {known}",
                quantity=name or Phrase("a plain number"),
                known=tuple(known or Phrase("a plain number") for known in held),
            )
