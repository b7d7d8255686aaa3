"""Aligned barriers before FLIP-147: an input that ends takes the snapshot in progress with it.

As with aligned barriers, but when an input ends before its barrier has come, the snapshot is aborted: its barrier will
never come there, and the end does not count in its place.

A simplification: later snapshots do without that input, and can be complete. In Flink before 1.14 the coordinator does
not start a checkpoint once a task has finished, so after the end of some source there were none.

Notes: those of aligned barriers.

References
----------
Apache Flink, BarrierBuffer (2015 to 2019) and SingleCheckpointBarrierHandler without checkpoints after tasks have
finished. FLINK-2491, 2015, asks for such checkpoints; FLIP-147, "Support Checkpoints After Tasks Finished", brought
them: in Flink 1.14 (2021) as an option, by default since 1.15.
"""

from app.algorithms.barriers import aligned
from app.algorithms.shared.barriers import Memory, ending, give_up
from app.core.model.algorithm import Reply
from app.core.model.notes import Rule
from app.core.model.values import APP, END, Message, Process

NAME = "aligned-strict"
BASE = aligned
PSEUDOCODE = (*aligned.PSEUDOCODE[:6], ("on-input-end", 0), ("give-up", 1), *aligned.PSEUDOCODE[6:])


def on_receive(process: Process, memory: Memory, state: object, channel: str, message: Message) -> Reply[Memory]:
    """Do as aligned barriers do, but abort the snapshot in progress at the end of an input."""
    if message.kind != APP or message.payload is not END:
        return aligned.on_receive(process, memory, state, channel, message)
    memory = ending(memory, channel, message)
    if not memory.waiting:
        return memory, ()
    memory, effects = give_up(process, memory)
    return memory, (*effects, Rule(("on-input-end", "give-up")))
