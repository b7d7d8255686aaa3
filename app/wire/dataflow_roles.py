"""The roles of the processes in a dataflow."""

from app.core.model.system import System
from app.core.model.values import Json
from app.programs.dataflow import COORDINATOR, OPERATOR, SINK, SOURCE, Dataflow, Operator


def roles(system: System) -> dict[str, dict[str, Json]]:
    """Return, by process: ``role`` (coordinator, source, operator or sink); for a coordinator whether it writes
    ``logs``; for a source its ``log`` of items; for a sink ``sink`` (plain, idempotent, transactional or batch); for an
    operator ``does`` (sum, count, join, map, filter or pass) and whether it works by key. Empty if the program is not a
    dataflow."""
    program = system.program
    if not isinstance(program, Dataflow):
        return {}
    found = {name: _role(program, program.operator(system.topology.processes[name])) for name in system.topology.names}
    if system.algorithm.DATAFLOW.logs:
        for told in found.values():
            if told["role"] == COORDINATOR:
                told["logs"] = True
    return found


def _role(program: Dataflow, operator: Operator) -> dict[str, Json]:
    told: dict[str, Json] = {"role": operator.role}
    if operator.role == SOURCE:
        told["log"] = [program.show(record) for record in operator.records]
        if operator.ends:
            told["ends"] = True
    elif operator.role == SINK:
        told["sink"] = operator.sink
    elif operator.role == OPERATOR:
        told["does"] = _does(operator)
        if operator.keyed:
            told["keyed"] = True
    return told


def _does(operator: Operator) -> str:
    if operator.keep is not None:
        return operator.keep
    if operator.times != 1 or operator.plus:
        return "map"
    filters = operator.above is not None or operator.below is not None or operator.modulo is not None
    return "filter" if filters else "pass"
