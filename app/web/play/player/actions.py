"""What can happen after a step of a run, as pieces of its page: the panel *Next*, and the menus on the stage.

What both templates get: ``options``, what can happen, and what cannot and why, and ``faults``, what can go wrong; both
are lists of Option. ``_next.html`` also gets ``few``, how many options it shows at once, and ``count`` and ``wrong``,
how many there are of each, because it lists at most SHOWN; several messages that wait behind the first of their
channel are one line. ``_menu.html`` also gets ``title``, what it is about, or None, ``key`` and ``fields``, the same as
a sentence, and for a process ``verbs``, see ``_verbs``.

The links have no addresses. The script makes them from the text of the action and ``branch`` in
``app.web.shared.run_page.links``, so that an answer stays short however long the address of the run is, and does not
depend on how the visitor looks at the run.
"""

from collections.abc import Callable, Sequence
from hashlib import sha256
from itertools import groupby
from typing import Annotated, TypeAlias

from fastapi import APIRouter
from fastapi import Query as Parameter
from msgspec.structs import replace
from starlette.responses import HTMLResponse, Response

from app.core.kernel.enabled import faults, moves, options, restartable, spared, unready
from app.core.model.topology import shortened
from app.core.model.values import (
    Abandon,
    Action,
    BluecutError,
    Crash,
    Deliver,
    Fault,
    Heal,
    Join,
    Leave,
    OfProcess,
    OnMessage,
    Partition,
    Restart,
    Restore,
    Start,
)
from app.run.run import Run
from app.web.base.errors import NoSuchStep, answers
from app.web.base.templates import Context, page
from app.web.shared.step_view import Option, named, option
from app.web.shared.visit import ExactRun, Visit
from app.wire.action_text import text

FEW = 10
SHOWN = 400

WAITING = 8
"""How many messages of a channel its menu considers."""

Candidate: TypeAlias = tuple[Action, str | None]
"""An action, and the reason why it cannot happen now, or None."""

Name = Annotated[str | None, Parameter(max_length=200)]
Faulty = Annotated[bool, Parameter(description="with what can go wrong, and who joins or leaves")]

router = APIRouter(responses=answers(400, 404, 409))


@router.get("/run/{ref}/next", response_class=HTMLResponse)
def following(shown: ExactRun, faulty: Faulty = True) -> Response:
    """Return what can happen after ``step``: a piece of the run's page."""
    return _piece(shown, "_next.html", folded(everything(shown.run, shown.address.step, faulty)))


@router.get("/run/{ref}/menu", response_class=HTMLResponse)
def menu(
    shown: ExactRun,
    process: Name = None,
    channel: Name = None,
    message: Annotated[int | None, Parameter(description="the id of a message in the channel")] = None,
    faulty: Faulty = True,
) -> Response:
    """Return what can happen after ``step`` to a process, a channel, or a message in it: a piece of the run's page."""
    run, step = shown.run, shown.address.step
    if process is not None:
        content = of_process(run, step, process, faulty)
    elif message is not None:
        content = of_message(run, step, channel or "", message, faulty)
    else:
        content = of_channel(run, step, channel or "", faulty)
    return _piece(shown, "_menu.html", content)


def _piece(shown: Visit, template: str, content: Context) -> Response:
    """Return a piece of a page. A browser that has it is only told that it has not changed."""
    answer = page(shown.request, template, **content)
    answer.headers["etag"] = f'"{sha256(answer.body).hexdigest()[:16]}"'
    if shown.request.headers.get("if-none-match") != answer.headers["etag"]:
        return answer
    kept = {name: answer.headers[name] for name in ("etag", "cache-control", "vary")}
    return Response(status_code=304, headers=kept)


def everything(run: Run, step: int, faulty: bool) -> Context:
    """Return what ``_next.html`` gets."""
    able, wrong = _possible(run, step, faulty)
    back = _recoveries(run, step, wrong)
    bad = [fault for fault in wrong if not isinstance(fault, Restore | Restart)]
    return {
        "options": [*back, *_entries(run, step, able[: SHOWN - len(back)])],
        "faults": _entries(run, step, _sure(bad[:SHOWN])),
        "few": FEW,
        "count": len(back) + len(able),
        "wrong": len(bad),
    }


def folded(found: Context) -> Context:
    """Return what ``_next.html`` gets, with one line for all messages that wait behind the first of a channel."""
    lines: list[Option] = []
    for channel, same in groupby(found["options"], lambda each: each.reason == "behind" and each.fields["channel"]):
        waiting = list(same)
        if channel and len(waiting) > 1:
            lines.append(Option("", "player.next.behind", {"count": len(waiting), "channel": channel}, "behind", None))
        else:
            lines += waiting
    return found | {"options": lines, "count": found["count"] - len(found["options"]) + len(lines)}


