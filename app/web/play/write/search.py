"""One round of the search for a visitor's class: all runs of a system, as far as the browser has answered."""

import time
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from app.core.model.values import Json
from app.judge.answers import Answers
from app.judge.judge import Trial, tried
from app.judge.known_bugs import sign
from app.judge.report import played, reason, trial_text
from app.judge.suite import LEVELS, of_level
from app.judge.written import Written

MOST_STATES = 20_000
"""The most states of a system that the server visits for a page."""
SECONDS = 4.0
"""The most seconds of processor time of one search."""
FILE = "snapshot.py"
"""How the class is called in what is told about it."""

Level = Annotated[int, Field(ge=LEVELS[0], le=LEVELS[-1])]


class Asked(BaseModel):
    """What a browser has: the facts about its class, and its answers by the names of the questions. ``place`` is that
    of the system at its level."""

    model_config = ConfigDict(extra="forbid")
    level: Level
    place: Annotated[int, Field(ge=0, le=99)]
    tags: bool
    values: bool
    answers: dict[Annotated[str, Field(pattern="^[0-9a-f]{16}$")], dict[str, Any]]


def searched(asked: Asked, spoken: str) -> Json:
    """Return the questions that are left, or how the class does in its system. Raises IndexError if there is none."""
    answers, system = Answers(asked.answers), of_level(asked.level)[asked.place]
    until = time.thread_time() + SECONDS
    written = Written(answers.ask, {"tags": asked.tags, "values": asked.values})
    trial = tried(system, written, MOST_STATES, tired=lambda: time.thread_time() > until)
    if answers.missing:
        return {"questions": answers.missing, "states": f"{trial.states:,}"}
    return _trial_json(trial, spoken)


def _trial_json(trial: Trial, spoken: str) -> Json:
    """Return a trial as the page shows it: its line, and where it failed, the run by hand."""
    told: dict[str, Json] = {"verdict": trial.verdict, "says": trial_text(trial, spoken), "sign": sign(trial)}
    if trial.markers:
        told["markers"] = trial.markers
    failure = trial.failure
    if failure is None:
        return told
    line = failure.mistake.line if failure.mistake else None
    return told | {"why": reason(FILE, failure, spoken), "line": line, "run": played(trial, spoken)}
