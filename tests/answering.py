"""Answers that tests give to questions of lessons."""

from app.course.question import Answer, Question, grade


def wrong(question: Question) -> Answer:
    """Some answer that is neither right nor tempting."""
    names = [one.value for one in question.options]
    tried: list[Answer]
    if question.kind == "number":
        tried = [str(number) for number in (97, 98, 99)]
    elif question.kind == "order":
        tried = [*(tuple(names[i:] + names[:i]) for i in range(len(names))), tuple(reversed(names))]
    elif question.many:
        tried = [(), *((name,) for name in names), tuple(names), tuple(names[1:])]
    else:
        tried = [*names]
    bad = [one for one in tried if not grade(question, one).right]
    return next((one for one in bad if grade(question, one).misconception is None), bad[0])
