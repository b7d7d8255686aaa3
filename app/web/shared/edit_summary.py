"""How a visitor's run differs from the author's."""

from msgspec.structs import replace

from app.core.model.value import Frozen
from app.scenario.run_key import RunKey
from app.wire.run_url import Address


class Difference(Frozen):
    """``step`` is the first one that a person chose, None if there is none; ``others`` [(catalogue key, fields), …] are
    the other differences; ``own`` is the address of the author's run."""

    step: int | None
    others: tuple[tuple[str, dict[str, object]], ...]
    own: str


def difference(here: Address) -> Difference | None:
    """Return what distinguishes this run; None for the author's own."""
    scenario, key = here.scenario, here.key
    if scenario.own(key):
        return None
    form = scenario.form
    others: list[tuple[str, dict[str, object]]] = []
    for part, now, own in (
        ("algorithm", scenario.algorithm(key), form.algorithm),
        ("discipline", scenario.discipline(key), form.discipline),
        ("seed", scenario.seed(key), form.schedule.seed),
    ):
        if now != own:
            others.append((f"player.branch.{part}", {"now": now, "own": own}))
    if key.drain:
        others.append(("player.branch.drain", {}))
    if key.manual:
        others.append(("player.branch.manual", {}))
    step = key.choices[0][0] if key.choices else None
    back = replace(here, key=RunKey())
    return Difference(step, tuple(others), back.url(step=(here.step if step is None else step) or None, **here.seen))
