"""Lineage: what is lost is computed again from its inputs; no other process rolls back.

This is the half of micro-batches that needs no snapshot. A task that is lost in the middle of a batch returns to the
state after the batch before, and gets its input once more: the tasks before it have kept what they made for it, and a
source reads its range again, which the offset log knows. The task does its work once more, and the result is the same.

No snapshot of a running state is ever taken for this, and no marker is needed: a task that is deterministic, and inputs
that are still there, are enough. MapReduce writes the results of its map tasks to disk and executes lost tasks again;
Spark remembers from which partitions each partition was made. Neither is a snapshot in the sense of Chandy and Lamport.

The other half, a driver that crashes, is not here: MapReduce (2004) ends a job whose master is lost.

Notes: those of micro-batches.

References
----------
M. Zaharia et al., "Resilient Distributed Datasets: A Fault-Tolerant Abstraction for In-Memory Cluster Computing", NSDI
2012, section 2.
M. Zaharia et al., "Discretized Streams", SOSP 2013, section 5.1 (parallel recovery).
J. Dean, S. Ghemawat, "MapReduce: Simplified Data Processing on Large Clusters", OSDI 2004, section 3.3.
"""

from dataclasses import replace

from app.algorithms.spark import micro_batch

BASE = micro_batch

NAME = "lineage"
RECOVERY = replace(BASE.RECOVERY, way="local")
PSEUDOCODE = tuple(line for line in BASE.PSEUDOCODE if line[0] not in ("on-driver-lost", "read-logs"))
