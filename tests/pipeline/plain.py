"""A third verifier, in plain Python without libraries: rows of one run in, verdicts out.

It is slow and short, so that the two on Spark can be compared with it.
"""

from collections import Counter, defaultdict
from typing import Any

from app.core.oracle.checks import ROW_CHECKS
from app.pipeline.rows.from_run import Rows

Row = dict[str, Any]


def verdicts(rows: Rows) -> dict[int, dict[str, bool | None]]:
    """Return by snapshot what each check says; None if it does not apply."""
    (run,) = rows["run"]
    return {one["snapshot"]: verdict(rows, run, one) for one in rows["snapshot"]}


def verdict(rows: Rows, run: Row, snapshot: Row) -> dict[str, bool | None]:
    number, life = snapshot["snapshot"], snapshot["life"]

    def mine(kind: str) -> list[Row]:
        return [r for r in rows[kind] if r["life"] == life and r.get("snapshot", number) == number]

    found: dict[str, bool | None] = dict.fromkeys(ROW_CHECKS)
    cuts = {row["process"]: row for row in mine("cut")}
    there = [row for row in cuts.values() if row["part"] or row["absent"] is not None]
    given_up = snapshot["aborted"] and snapshot["completed"] is None
    if given_up or len(there) < run["processes"] or not any(row["step"] is not None for row in cuts.values()):
        return found
    channels = {row["channel"]: row for row in mine("channel")}
    messages = {row["message"]: row for row in mine("message")}

    def sent_inside(row: Row) -> bool:
        return row.get("sent") is not None and row["sent"] <= cuts[channels[row["channel"]]["source"]]["cut"]

    def received_inside(row: Row) -> bool:
        return row.get("received") is not None and row["received"] <= cuts[channels[row["channel"]]["target"]]["cut"]

    found["consistent"] = not any(received_inside(row) and not sent_inside(row) for row in messages.values())
    if snapshot["completed"] is None:
        return found

    recorded: dict[int, list[int]] = defaultdict(list)
    for row in sorted(mine("recorded"), key=lambda row: row["place"]):
        recorded[row["channel"]].append(row["message"])
    there_at_all = {identity for queue in recorded.values() for identity in queue}

    def made_later(row: Row) -> bool:
        at = cuts[channels[row["channel"]]["source"]]["step"]
        return row.get("copied") is not None and at is not None and row["copied"] > at

    wanted: dict[int, list[int]] = defaultdict(list)
    ordered = sorted(messages.values(), key=lambda row: (row.get("copied") is not None, row.get("sent") or 0))
    for row in ordered:
        crosses = sent_inside(row) and not received_inside(row) and not row["lost"]
        if crosses and (row["message"] in recorded[row["channel"]] or not made_later(row)):
            wanted[row["channel"]].append(row["message"])
    exact = True
    for number_of, channel in channels.items():
        if cuts[channel["target"]]["absent"] is not None:
            continue
        got = [i for i in recorded[number_of] if not (messages[i]["lost"] and sent_inside(messages[i]))]
        need = wanted[number_of]
        exact &= got == need if channel["ordered"] else sorted(got) == sorted(need)
    found["channels"] = exact if found["consistent"] else None

    if run["conserves"]:
        total: Counter[str] = Counter()
        for row in mine("stock"):
            cut = cuts[row["process"]]
            if cut["absent"] is not False:
                total[row["quantity"]] += row["amount"]
                if cut["absent"] and not cut["unusable"]:
                    total[row["quantity"]] -= row["last"]
        worth: dict[int, Counter[str]] = defaultdict(Counter)
        for row in mine("worth"):
            worth[row["message"]][row["quantity"]] += row["amount"]
        for row in messages.values():
            aside = made_later(row) and row["message"] not in there_at_all and not received_inside(row)
            if row.get("copied") is not None and sent_inside(row) and not aside:
                total.update(worth[row["message"]])
            if row["lost"] and sent_inside(row) and row["message"] not in there_at_all and not aside:
                total.subtract(worth[row["message"]])
        for row in mine("holding"):
            total[row["quantity"]] -= row["amount"]
        for queue in recorded.values():
            for identity in queue:
                total.subtract(worth[identity])
        members = [row for row in cuts.values() if row["absent"] is not False]
        found["conserved"] = not any(total.values()) if members else None

    if snapshot["marked"]:
        aside_of = {p for p, row in cuts.items() if row["absent"] is not None or row["unusable"]}
        markers = {row["channel"]: row["count"] for row in mine("marker")}
        each = [c for c, row in channels.items() if row["source"] not in aside_of and row["target"] not in aside_of]
        once = all(row["records"] == 1 for process, row in cuts.items() if process not in aside_of)
        found["cost"] = once and all(markers.get(c, 0) == 1 for c in each)
    return found
