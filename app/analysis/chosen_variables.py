"""What a snapshot holds when only some variables count as state, and the state of the system after a restart from it.

The algorithm copies what it is told to copy. After a restart, what it leaves out is as at the very beginning.
"""

from collections.abc import Container

from app.core.model import recorded_state
from app.core.model.value import Frozen
from app.core.model.values import Json, Part
from app.programs.variables import Values, Variables
from app.run.run import Run


class Choice(Frozen):
    """One process: the variables that the snapshot has ``recorded`` of those that count; all of them after a restart
    from these, once the messages in the channels have arrived (``restarted``), and the same after a restart from
    ``everything``."""

    process: str
    recorded: dict[str, Json]
    restarted: dict[str, Json]
    everything: dict[str, Json]

    @property
    def wrong(self) -> tuple[str, ...]:
        """Return the variables that come back with another value."""
        return tuple(name for name, value in self.everything.items() if self.restarted[name] != value)


def variables(run: Run) -> tuple[str, ...]:
    """Return the names of all variables, in the order of the processes; none where the program has no variables."""
    if not isinstance(run.system.program, Variables):
        return ()
    states = (run.begin.states[name] for name in run.system.topology.names)
    return tuple(dict.fromkeys(name for state in states for name, _ in state.pairs))


def choices(run: Run, number: int, kept: Container[str]) -> tuple[Choice, ...]:
    """Return every process of a complete snapshot of a program with variables, where those ``kept`` count as state."""
    parts = recorded_state.parts(run.system, run.end, number)
    view = run.system.program.view
    chosen, everything = _restarted(run, parts, kept), _restarted(run, parts, variables(run))
    return tuple(
        Choice(
            name,
            {key: value for key, value in parts[name].state.pairs if key in kept},
            view(chosen[name]),
            view(everything[name]),
        )
        for name in run.system.topology.names
    )


def _restarted(run: Run, parts: dict[str, Part], kept: Container[str]) -> dict[str, Values]:
    """Return the states after a restart from the variables ``kept``, once the recorded messages have arrived."""
    program, topology = run.system.program, run.system.topology
    states = {}
    for name in topology.names:
        first, recorded = run.begin.states[name], parts[name].state
        states[name] = Values(
            tuple(mine if mine[0] in kept else own for own, mine in zip(first.pairs, recorded.pairs, strict=True)),
            recorded.named,
        )
    for channel, messages in recorded_state.channels(run.system, parts).items():
        name = topology.channels[channel].target
        for message in messages:
            states[name] = program.receive(topology.processes[name], states[name], channel, message.payload)
    return states
