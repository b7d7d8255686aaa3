"""A warning, not an error: the work is done."""

from app.core.model.values import Phrase


class Unstopped(UserWarning):
    """The work is done, and Spark does not stop as it should; ``phrase`` says why."""

    def __init__(self, phrase: Phrase) -> None:
        super().__init__(str(phrase))
        self.phrase = phrase
