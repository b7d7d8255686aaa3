"""Random systems: any graph, any program, any schedule, several snapshots that overlap."""

from typing import Any

from hypothesis import strategies as st

from app.core.model.topology import named


@st.composite
def topologies(draw: st.DrawFn) -> dict[str, Any]:
    """Draw a named shape, or any set of channels at all, connected or not."""
    shape = draw(st.sampled_from(("listed", "listed", "chain", "ring", "star", "complete", "random")))
    size = draw(st.integers(1, 5))
    if shape == "random":
        return {
            "random": {"processes": max(2, size), "degree": draw(st.integers(1, 3)), "seed": draw(st.integers(0, 99))}
        }
    if shape != "listed":
        return {shape: size}
    names = [f"P{i + 1}" for i in range(size)]
    every = [f"{a}->{b}" for a, b in named("complete", names)]
    return {"processes": names, "channels": draw(st.lists(st.sampled_from(every), unique=True)) if every else []}


def size_of(topology: dict[str, Any]) -> int:
    """Return how many processes there are."""
    if "processes" in topology:
        return len(topology["processes"])
    (given,) = topology.values()
    return int(given["processes"]) if isinstance(given, dict) else int(given)


def links_of(topology: dict[str, Any]) -> list[str]:
    """Return the channels of a topology that is not random."""
    if "channels" in topology:
        return list(topology["channels"])
    ((shape, size),) = topology.items()
    return [f"{a}->{b}" for a, b in named(shape, [f"P{i + 1}" for i in range(size)])]


@st.composite
def programs(draw: st.DrawFn, topology: dict[str, Any]) -> dict[str, Any]:
    """Draw a token, a bank, variables, or machines that may refuse what arrives."""
    names = [f"P{i + 1}" for i in range(size_of(topology))]
    kind = draw(st.sampled_from(("token", "bank", "variables", "machine")))
    if kind == "token":
        return {"kind": kind, "holders": draw(st.dictionaries(st.sampled_from(names), st.integers(0, 3)))}
    if kind == "bank":
        if draw(st.booleans()):
            return {
                "kind": kind,
                "everyone": draw(st.integers(0, 9)),
                "amounts": draw(st.sampled_from(([1], [1, 3], [2, 2]))),
            }
        return {"kind": kind, "everyone": {"gold": 3, "silver": 4}, "amounts": [{"gold": 1}, {"silver": 2, "gold": 1}]}
    if kind == "variables" or "random" in topology:
        return {
            "kind": "variables",
            "values": {names[0]: {"X": 0}, names[-1]: {"Y": draw(st.integers(0, 9)), "Z": "z"}},
        }
    states = st.sampled_from(("A", "B", "C", "m C"))
    edges: dict[str, list[dict[str, Any]]] = {}
    for channel in links_of(topology):
        source, target = channel.split("->")
        for word in ("m", "m m"):
            for _ in range(2):
                edge = {"from": draw(states), "to": draw(states), "send": word, "on": channel}
                edges.setdefault(source, []).append(edge)
            # An edge from each state receives everything; without some of them, channels have to wait.
            for state in draw(st.sampled_from((("A", "B", "C", "m C"), ("A", "B", "C", "m C"), ("A", "B")))):
                edges.setdefault(target, []).append({"from": state, "to": draw(states), "receive": word, "on": channel})
    return {"kind": "machine", "first": dict.fromkeys(names, "A"), "edges": edges}


def gaps() -> st.SearchStrategy[dict[str, Any]]:
    """Return a distribution of ticks."""
    return st.one_of(
        st.builds(lambda t: {"constant": t}, st.integers(0, 4)),
        st.builds(lambda a, b: {"uniform": [a, a + b]}, st.integers(0, 4), st.integers(0, 6)),
    )


def delays() -> st.SearchStrategy[dict[str, Any]]:
    """Return the same, or ticks as they were recorded."""
    return gaps() | st.builds(lambda d: {"digits": d}, st.text("0123456789", min_size=1, max_size=8))


@st.composite
def schedules(draw: st.DrawFn) -> dict[str, Any]:
    """Seeded or timed."""
    moves, seed = draw(st.integers(0, 25)), draw(st.integers(0, 10_000))
    if draw(st.booleans()):
        return {"kind": "seeded", "seed": seed, "moves": moves}
    timed = {
        "kind": "timed",
        "seed": seed,
        "moves": moves,
        "one_per_sender": draw(st.booleans()),
        "delay": draw(delays()),
    }
    return timed | ({"gap": draw(gaps())} if draw(st.booleans()) else {})


@st.composite
def systems(draw: st.DrawFn, algorithm: str = "chandy-lamport", discipline: str = "fifo") -> dict[str, Any]:
    """Draw the values of a whole scenario."""
    topology = draw(topologies())
    names = [f"P{i + 1}" for i in range(size_of(topology))]
    starts = st.builds(lambda p, at: {"process": p, "at": at}, st.sampled_from(names), st.integers(0, 20))
    return {
        "topology": topology,
        "program": draw(programs(topology)),
        "algorithm": algorithm,
        "discipline": discipline,
        "collect": draw(st.booleans()),
        "schedule": draw(schedules()),
        "initiators": draw(st.lists(starts, min_size=1, max_size=4)),
    }
