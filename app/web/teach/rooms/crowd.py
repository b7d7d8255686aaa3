"""More people than roles: the others are the network of one more system, and vote what happens next in it.

Every few seconds the event with the most votes happens; the processes follow the rule by themselves, and pay as chance
has it. A vote names the step after which it was given, so one that comes too late counts for nothing. Everybody may
also foretell whether the snapshot will be right.
"""

from collections import Counter
from collections.abc import Mapping
from random import Random

from app.algorithms.shared.verbs import RECORD, SEND_MARKER
from app.core.model.values import Json
from app.course.activity import RoundForm
from app.course.live_run import CHANGE, DELIVER, SEND, START, LiveRun

EVERY = 6.0
"""Seconds between two events that are voted on."""
IN_FLIGHT = 6
"""So many messages are enough to choose from: the processes pay no more."""
NEXT, VERDICT = 1, 2
"""The rounds of votes: on the next event, and on the verdict."""
VERDICTS = ("right", "wrong")

Ballots = Mapping[int, tuple[int, tuple[str, ...]]]
"""By seat the turn, for an event the step, and the answer."""


def poll_of(round_: int) -> int:
    """Return the number under which the votes in a round of an activity are kept; questions have numbers above 0."""
    return -1 - round_


def options(run: LiveRun, form: RoundForm) -> list[dict[str, Json]]:
    """Return what can be voted on: what arrives, who starts, and in a photograph who records."""
    open_ = [DELIVER, START] + ([] if SEND_MARKER in form.deeds else [RECORD])
    return run.possible([each for each in open_ if each in form.deeds])


def counted(ballots: Ballots, step: int) -> Counter[str]:
    """Return the votes on the event after a step."""
    return Counter(answer[0] for turn, answer in ballots.values() if turn == step)


def advanced(run: LiveRun, form: RoundForm, ballots: Ballots, draw: Random) -> tuple[list[int], dict[str, Json], int]:
    """Let happen what has the most votes; without votes, something arrives. Return the choices, what it was, and how
    many voted for it."""
    votes, offered = counted(ballots, len(run.choices)), options(run, form)
    made: list[int] = []
    event: dict[str, Json] = {}
    if voted := [each for each in offered if votes[str(each["text"])]]:
        event = max(voted, key=lambda each: votes[str(each["text"])])
    elif arrivals := [each for each in offered if each["deed"] == DELIVER]:
        event = draw.choice(arrivals)
    if event:
        made.append(run.act(str(event["text"])))
    if SEND_MARKER in form.deeds:
        for process in run.system.topology.names:
            made += run.carried_out(process)
    moves = run.possible([each for each in (SEND, CHANGE) if each in form.deeds])
    if moves and sum(map(len, run.world.queues.values())) < IN_FLIGHT:
        made.append(run.act(str(draw.choice(moves)["text"])))
    return made, event, votes[str(event.get("text"))]
