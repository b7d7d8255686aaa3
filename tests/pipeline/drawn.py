"""Randomly drawn rows: small runs with correct snapshots, and with some faults."""

from random import Random
from typing import Any

from app.pipeline.rows.from_run import Rows
from app.pipeline.rows.schema import KINDS
from tests.pipeline.stored import numbered


def drawn(seed: int) -> Rows:
    """Return a run with one to three snapshots, drawn from its seed, which is its number too."""
    draw = Random(seed)
    rows: Rows = {kind: [] for kind in KINDS}
    processes = draw.randint(2, 4)
    ends = [(p, q) for p in range(processes) for q in range(processes) if p != q and draw.random() < 0.7] or [(0, 1)]
    ordered = [draw.random() < 0.7 for _ in ends]
    count = [0] * processes
    ways: dict[int, list[int]] = {channel: [] for channel in range(len(ends))}
    at: list[list[int]] = []
    for _ in range(draw.randint(5, 40)):
        if draw.random() < 0.1 and len(at) < 3:
            at.append(count.copy())
        channel = draw.randrange(len(ends))
        source, target = ends[channel]
        if ways[channel] and draw.random() < 0.5:
            message = ways[channel].pop(0 if ordered[channel] else draw.randrange(len(ways[channel])))
            count[target] += 1
            rows["message"][message]["received"] = count[target]
            event = {"process": target, "position": count[target], "event": "receive", "message": message}
        else:
            message = len(rows["message"])
            count[source] += 1
            row: dict[str, Any] = {
                "message": message,
                "channel": channel,
                "sent": count[source],
                "received": None,
                "lost": False,
            }
            rows["message"].append(row)
            ways[channel].append(message)
            event = {"process": source, "position": count[source], "event": "send", "message": message}
        rows["event"].append(event | {"step": len(rows["event"]) + 1})
    for queue in ways.values():
        for message in queue:
            rows["message"][message]["lost"] = draw.random() < 0.1
    for row in draw.sample(rows["message"], draw.randint(0, 2)):
        twin: dict[str, Any] = {
            "message": len(rows["message"]),
            "channel": row["channel"],
            "sent": row["sent"],
            "received": None,
        }
        rows["message"].append(twin | {"lost": False, "copied": draw.randint(1, 40)})
        if draw.random() < 0.3:
            count[ends[row["channel"]][1]] += 1
            rows["message"][-1]["received"] = count[ends[row["channel"]][1]]
    conserves = draw.random() < 0.8
    quantities = ("x", "y")[: draw.randint(1, 2)]
    for process in range(processes):
        for quantity in quantities:
            amount = {"process": process, "quantity": quantity, "amount": 100, "last": draw.randint(0, 100)}
            rows["stock"].append(amount)
    for row in rows["message"]:
        for quantity in quantities:
            worth = {"message": row["message"], "quantity": quantity, "amount": draw.randint(0, 5)}
            rows["worth"].append(worth)
    rows["process"] = [{"process": process, "name": f"p{process}"} for process in range(processes)]
    for channel, (source, target) in enumerate(ends):
        name = {"channel": channel, "name": f"p{source}->p{target}", "ordered": ordered[channel]}
        rows["channel"].append(name | {"source": source, "target": target})
    for number, cut in enumerate(at, 1):
        snapshot(rows, draw, number, cut, ends, quantities)
    run = {
        "url": f"/run/drawn-{seed}", "algorithm": "chandy-lamport", "discipline": "fifo", "processes": processes,
        "channels": len(ends), "snapshots": len(at), "conserves": conserves,
    }  # fmt: skip
    rows["run"] = [run]
    return numbered(rows, seed)


def snapshot(
    rows: Rows, draw: Random, number: int, cut: list[int], ends: list[tuple[int, int]], quantities: tuple[str, ...]
) -> None:
    """Add the rows of a correct snapshot, in some with one or two faults."""
    where = cut.copy()
    wrong = [
        draw.choice(("cut", "cut", "cut", "drop", "add", "twice", "swap", "amount", "marker", "absent"))
        for _ in range(2)
    ]
    wrong = wrong[: draw.choice((0, 0, 1, 2))]
    if "cut" in wrong:
        process = draw.randrange(len(where))
        where[process] = max(0, where[process] + draw.choice((-5, -2, 2, 5)))
    held = {(process, quantity): 100 for process in range(len(where)) for quantity in quantities}
    worth = {(row["message"], row["quantity"]): row["amount"] for row in rows["worth"]}
    queues: dict[int, list[int]] = {channel: [] for channel in range(len(ends))}
    for row in rows["message"]:
        source, target = ends[row["channel"]]
        inside = row["sent"] <= where[source]
        arrived = row["received"] is not None and row["received"] <= where[target]
        for quantity in quantities:
            held[source, quantity] -= worth[row["message"], quantity] if inside and "copied" not in row else 0
            held[target, quantity] += worth[row["message"], quantity] if arrived else 0
        if inside and not arrived and (not row["lost"] or draw.random() < 0.3):
            queues[row["channel"]].append(row["message"])
    channel = draw.randrange(len(ends))
    if "drop" in wrong and queues[channel]:
        queues[channel].pop(draw.randrange(len(queues[channel])))
    if "add" in wrong and rows["message"]:
        queues[channel].insert(0, draw.choice(rows["message"])["message"])
    if "twice" in wrong:
        queues[channel] += queues[channel][:1]
    if "swap" in wrong:
        queues[channel].reverse()
    for process, position in enumerate(where):
        absent = draw.choice((None, True, False)) if "absent" in wrong and draw.random() < 0.4 else None
        rows["cut"].append(
            {
                "snapshot": number, "process": process, "cut": position, "step": position * 5 + 1,
                "records": 2 if "marker" in wrong and draw.random() < 0.3 else 1, "part": absent is None,
                "absent": absent, "unusable": absent is True and draw.random() < 0.5,
            }
        )  # fmt: skip
    for (process, quantity), amount in held.items():
        off = draw.randint(-1, 1) if "amount" in wrong else 0
        holding = {"snapshot": number, "process": process, "quantity": quantity, "amount": amount + off}
        rows["holding"].append(holding)
    for channel, queue in queues.items():
        for place, message in enumerate(queue):
            rows["recorded"].append({"snapshot": number, "channel": channel, "place": place, "message": message})
        count = draw.randint(0, 2) if "marker" in wrong and draw.random() < 0.3 else 1
        rows["marker"].append({"snapshot": number, "channel": channel, "count": count})
    rows["snapshot"].append(
        {
            "snapshot": number, "started": 1, "completed": None if draw.random() < 0.1 else 50,
            "aborted": draw.random() < 0.1, "marked": draw.random() < 0.8,
        }
    )  # fmt: skip
