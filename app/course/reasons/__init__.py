"""Why a wrong answer is wrong, said of the run and not of the rule: the arrow that was overlooked, the marker that is
not there yet, what was counted twice.

``app.course.reasons.reason`` finds the reason by the kind of a question; lessons use it for every answer that their
file does not foresee, and questions about any run use its parts. Nothing here names what is missing in an answer with
several parts, only where it is: a visitor may try again.
"""
