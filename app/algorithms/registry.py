"""The algorithms by name, in the order in which people meet them.

A module defines only what differs from its ``BASE``, another module; without one, that is ``app.algorithms.usual``. So
a broken variant is as long as its mistake.
"""

from types import ModuleType, SimpleNamespace
from typing import cast

from app.algorithms import (
    acharya_badrinath,
    alagar_venkatesan,
    aligned,
    aligned_strict,
    aligned_timeout,
    at_least_once,
    at_most_once,
    blocked_channel,
    chandy_lamport,
    colour_blind,
    continuous,
    lai_yang,
    late_marker,
    lineage,
    loops,
    mattern,
    members,
    merge_joiner,
    merged,
    micro_batch,
    micro_batch_speculation,
    millwheel,
    no_channels,
    no_log,
    node_as_written,
    node_channels,
    node_data_silent,
    node_guarded,
    node_record_first,
    photographs,
    real_time,
    resent_marker,
    sequenced,
    spezialetti_kearns,
    stop_the_world,
    timestamp,
    unaligned,
    uncoordinated,
    unicast_token,
    unlabelled,
    usual,
    venkatesan,
    wall_clock,
    weak_productions,
)
from app.core.algorithm import Algorithm
from app.core.model import BluecutError

HANDLERS = (
    "start", "on_initiate", "carries", "on_send", "on_change", "on_receive", "on_told", "on_wake", "on_gone",
    "survives", "on_return", "allows", "accepts", "result",
)  # fmt: skip
FACTS = (
    "NAME", "REQUIRES", "GRAPH", "LABELLED", "SERIAL", "FLOODS", "ALONE", "MARKERS", "COST", "PAUSES", "COLLECTS",
    "SETTLED", "COORDINATED", "RECOVERY", "PROMISE", "ITEMWISE", "ASKED", "LOGS", "BATCHES", "MAPS", "SNAPSHOTS",
    "REPEATS", "TIMERS", "PATIENT", "PRIVATE", "PSEUDOCODE", "WRONG",
)  # fmt: skip


def whole(module: ModuleType) -> Algorithm:
    """Return the algorithm of a module: what it defines, and the rest from its base."""
    return cast(Algorithm, SimpleNamespace(**{name: given(module, name) for name in (*FACTS, *HANDLERS)}))


def given(module: ModuleType, name: str) -> object:
    """Return the value of ``name`` in the module or the nearest of its bases. Raises AttributeError if none has it."""
    if module is usual or hasattr(module, name):
        return getattr(module, name)
    return given(getattr(module, "BASE", usual), name)


MODULES: dict[str, ModuleType] = {
    module.NAME: module
    for module in (
        chandy_lamport,
        merged,
        spezialetti_kearns,
        venkatesan,
        lai_yang,
        mattern,
        timestamp,
        acharya_badrinath,
        alagar_venkatesan,
        stop_the_world,
        photographs,
        wall_clock,
        uncoordinated,
        aligned,
        micro_batch,
        micro_batch_speculation,
        lineage,
        continuous,
        real_time,
        unaligned,
        aligned_timeout,
        loops,
        aligned_strict,
        at_most_once,
        millwheel,
        weak_productions,
        sequenced,
        blocked_channel,
        members,
        late_marker,
        at_least_once,
        no_log,
        no_channels,
        unlabelled,
        colour_blind,
        unicast_token,
        resent_marker,
        merge_joiner,
        node_as_written,
        node_guarded,
        node_record_first,
        node_data_silent,
        node_channels,
    )
}
ALGORITHMS: dict[str, Algorithm] = {name: whole(module) for name, module in MODULES.items()}


def algorithm(name: str) -> Algorithm:
    """Return the algorithm called ``name``. Raises BluecutError with the known names."""
    try:
        return ALGORITHMS[name]
    except KeyError:
        raise BluecutError("unknown algorithm {name!r}; one of {known}", name=name, known=tuple(ALGORITHMS)) from None
