"""The verbs that visitors look for in the menu of a process: send, start a snapshot, crash and restart. Those that are
not possible now say why."""

from app.core.kernel.enabled import moves, spared, unready
from app.core.model.values import Action, Crash, Start
from app.run.run import Run
from app.web.shared.step_view import Option, option
from app.wire.action_text import text


def verbs(run: Run, step: int, name: str, offered: list[Option], faulty: bool) -> list[Option]:
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
