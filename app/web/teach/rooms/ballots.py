"""What was voted, round by round: by answer, and by the misconception that an answer shows."""

from collections import Counter
from collections.abc import Iterable, Sequence

from app.core.model.value import Frozen
from app.core.model.values import BluecutError
from app.course.misconception import beliefs
from app.course.question import Answer, Question, answered, grade, parts
from app.web.teach.rooms.floor import Offer
from app.web.teach.rooms.live_room import Votes
from app.words.catalogues import word

BARS = 12
"""The most answers that are shown one by one."""
DOUBTFUL = (0.3, 0.7)
"""Between these parts of right answers in the first round, talking with a neighbour is worth the most (C. Crouch,
E. Mazur, "Peer Instruction", American Journal of Physics 69, 2001)."""


class Bar(Frozen):
    """An answer or a misconception, and how many gave it in each round. ``right``: is it the right answer? In
    ``letter`` are the letters of what was chosen, where that has some."""

    text: str
    counts: tuple[int, ...]
    right: bool = False
    letter: str = ""


class Tally(Frozen):
    """The votes of a question. ``voters`` are how many voted in each round, ``beliefs`` what wrong answers show;
    ``talk``: were so many right in the first round that talking helps?"""

    voters: tuple[int, ...]
    answers: tuple[Bar, ...]
    beliefs: tuple[Bar, ...] = ()
    talk: bool = False

    @property
    def most(self) -> int:
        """The longest bar."""
        return max((count for bar in self.answers for count in bar.counts), default=0)


def of_question(question: Question, rounds: Sequence[Votes], spoken: str) -> Tally:
    """Return the votes of a question; ``rounds`` has what each seat answered."""
    given = [Counter(_answer(question, one) for one in votes.values()) for votes in rounds]
    graded = {answer: grade(question, answer) for counter in given for answer in counter}
    listed: list[Answer] = [] if question.many else [one.value for one in question.options]
    others = sorted({*graded} - {*listed}, key=lambda one: (-max(c[one] for c in given), str(one)))
    right = next((one for one in (*listed, *others) if _is_right(question, one)), question.answer)
    rows = [*listed, *others]
    rows = [*([right] if right not in rows else []), *rows]
    bars = [
        Bar(
            question.saying(one, spoken),
            tuple(c[one] for c in given),
            _is_right(question, one),
            ", ".join(question.letters(parts(one))),
        )
        for one in rows
    ]
    if len(bars) > BARS:
        rest = tuple(map(sum, zip(*(bar.counts for bar in bars[BARS:]), strict=True)))
        bars = [*bars[:BARS], Bar(word("room.others", spoken), rest)]
    correct = sum(count for answer, count in given[0].items() if graded[answer].right) if given else 0
    total = sum(given[0].values()) if given else 0
    return Tally(
        tuple(len(votes) for votes in rounds),
        tuple(bars),
        tuple(_beliefs(question, given, spoken)),
        bool(total) and DOUBTFUL[0] <= correct / total <= DOUBTFUL[1],
    )


def choices(votes: Votes) -> Counter[str]:
    """Return how many votes each action of an open floor has."""
    return Counter(answer[0] for answer in votes.values() if answer)


def of_floor(offered: Iterable[Offer], rounds: Sequence[Votes], won: str) -> Tally:
    """Return the votes of an open floor."""
    given = [choices(votes) for votes in rounds]
    bars = [Bar(one.text, tuple(c[one.action] for c in given), one.action == won, one.letter) for one in offered]
    bars.sort(key=lambda bar: (-bar.counts[-1] if bar.counts else 0, -sum(bar.counts)))
    return Tally(tuple(len(votes) for votes in rounds), tuple(bars[:BARS]))


def _beliefs(question: Question, given: Sequence[Counter[Answer]], spoken: str) -> Iterable[Bar]:
    """Return what wrong answers show, the most frequent first."""
    shown: dict[str, list[int]] = {}
    for place, counter in enumerate(given):
        for answer, count in counter.items():
            name = grade(question, answer).misconception
            if name is not None and name in beliefs():
                shown.setdefault(name, [0] * len(given))[place] += count
    for name, counts in sorted(shown.items(), key=lambda pair: (-max(pair[1]), pair[0])):
        yield Bar(getattr(beliefs()[name].belief, spoken), tuple(counts))


def _is_right(question: Question, answer: Answer) -> bool:
    return grade(question, answer).right


def _answer(question: Question, given: tuple[str, ...]) -> Answer:
    """Return a stored answer as the question has it; the parts of a set in one order, so that equal ones are equal."""
    try:
        found = answered(question, list(given))
    except BluecutError:  # the question has changed with an own lesson
        return given
    if isinstance(found, tuple) and not question.ordered and question.kind != "order":
        return tuple(sorted(found))
    return found
