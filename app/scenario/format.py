"""The scenario file: its fields, their limits, and the JSON Schema made from them.

Every model refuses fields that it does not know. ``bluecut schema`` prints the schema; editors use the copy in
``static/scenario.schema.json``.
"""

from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import (
    AliasChoices,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StrictBool,
    StrictInt,
    StrictStr,
    StringConstraints,
)

from app.algorithms.registry import FIRST
from app.core.oracle.checks import CHECKS
from app.forms.fields import SNAPSHOTS, STEPS, STRICT, ChannelName, Count, Most, Name
from app.scenario.expected_fields import ExpectForm
from app.words.catalogues import LANGUAGES, catalogue, word

PROCESSES = 200
CHANNELS = 4_000
ENTRIES = 5_000
REGULAR = 500
"""The most snapshots that a run may start at an interval."""
OFFERS = 6_000
"""The most payments that the accounts of a bank may choose from together: its channels times its amounts."""
VISITOR_BYTES = 16_384
FILE_BYTES = 1_048_576

Label = Annotated[str, StringConstraints(min_length=1, max_length=40, strict=True)]
Amount = Annotated[int, Field(ge=0, le=10**12, strict=True)]
Scalar = StrictInt | StrictBool | StrictStr
Balance = Amount | Annotated[dict[Label, Amount], Field(min_length=1, max_length=8)]
Tick = Annotated[int, Field(ge=0, le=1_000_000, strict=True)]
Discipline = Literal["fifo", "causal", "any"]
Percent = Annotated[int, Field(ge=0, le=90, strict=True)]
"""Per hundred messages. Less than all: if everything is lost, nothing terminates."""
FaultName = Literal[
    "drop", "duplicate", "overtake", "partition", "heal",
    "crash", "join", "leave", "abandon", "forget", "restore", "restart",
]  # fmt: skip
if TYPE_CHECKING:
    CheckName = str
else:
    CheckName = Literal[tuple(CHECKS)]
Seed = Annotated[int, Field(ge=0, le=2**31 - 1, strict=True)]


Capacity = Annotated[int, Field(ge=1, le=1_000, strict=True)]
"""How many program messages a channel holds."""


class Form(BaseModel):
    """A part of a scenario file."""

    model_config = STRICT


LONGEST_TEXT = 2_000
"""The most characters of a text for visitors."""


Text = Annotated[str, StringConstraints(max_length=LONGEST_TEXT)]


class Words(Form):
    """A text for visitors in both languages."""

    en: Text
    zh: Text


def _for_both(given: Any) -> Any:
    return {"en": given, "zh": given} if isinstance(given, str) else given


OwnWords = Annotated[Words, BeforeValidator(_for_both, json_schema_input_type=Text | Words)]
"""A text of a scenario's author: in both languages, or one that stands for both."""


class RandomGraph(Form):
    """A random, strongly connected graph."""

    processes: Annotated[int, Field(ge=2, le=PROCESSES, strict=True)]
    degree: Annotated[int, Field(ge=1, le=20, strict=True)] = 2
    seed: Seed = 0


Assumption = Literal[
    "fifo",
    "causal",
    "any-order",
    "no-loss",
    "loss",
    "duplication",
    "reachable",
    "unreachable",
    "acyclic",
    "loops",
    "marker-first",
    "marker-late",
    "labels",
    "no-labels",
    "uncoordinated",
    "recording",
    "no-recording",
    "membership",
    "crash",
    "replay",
    "clocks",
]
"""What the world of a scenario and its lesson assume; a promise that is kept and the same promise broken are two words.
The list is fixed because the gallery has each of them in both languages (``assumption.fifo``)."""

Lesson = Annotated[int, Field(ge=1, le=99, strict=True)]
"""A lesson, by its place."""

Size = Annotated[int, Field(ge=1, le=PROCESSES, strict=True)]


class TopologyForm(Form):
    """The processes and the channels between them: listed, or one named shape over P1, P2 and so on."""

    processes: Annotated[list[Name], Field(min_length=1, max_length=PROCESSES)] | None = None
    channels: Annotated[list[ChannelName], Field(max_length=CHANNELS)] | None = None
    chain: Size | None = None
    ring: Size | None = None
    star: Size | None = None
    complete: Size | None = None
    random: RandomGraph | None = None


class TokenForm(Form):
    """Processes pass tokens on; ``holders`` have them at first."""

    kind: Literal["token"]
    holders: dict[Name, Annotated[int, Field(ge=0, le=1_000, strict=True)]]


