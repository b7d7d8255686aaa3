"""Random graphs in which every channel has one in the other direction, with a program and a schedule."""

from typing import Any

from hypothesis import strategies as st

from tests.properties.systems import programs, schedules


@st.composite
def both_ways(draw: st.DrawFn, starts: st.SearchStrategy[list[dict[str, Any]]]) -> dict[str, Any]:
    """Draw a connected graph of 1 to 5 processes. Impossible starts are skipped, because the seed is not the
    scenario's own (see ``key``)."""
    size = draw(st.integers(1, 5))
    names = [f"P{i + 1}" for i in range(size)]
    pairs = [(names[draw(st.integers(0, i - 1))], names[i]) for i in range(1, size)]
    more = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :] if (a, b) not in pairs]
    pairs += draw(st.lists(st.sampled_from(more), unique=True)) if more else []
    links = draw(st.permutations([f"{a}->{b}" for p in pairs for a, b in (p, p[::-1])]))
    topology = {"processes": names, "channels": list(links)}
    given = draw(starts)
    return {
        "topology": topology,
        "program": draw(programs(topology)),
        "collect": draw(st.booleans()),
        "schedule": draw(schedules()),
        "initiators": [start | {"process": names[start["process"] % size]} for start in given],
    }
