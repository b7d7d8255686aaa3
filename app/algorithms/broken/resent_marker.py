"""Chandy–Lamport over channels that lose messages, broken: a marker that is not acknowledged is resent.

How markers are acknowledged and resent is in ``app.algorithms.shared.retransmission``. That is not enough. The resent
marker is behind whatever was sent since the process recorded; the receiver counts that as sent before. An orphan.

Notes: those of Chandy–Lamport, and Deferred, Told, Aborted.

References
----------
K. M. Chandy, L. Lamport, ACM TOCS 3(1), 1985, section 2: channels are assumed to be free of errors and to
deliver messages in the order sent. An acknowledgement repairs the first half of this sentence and breaks the second.
"""

from app.algorithms.shared import retransmission

NAME = "resent-marker"
BASE = retransmission
PROMISE: str | None = None
WRONG: str | None = "resend-marker"