class BankForm(Form):
    """Accounts send each other amounts; the total never changes."""

    kind: Literal["bank"]
    accounts: dict[Name, Balance] = {}
    everyone: Balance | None = None
    amounts: Annotated[list[Balance], Field(max_length=8)] = [1]


class VariablesForm(Form):
    """Named variables, and messages with names."""

    kind: Literal["variables"]
    values: dict[Name, Annotated[dict[Label, Scalar], Field(max_length=12)]]


class EdgeForm(Form):
    """``from`` one state ``to`` another, sending or receiving a message on a channel, or neither."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)

    source: Label = Field(alias="from")
    to: Label
    send: Label | None = None
    receive: Label | None = None
    on: ChannelName | None = None


class MachineForm(Form):
    """State machines; in ``passive`` states a process has finished."""

    kind: Literal["machine"]
    first: dict[Name, Label]
    edges: dict[Name, Annotated[list[EdgeForm], Field(max_length=100)]]
    passive: Annotated[list[Label], Field(max_length=20)] = []


class ScriptedForm(Form):
    """The script says what every send and receive does to the state."""

    kind: Literal["scripted"]
    states: dict[Name, Any] = {}


Value = Annotated[int, Field(ge=-(10**9), le=10**9, strict=True)]
RecordForm = Value | Annotated[dict[Label, Value], Field(min_length=1, max_length=1)]
"""An item: its value, or ``key: value``."""


class MapForm(Form):
    """The value is multiplied, then added to."""

    times: Value = 1
    plus: Value = 0


class FilterForm(Form):
    """What is passed on: values more than, less than, or that leave ``remainder`` when divided by ``modulo``."""

    above: Value | None = None
    below: Value | None = None
    modulo: Annotated[int, Field(ge=2, le=1_000, strict=True)] | None = None
    remainder: Annotated[int, Field(ge=0, le=999, strict=True)] = 0


class OperatorForm(Form):
    """What one process of a dataflow does: coordinator, source, sink, or an operator that keeps a sum, a count or the
    two sides of a join, maps and filters. The world outside discards a transaction of a sink that is prepared and not
    committed by the time that ``timeout`` more items have come."""

    coordinator: Literal[True] | None = None
    batch: Annotated[int, Field(ge=1, le=2_000, strict=True)] | None = None
    source: Annotated[list[RecordForm], Field(max_length=2_000)] | None = None
    ends: StrictBool = False
    sum: Literal["all", "key"] | None = None
    count: Literal["all", "key"] | None = None
    join: Literal["key"] | None = None
    emit: Literal["record", "result"] | None = None
    map: MapForm | None = None
    filter: FilterForm | None = None
    route: Literal["all", "key"] = "all"
    sink: Literal["plain", "idempotent", "transactional", "batch"] | None = None
    timeout: Annotated[int, Field(ge=1, le=1_000, strict=True)] | None = None


class DataflowForm(Form):
    """Items stream from sources through operators to sinks."""

    kind: Literal["dataflow"]
    operators: dict[Name, OperatorForm]


ProgramForm = Annotated[
    TokenForm | BankForm | VariablesForm | MachineForm | ScriptedForm | DataflowForm, Field(discriminator="kind")
]


class DelayForm(Form):
    """How many ticks messages travel: always the same, uniform between two numbers, or digit by digit as recorded."""

    constant: Tick | None = None
    uniform: Annotated[list[Tick], Field(min_length=2, max_length=2)] | None = None
    digits: Annotated[str, StringConstraints(pattern=r"^[0-9]+$"), Most(100_000)] | None = None


class PhaseForm(Form):
    """For ``ticks`` ticks programs move after this ``gap``."""

    ticks: Annotated[int, Field(ge=1, le=10_000, strict=True)]
    gap: DelayForm


class FailuresForm(Form):
    """Each of ``processes`` crashes at random, on average once in ``mean`` ticks, and is brought back ``back`` ticks
    later, from the latest checkpoint or alone, as the algorithm has it."""

    mean: Annotated[int, Field(ge=1, le=1_000_000, strict=True)]
    processes: Annotated[list[Name], Field(min_length=1, max_length=PROCESSES)]
    back: Annotated[int, Field(ge=1, le=10_000, strict=True)] = 1


class ScheduleForm(Form):
    """What happens next is decided by the script, a seed, virtual time, or a person. In virtual time, a process with a
    ``service`` takes nothing more from its channels for so many ticks after each message of the program, and
    ``put_off`` is how long a deferred step takes; without it, such steps wait until nothing else is left to do.
    ``takes`` says so for steps of one word, such as timeout; while a step of a word in ``stops`` runs, its process does
    nothing else. ``phases`` are busy and quiet times, one after the other and again from the first, in place of
    ``gap``."""

    kind: Literal["script", "seeded", "timed", "manual"] = "script"
    seed: Seed = 0
    moves: Count = 0
    delay: DelayForm | None = None
    delays: Annotated[dict[ChannelName, DelayForm], Field(max_length=CHANNELS)] = {}
    gap: DelayForm | None = None
    one_per_sender: StrictBool = False
    service: dict[Name, Annotated[int, Field(ge=1, le=10_000, strict=True)]] = {}
    put_off: DelayForm | None = None
    takes: Annotated[dict[Label, DelayForm], Field(max_length=12)] = {}
    stops: Annotated[list[Label], Field(max_length=8)] = []
    phases: Annotated[list[PhaseForm], Field(max_length=8)] = []
    failures: FailuresForm | None = None


class InitiatorForm(Form):
    """``process`` starts a snapshot at a step (seeded) or a time (timed), and, in a dataflow in virtual time, again
    ``every`` so many ticks."""

    process: Name
    at: Tick = 0
    every: Annotated[int, Field(ge=1, le=100_000, strict=True)] | None = None


class SendForm(Form):
    """The program sends ``message`` on a channel; ``set`` and ``state`` change the sender, ``then`` the receiver."""

    on: ChannelName
    message: Any = None
    set: Annotated[dict[Label, Scalar], Field(max_length=12)] | None = None
    state: Any = None
    then: Annotated[dict[Label, Scalar], Field(max_length=12)] | None = None


class ChangeForm(Form):
    """The program of a process changes its own state."""

    process: Name
    set: Annotated[dict[Label, Scalar], Field(max_length=12)] | None = None
    state: Any = None


class EntryForm(Form):
    """One line of the script: exactly one of start, send, read, deliver, collect, change, wake, of the faults ``drop``,
    ``duplicate``, ``overtake``, ``partition``, ``heal``, ``crash``, ``join``, ``leave``, ``abandon``, ``forget``, and
    of ``restore`` and ``restart``. ``wake`` takes the oldest deferred step of a process or, with ``what``, the one of
    that name; ``forget`` likewise. With ``predict``, visitors are asked before the run goes on; the run knows the
    answer."""

    at: Tick | None = None
    start: Name | None = None
    send: SendForm | None = None
    read: Name | None = None
    deliver: ChannelName | None = None
    position: Count = 0
    state: Any = None
    collect: ChannelName | None = None
    change: ChangeForm | None = None
    wake: Name | None = None
    drop: ChannelName | None = None
    duplicate: ChannelName | None = None
    overtake: ChannelName | None = None
    # Files and links of earlier versions say cut and mend; the digest in those links stays, too.
    partition: ChannelName | None = Field(
        None, validation_alias=AliasChoices("partition", "cut"), serialization_alias="cut"
    )
    heal: ChannelName | None = Field(None, validation_alias=AliasChoices("heal", "mend"), serialization_alias="mend")
    crash: Name | None = None
    join: Name | None = None
    leave: Name | None = None
    abandon: Annotated[int, Field(ge=0, le=SNAPSHOTS, strict=True)] | None = None
    forget: Name | None = None
    restore: Annotated[int, Field(ge=0, le=SNAPSHOTS, strict=True)] | Literal["latest"] | None = None
    restart: Name | None = None
    what: Label | None = None
    say: OwnWords | None = None
    predict: Literal["messages", "next", "back", "consistent", "complete"] | None = None


class FilesForm(Form):
    """How the checkpoints of a dataflow are kept: the last ``retain`` complete ones, and, where deltas are written, a
    new base after ``base`` files in a row (never, if it is not given). No run depends on it."""

    retain: Annotated[int, Field(ge=1, le=SNAPSHOTS, strict=True)] = 1
    base: Annotated[int, Field(ge=1, le=SNAPSHOTS, strict=True)] | None = None


class OutcomeForm(Form):
    """A recorded global state that must be possible."""

    processes: dict[Name, Any]
    channels: dict[ChannelName, list[object]] = {}


def _formerly(faults: Any) -> Any:
    names = {"cut": "partition", "mend": "heal"}
    return {names.get(name, name): most for name, most in faults.items()} if isinstance(faults, dict) else faults


class ExploreForm(Form):
    """All interleavings: programs make at most ``moves`` moves, each of ``starts`` starts at most one snapshot, and
    each kind of fault happens at most as often as ``faults`` says."""

    moves: Annotated[int, Field(ge=0, le=50, strict=True)] = 4
    starts: list[Name] | None = None
    faults: Annotated[dict[FaultName, Annotated[int, Field(ge=0, le=5, strict=True)]], BeforeValidator(_formerly)] = {}
    states: int | None = None
    outcomes: list[OutcomeForm] | None = None
    breaks: list[CheckName] | None = None


class ChallengeForm(Form):
    """A task for a visitor who decides what happens next, within ``within`` steps.

    ``goal``: ``break`` where a run exists in which a complete snapshot fails ``check`` (any, where none is named),
    passes ``keeps``, and adds up to ``total``; ``hold`` where the explorer finds none, so that the right answer is that
    it cannot be done. ``place`` orders the challenges, the easy ones first.
    """

    goal: Literal["break", "hold"]
    place: Annotated[int, Field(ge=1, le=99, strict=True)] = 99
    title: OwnWords
    task: OwnWords
    hint: OwnWords
    check: CheckName | None = None
    keeps: CheckName | None = None
    total: Annotated[int, Field(ge=0, strict=True)] | None = None
    within: Annotated[int, Field(ge=1, le=100, strict=True)] = 20


class ScenarioForm(Form):
    """A scenario: a system, a program, a snapshot algorithm, a schedule, a story, and the expected result.

    The ``story`` stands before the first step: the participants, and a question. The ``ending`` stands at the last step
    and answers it. In a lecture, playing stops at the steps of ``pause``, and where the author's words ask something.
    The ``surprise`` is the line by which the gallery advertises the scenario.
    """

    title: OwnWords
    surprise: OwnWords | None = None
    story: OwnWords | None = None
    ending: OwnWords | None = None
    pause: Annotated[list[Annotated[int, Field(ge=1, le=STEPS, strict=True)]], Field(max_length=40)] = []
    tags: Annotated[list[Annotated[str, StringConstraints(pattern=r"^[a-z0-9-]{1,30}$")]], Field(max_length=12)] = []
    lessons: Annotated[list[Lesson], Field(max_length=14)] = []
    assumptions: Annotated[list[Assumption], Field(max_length=12)] = []
    topology: TopologyForm
    program: ProgramForm
    algorithm: str = FIRST
    discipline: Discipline = "fifo"
    disciplines: Annotated[dict[ChannelName, Discipline], Field(max_length=CHANNELS)] = {}
    loss: Percent | Annotated[dict[ChannelName, Percent], Field(max_length=CHANNELS)] = 0
    duplication: Percent | Annotated[dict[ChannelName, Percent], Field(max_length=CHANNELS)] = 0
    newcomers: Annotated[dict[Name, Name], Field(max_length=20)] = {}
    capacity: Capacity | Annotated[dict[ChannelName, Capacity], Field(max_length=CHANNELS)] | None = None
    recovery: StrictBool | None = None
    files: FilesForm | None = None
    collect: StrictBool = True
    first_snapshot: Annotated[int, Field(ge=0, le=1, strict=True)] = 1
    schedule: ScheduleForm = ScheduleForm()
    script: Annotated[list[EntryForm], Most(ENTRIES)] = []
    initiators: Annotated[list[InitiatorForm], Field(max_length=SNAPSHOTS)] = []
    steps: Annotated[int, Field(ge=1, strict=True), Most(STEPS)] = 2_000
    expect: ExpectForm | None = None
    explore: ExploreForm | None = None
    challenge: ChallengeForm | None = None

    @property
    def operators(self) -> dict[str, OperatorForm] | None:
        """Return the operators of a dataflow; None if the program is something else."""
        return self.program.operators if isinstance(self.program, DataflowForm) else None


def schema(language: str = LANGUAGES[0]) -> dict[str, Any]:
    """Return the JSON Schema of a scenario file, described in a language."""
    made = ScenarioForm.model_json_schema(by_alias=True)
    for name, form in (*made["$defs"].items(), (ScenarioForm.__name__, made)):
        part = part_of(name)
        form["description"] = word(f"fields.{part}.about", language)
        for field, values in form["properties"].items():
            values["description"] = _meaning(part, field, language)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **made, "title": "Bluecut scenario"}


def part_of(form: str) -> str:
    """Return the name of a part of a scenario file by that of its model."""
    return form.removesuffix("Form").lower()


def _meaning(part: str, field: str, language: str) -> str:
    """Return what a field is for. Programs say their kind, and the oracle its checks, each in one way."""
    if part == "checks":
        return word(f"check.{field}.about", language)
    key = f"fields.{part}.{field}"
    return word(key if key in catalogue(language) else f"fields.{field}", language)
