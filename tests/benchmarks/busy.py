"""Links to scenarios for benchmarks."""

from typing import Any

from app.wire.scenario_link import canonical, packed


def busy(processes: int, steps: int) -> str:
    """Return the path of a run of exactly ``steps`` steps: banks on a random graph, and three snapshots."""
    names = [f"P{i + 1}" for i in range(processes)]
    values: dict[str, Any] = {
        "title": {"en": f"{processes} banks", "zh": f"{processes} 家银行"},
        "topology": {"random": {"processes": processes, "degree": 2, "seed": 7}},
        "program": {"kind": "bank", "everyone": 100},
        "schedule": {"kind": "seeded", "seed": 1, "moves": steps},
        "initiators": [{"process": names[i], "at": at} for i, at in ((0, 10), (1, steps // 3), (2, steps // 2))],
        "steps": steps,
    }
    return f"/run/{packed(canonical(values))}"
