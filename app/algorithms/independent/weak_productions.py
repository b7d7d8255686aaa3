"""Duplicate removal with weak productions: what follows from a message is sent at once, before it is saved.

Items are not delayed by the saving at every operator. In return a process that crashes may have sent what follows from
a state that no process will ever have again. Where the result of a message depends on that message alone, as in a map
or a filter, it is the same when it is resent, under the same id. Where it depends on the order in which messages came,
as a running total does, others may have taken what was never true.

Notes: those of duplicate removal.

References
----------
T. Akidau et al., "MillWheel: Fault-Tolerant Stream Processing at Internet Scale", PVLDB 6(11), 2013,
section 6.1.3. There, most of what is sent this way is never saved: an operator acknowledges its input only when its own
output has been acknowledged, and saves only what waits too long. Here it is always saved.
"""

from app.algorithms.independent import millwheel
from app.algorithms.shared import defaults
from app.core.model.algorithm import Flow

NAME = "weak-productions"
BASE = millwheel
DATAFLOW = Flow(itemwise=True)
PSEUDOCODE = (
    ("on-id", 0),
    ("if-known", 1),
    ("throw-away", 2),
    ("ack-again", 2),
    ("else-run", 1),
    ("send-productions", 1),
    ("on-commit", 0),
    ("save-together", 1),
    ("let-go", 1),
    ("ack-sender", 1),
    ("on-ack", 0),
    ("forget-copy", 1),
    ("on-timer", 0),
    ("send-unsaved", 1),
    ("on-coming-back", 0),
    ("saved-again", 1),
)

allows = defaults.allows  # what follows from a message is sent at once
