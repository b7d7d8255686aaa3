"""Chandy–Lamport, broken: several snapshots at once, with markers that carry no id.

A marker closes its channel in every snapshot that is still recording it, so the marker of one snapshot ends the
recording of another too early. A process that is recording nothing on that channel takes the marker for the first
of a snapshot it has not seen.

Unlabelled markers are right as long as only one snapshot is under way: the paper uses them so.

Notes: those of Chandy–Lamport.

References
----------
K. M. Chandy, L. Lamport, ACM TOCS 3(1), 1985, section 3 (one snapshot, markers without a label).
"""

from typing import Any

from immutables import Map

from app.algorithms import chandy_lamport
from app.algorithms.chandy_lamport import (
    FLOODS,
    LABELLED,
    PSEUDOCODE,
    REQUIRES,
    Table,
    accepts,
    on_send,
    on_wake,
    result,
    start,
)
from app.core.algorithm import Effect, Reply
from app.core.model import APP, Message, Post, Process

__all__ = ["FLOODS", "LABELLED", "PSEUDOCODE", "REQUIRES", "accepts", "on_send", "on_wake", "result", "start"]

NAME = "unlabelled"
MARKERS = False  # there is one on each channel, but nobody can tell of which snapshot
WRONG: str | None = "close"


def on_initiate(process: Process, memory: "Map[int, Table]", state: Any, snapshot: int) -> Reply:
    """Record under the next number that this process has free, and send markers without it."""
    return unlabel(chandy_lamport.on_initiate(process, memory, state, max(snapshot, unseen(memory))))


def on_receive(process: Process, memory: "Map[int, Table]", state: Any, channel: str, message: Message) -> Reply:
    """Close the channel in every table, or take the marker for the first of the next snapshot."""
    if message.kind == APP:
        return chandy_lamport.on_receive(process, memory, state, channel, message)
    hit = [number for number in sorted(memory) if channel in memory[number].open]
    if not hit:
        return unlabel(chandy_lamport.record(process, memory, state, unseen(memory), channel))
    effects: list[Effect] = []
    for number in hit:
        memory, more = chandy_lamport.close(process, memory, number, channel)
        effects += more
    return memory, effects


def unseen(memory: "Map[int, Table]") -> int:
    """The lowest snapshot number that this process has not recorded."""
    number = 1
    while number in memory:
        number += 1
    return number


def unlabel(reply: Reply) -> Reply:
    """The same reply with the ids taken off its markers."""
    memory, effects = reply
    return memory, tuple(Post(e.channel, e.kind, None) if isinstance(e, Post) else e for e in effects)
