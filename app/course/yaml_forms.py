"""The files of the course: their fields and their limits. Unknown fields are mistakes, as in scenarios."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field, StringConstraints

from app.course.expression import LONGEST
from app.forms.fields import STEPS, STRICT, Name
from app.scenario.format import OutcomeForm, Words

Slug = Annotated[str, StringConstraints(pattern=r"^[a-z0-9-]{1,30}$", strict=True)]
Text = Annotated[str, StringConstraints(min_length=1, max_length=LONGEST, strict=True)]
"""An expression over a run, see ``app.course.run_facts``."""

Step = Annotated[int, Field(ge=0, le=STEPS, strict=True)]
Moment = Step | Text
"""A step, or an expression that gives one."""

Misconception = Annotated[str, StringConstraints(pattern=r"^M[0-9]{1,2}$", strict=True)]
Kind = Literal["number", "choice", "set", "process", "channel", "event", "order", "verdict", "possible", "bug"]
Unit = Literal["why", "algorithm", "beyond", "streams"]
Track = Literal["class", "lectures", "streams"]
Figure = Literal["stage", "time", "both", "events"]
"""The system, its space-time diagram, both, or a diagram of the program's events and messages alone."""


Library = Annotated[str, StringConstraints(min_length=1, max_length=80, strict=True)]
"""The name of a scenario of the library."""


class Form(BaseModel):
    """A part of a file of the course."""

    model_config = STRICT


class RunForm(Form):
    """A run: a scenario of the library, and the rest of its key as it is written behind the ? of an address."""

    scenario: Library
    query: Annotated[str, StringConstraints(max_length=1_000, strict=True)] = ""


class TemptForm(Form):
    """A wrong answer that was foreseen: what is said of it, the misconception of those who give it, or both. In what is
    said, ``{{ … }}`` holds an expression."""

    value: Text
    says: Words | None = None
    misconception: Misconception | None = None


class QuestionForm(Form):
    """A question about a run ``at`` a step of it. The answer is an expression, and so is what tempts.

    ``scene`` is what one has to know beforehand, so that ``asks`` is short. ``options`` are what a choice offers, by
    name; ``states`` what may be possible; ``offers`` is an expression that lists what a set or an order is made of, or
    what may be clicked; where it is not given, that follows from the kind. ``cut`` is drawn, and what a verdict is
    about. ``ordered``: does the order count in a set? ``accepts`` is an expression over ``given`` for an order that is
    as right as the ``answer``. ``shows`` is the step in which the run shows it; there, what ``decides`` is circled:
    processes, channels, and recorded states as ``copy:PROCESS``. Without it, that is the answer itself where it can be
    seen.

    Why a wrong answer is wrong can be told of a ``snapshot``: who records when, what crosses its cut, what is closed;
    and of a number by its ``parts``: an expression for a mapping from names to amounts, or for messages, which add up
    to it. ``code`` shows the rule beside the question, with the lines that have changed ``since`` another run.
    """

    id: Slug
    kind: Kind
    run: RunForm | None = None
    at: Moment = 0
    figure: Figure = "stage"
    code: bool = False
    since: RunForm | None = None
    scene: Words | None = None
    asks: Words
    options: Annotated[dict[Slug, Words], Field(min_length=2, max_length=8)] | None = None
    states: Annotated[dict[Slug, OutcomeForm], Field(min_length=2, max_length=8)] | None = None
    offers: Text | None = None
    cut: dict[Name, Step] | None = None
    ordered: bool = False
    answer: Text
    accepts: Text | None = None
    parts: Text | None = None
    snapshot: Step | None = None
    tempting: Annotated[list[TemptForm], Field(max_length=24)] = []
    shows: Moment | None = None
    decides: Annotated[list[Text], Field(max_length=8)] = []
    why: Words
    hint: Words | None = None


class KnobForm(Form):
    """One thing to change afterwards: what, and the run or page that shows it."""

    says: Words
    run: RunForm | None = None
    at: Moment = 0
    page: Annotated[str, StringConstraints(pattern=r"^/[a-z][^\s\\]{0,300}$", strict=True)] | None = None


class BeatForm(Words):
    """A part of the set-up, with a picture of its own: its run or that of the lesson ``at`` a step, or a ``cut``
    through it."""

    run: RunForm | None = None
    at: Moment | None = None
    cut: dict[Name, Step] | None = None


class MarkersForm(Form):
    """A snapshot to carry out by hand in the system of ``scenario``: its ``initiator``, and the channel on which a
    message has been ``sent`` before."""

    rules: Literal["markers"]
    scenario: Library
    initiator: Name
    sent: Text
    asks: Words


class BarriersForm(Form):
    """A checkpoint with aligned barriers to carry out by hand at one ``process``. The ``opening`` is what happens
    before, by process and channel."""

    rules: Literal["barriers"]
    scenario: Library
    process: Name
    opening: Annotated[list[Text], Field(max_length=60)]
    asks: Words


class LineForm(Form):
    """A recovery line to draw by hand: the scenario, and the step ``at`` which a process crashes."""

    rules: Literal["line"]
    scenario: Library
    at: Annotated[int, Field(ge=1, le=STEPS, strict=True)]
    asks: Words


HandForm = MarkersForm | BarriersForm | LineForm


class LessonForm(Form):
    """A lesson. ``place`` orders the lessons, ``unit`` is the part of the course it belongs to, and ``tracks`` are the
    ways through the course that include it. ``beats`` are what is told before the first question, beside the ``figure``
    of the run; ``hand`` is carried out after the questions, and ``remember`` is the sentence to take home."""

    place: Annotated[int, Field(ge=1, le=99, strict=True)]
    unit: Unit | None = None
    title: Words
    goal: Words
    minutes: Annotated[int, Field(ge=1, le=60, strict=True)] = 5
    tracks: list[Track] = []
    run: RunForm
    at: Moment = 0
    figure: Figure = "stage"
    beats: Annotated[list[BeatForm], Field(min_length=1, max_length=4)]
    questions: Annotated[list[QuestionForm], Field(min_length=1, max_length=8)]
    hand: Annotated[HandForm, Field(discriminator="rules")] | None = None
    remember: Words | None = None
    knobs: Annotated[list[KnobForm], Field(min_length=1, max_length=4)]


class BeliefForm(Form):
    """A misconception: what people believe, why it is not so, and where that is seen."""

    belief: Words
    remedy: Words
    run: RunForm
    at: Moment = 0


class BeliefsForm(Form):
    """The misconceptions by name."""

    misconceptions: dict[Misconception, BeliefForm]