def of_process(run: Run, step: int, name: str, faulty: bool) -> Context:
    """Return the menu of a process. Raises BluecutError if there is no such process."""
    system = run.system
    if name not in system.topology.processes:
        raise BluecutError("no process {name}; known: {known}", name=name, known=shortened(system.topology.names))
    root = system.topology.root if system.algorithm.COORDINATED else None
    down = name in run.world(step).down

    def concerns(action: Action) -> bool:
        match action:
            case Restore():  # every process rolls back; those that are down wait for it
                return down
            case Abandon():
                return name == root
            case OfProcess(process=process):
                return process == name
        return False

    found = _about(run, step, concerns, faulty)
    if faulty and system.recovers and name == root and not restartable(system.algorithm):
        found["faults"].append(option(run, step, None, Crash(name), "coordinator"))
    lead = _verbs(run, step, name, [*found["options"], *found["faults"]], faulty)
    return found | {"verbs": lead, "title": name, "key": "player.menu", "fields": {"process": name}}


def of_channel(run: Run, step: int, name: str, faulty: bool) -> Context:
    """Return the menu of a channel: which of its first messages can arrive, and what can go wrong with the channel
    itself. Raises BluecutError if there is no such channel."""
    channels = run.system.topology.channels
    if name not in channels:
        raise BluecutError("no channel {name}; known: {known}", name=name, known=shortened(channels))

    def concerns(action: Action) -> bool:
        match action:
            case Deliver(channel=at, position=position):
                return at == name and position < WAITING
            case Partition(channel=at) | Heal(channel=at):
                return at == name
        return False

    found = _about(run, step, concerns, faulty)
    found["options"] = [each for each in found["options"] if each.reason is None]
    title = f"{channels[name].source} → {channels[name].target}"
    return found | {"title": title, "key": "player.menu.channel", "fields": {"channel": name}}


def of_message(run: Run, step: int, channel: str, message: int, faulty: bool) -> Context:
    """Return the menu of a message. Raises NoSuchStep if it is not in the channel then."""
    queue = run.world(step).queues.get(channel, ())
    position = next((at for at, each in enumerate(queue) if each.id == message), None)
    if position is None:
        raise NoSuchStep("message {message} is not in this channel after step {step}", message=message, step=step)

    def concerns(action: Action) -> bool:
        match action:
            case OnMessage(channel=at, position=place):
                return (at, place) == (channel, position)
        return False

    fields = {"message": named(run, queue[position]), "channel": channel}
    return _about(run, step, concerns, faulty) | {"title": None, "key": "player.menu.message", "fields": fields}


def _about(run: Run, step: int, concerns: Callable[[Action], bool], faulty: bool) -> Context:
    """Return the options and the faults that concern something. A process that comes back, joins or leaves is no
    fault."""
    able, wrong = _possible(run, step, faulty)
    wrong = [fault for fault in wrong if concerns(fault)]
    comes = [fault for fault in wrong if isinstance(fault, Join | Leave)]
    bad = [fault for fault in wrong if not isinstance(fault, Join | Leave | Restore | Restart)]
    own = [(action, reason) for action, reason in able if concerns(action)]
    return {
        "options": _recoveries(run, step, wrong) + _entries(run, step, own) + _entries(run, step, _sure(comes)),
        "faults": _entries(run, step, _sure(bad)),
    }


def _possible(run: Run, step: int, faulty: bool) -> tuple[list[Candidate], list[Fault]]:
    """Return the candidate actions after a step, and the faults."""
    world = run.world(step)
    return list(options(run.system, world)), list(faults(run.system, world)) if faulty else []


def _recoveries(run: Run, step: int, wrong: list[Fault]) -> list[Option]:
    """Return how crashed processes come back, the likeliest choice first: the latest snapshot first, the beginning
    last."""
    restarts = [fault for fault in wrong if isinstance(fault, Restart)]
    restores = [fault for fault in wrong if isinstance(fault, Restore)]
    found = _entries(run, step, _sure([*restarts, *reversed(restores)]))
    if len(restores) > 1:
        found[0] = replace(found[0], key="action.restore.latest")
    return found


def _sure(wrong: Sequence[Fault]) -> list[Candidate]:
    """Return faults as candidates: nothing hinders them."""
    return [(fault, None) for fault in wrong]


def _entries(run: Run, step: int, candidates: list[Candidate]) -> list[Option]:
    """Return candidates with their words."""
    return [option(run, step, None, action, reason) for action, reason in candidates]


def _verbs(run: Run, step: int, name: str, offered: list[Option], faulty: bool) -> list[Option]:
    """Return the verbs of a process after a step. Those that are ``offered`` are the same options; what the process can
    send, and how it comes back, is not among them."""
    system, world = run.system, run.world(step)
    own = {each.action: each for each in offered}

    def verb(action: Action, reason: str | None) -> Option:
        return own.get(text(action, system.program.show)) or option(run, step, None, action, reason)

    found = [verb(Start(name), unready(system, world, name))]
    if not world.member(name):
        return found
    if faulty:
        found.append(verb(Crash(name), spared(system, world, name)))
    if not moves(system, world, name):
        found.insert(0, _never("player.menu.send", name, "down" if name in world.down else "idle"))
    if faulty and name not in world.down:
        found.append(_never("player.menu.restart", name, "up" if system.recovers else "stays"))
    return found


def _never(key: str, name: str, reason: str) -> Option:
    """Return a verb of which no action can be named, because it is not possible."""
    return Option("", key, {"process": name}, reason, None)
