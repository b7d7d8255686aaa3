"""What can happen after a step of a run, with the numbers that ``--choices`` takes."""

from collections.abc import Iterator

from app.core.kernel.enabled import enabled
from app.core.model.values import BluecutError
from app.run.run import Run
from app.web.shared.step_view import worded
from app.words.catalogues import word


def possible(run: Run, step: int, language: str) -> Iterator[str]:
    """Yield one line for each action possible after ``step`` steps. Raises BluecutError if the run is shorter."""
    if step > len(run.steps):
        raise BluecutError("step {step} does not exist; the run has {steps} steps", step=step, steps=len(run.steps))
    actions = enabled(run.system, run.world(step))
    numbers = [f"{step}:{index}" for index in range(len(actions))]
    width = max(map(len, numbers), default=0)
    for number, action in zip(numbers, actions, strict=True):
        key, fields = worded(run, step, action)
        yield f"{number:<{width}}  {word(key, language, **fields)}"
    if not actions:
        yield word("step.next.nothing", language)
