"""What the processes of a dataflow are for."""

from app.core.model import Json
from app.core.system import System
from app.programs.dataflow import COORDINATOR, OPERATOR, SINK, SOURCE, Dataflow, Operator


def roles(system: System) -> dict[str, dict[str, Json]]:
    """By process: ``role`` (coordinator, source, operator or sink); of a coordinator whether it writes ``logs``; of a
    source its ``log`` of records, of a sink ``sink`` (plain, idempotent, transactional or batch), of an operator
    ``does`` (sum, count, join, map, filter or pass) and whether it does so by key. Empty where the program is no
    dataflow."""
    program = system.program
    if not isinstance(program, Dataflow):
        return {}
    found = {name: role(program, program.operator(system.topology.processes[name])) for name in system.topology.names}
    if system.algorithm.LOGS:
        for told in found.values():
            if told["role"] == COORDINATOR:
                told["logs"] = True
    return found


def role(program: Dataflow, operator: Operator) -> dict[str, Json]:
    """What one process is for."""
    told: dict[str, Json] = {"role": operator.role}
    if operator.role == SOURCE:
        told["log"] = [program.show(record) for record in operator.records]
        if operator.ends:
            told["ends"] = True
    elif operator.role == SINK:
        told["sink"] = operator.sink
    elif operator.role == OPERATOR:
        told["does"] = does(operator)
        if operator.keyed:
            told["keyed"] = True
    return told


def does(operator: Operator) -> str:
    """What an operator does, in a word."""
    if operator.keep is not None:
        return operator.keep
    if operator.times != 1 or operator.plus:
        return "map"
    filters = operator.above is not None or operator.below is not None or operator.modulo is not None
    return "filter" if filters else "pass"
