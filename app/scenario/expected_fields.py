"""What a scenario expects of its run: the fields of ``expect``."""

from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BaseModel, Field, StrictBool, create_model

from app.core.oracle.checks import CHECKS
from app.forms.fields import STRICT, ChannelName, Count, Name


class Expected(BaseModel):
    """A part of ``expect``."""

    model_config = STRICT


if TYPE_CHECKING:
    ChecksForm = Expected
else:
    ChecksForm = create_model(
        "ChecksForm",
        __base__=Expected,
        __doc__="What the oracle must say: true, false or null (does not apply).",
        **dict.fromkeys(CHECKS, (StrictBool | None, None)),
    )


class StableForm(Expected):
    """The program's stable property when the snapshot starts, in the recorded state, and when it is complete."""

    before: StrictBool
    recorded: StrictBool
    after: StrictBool


class SnapshotForm(Expected):
    """What one snapshot must be. What is not given is not compared, except that a check may fail only if it is
    named."""

    id: int | None = None
    initiators: list[Name] | None = None
    complete: StrictBool | None = None
    aborted: StrictBool | None = None
    processes: dict[Name, Any] | None = None
    channels: dict[ChannelName, list[object]] | None = None
    markers: int | None = None
    controls: int | None = None
    absent: list[Name] | None = None
    unusable: list[Name] | None = None
    checks: ChecksForm | None = None
    unreachable: list[Name] | None = None
    open: list[ChannelName] | None = None
    stable: StableForm | None = None
    total: Any = None


class FinalForm(Expected):
    """Where the run must end. ``outside`` is what has become visible at each sink of a dataflow."""

    processes: dict[Name, Any] | None = None
    channels: dict[ChannelName, list[object]] | None = None
    outside: dict[Name, list[object]] | None = None


Guarantee = Literal["exactly-once", "wrong-values", "other-values", "at-least-once", "at-most-once", "neither"]


class LedgerForm(Expected):
    """How the run of a dataflow compares with the run without failures. ``lost``, ``doubled`` and ``waiting`` count
    items at the sinks, ``disorder`` those that became visible behind a later one; ``state`` and ``output`` are what the
    run shows. ``possible`` is what a process could have in the end without failures, over all orders of arrival, where
    it has something else. ``taken`` is how often a process read or took an item, in all lives, ``counted`` how many of
    those times count in the end; ``reread`` are the items that sources read again, ``restarts`` the processes that
    rolled back."""

    lost: Count | None = None
    doubled: Count | None = None
    waiting: Count | None = None
    disorder: Count | None = None
    state: Guarantee | None = None
    output: Guarantee | None = None
    possible: dict[Name, list[object]] | None = None
    taken: dict[Name, Count] | None = None
    counted: dict[Name, Count] | None = None
    reread: Count | None = None
    restarts: Count | None = None


class LineForm(Expected):
    """The outcome of the run's last crash. ``places`` is where each process is when no process has to roll back any
    more: 0 is its beginning, null that it stayed. ``rollbacks`` counts the returns except the first, ``lost`` the
    undone events; ``useless`` are the checkpoints that no line could use, by process, all of them, when the crash came,
    or, without a crash, in the end."""

    places: dict[Name, Count | None] | None = None
    rollbacks: Count | None = None
    lost: Count | None = None
    useless: dict[Name, list[Count]] | None = None


class RecoveryForm(Expected):
    """What the run of a dataflow paid to be safe and to recover, see ``app.analysis.recovery_cost``."""

    checkpoints: Count | None = None
    writes: Count | None = None
    ids: Count | None = None
    kept: Count | None = None
    collected: Count | None = None
    restarts: Count | None = None
    returned: list[Name] | None = None
    replayed: Count | None = None
    redone: Count | None = None
    resent: Count | None = None
    dropped: Count | None = None


class WayForm(Expected):
    """The files of a run that are written in one way, see ``app.analysis.checkpoint_sizes``: those of completed
    checkpoints, with the ``keys``, the ``records`` in flight and the ``raw`` bytes in them. ``wasted`` counts the files
    of the others.
    ``kept`` are the checkpoints whose files exist in the end, by process or channel; ``reads`` how many files a restore
    reads, checkpoint by checkpoint; ``lapsed`` the checkpoints to which the run rolled back when their files were
    gone."""

    files: Count | None = None
    keys: Count | None = None
    records: Count | None = None
    raw: Annotated[int, Field(ge=0, strict=True)] | None = None
    wasted: Count | None = None
    kept: dict[Name | ChannelName, list[Count]] | None = None
    reads: list[Count] | None = None
    lapsed: list[Count] | None = None


class WrittenForm(Expected):
    """The files of a run, written in two ways."""

    full: WayForm | None = None
    incremental: WayForm | None = None


class ExpectForm(Expected):
    """What the run must be. ``undisturbed`` is false where the snapshots must disturb the program."""

    steps: int | None = None
    undisturbed: StrictBool = True
    snapshots: list[SnapshotForm] | None = None
    final: FinalForm | None = None
    line: LineForm | None = None
    recovery: RecoveryForm | None = None
    ledger: LedgerForm | None = None
    files: WrittenForm | None = None
