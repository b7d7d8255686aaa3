"""``bluecut lesson``: try lesson files, or print their schema."""

from pathlib import Path

import click

from app.cli.run_options import in_language
from app.cli.terminal import BAD_INPUT, say, warn, working, write_json
from app.core.model.values import BluecutError
from app.course.lesson import Lesson, load
from app.course.lesson_list import OWN
from app.course.lesson_store import tried
from app.course.question import Answer, Question, grade, parts
from app.course.yaml_forms import LessonForm
from app.scenario.format import Words
from app.words.catalogues import JOIN, word
from app.words.error_words import error_text


@click.command()
@click.argument("files", metavar="[FILE]...", nargs=-1, type=click.Path(path_type=Path))
@click.option("--schema", "wants_schema", is_flag=True, help="Print the JSON Schema of lesson files instead.")
@in_language
def lesson(files: tuple[Path, ...], wants_schema: bool, lang: str) -> int:
    """Try each lesson FILE (by default all built-in lessons).

    Every answer is computed from its run. For each question, the right answer is printed, and the reasons given for
    the wrong answers that the file names. A mistake is reported with its file, line and field, and the other files are
    still tried. The exit status is 2 if one is wrong.
    """
    if wants_schema:
        made = {"$schema": "https://json-schema.org/draft/2020-12/schema", **LessonForm.model_json_schema()}
        write_json(made)
        return 0
    lines: list[str] = []
    mistakes: list[str] = []
    with working(word("cli.lesson.working", lang)):
        for file in files or tuple(sorted(OWN.glob("*.yaml"))):
            try:
                lines += _tried(_loaded(file), lang)
            except BluecutError as error:
                mistakes.append(error_text(error.phrase, lang))
    say(lines)
    for mistake in mistakes:
        warn(mistake)
    return BAD_INPUT if mistakes else 0


def _loaded(file: Path) -> Lesson:
    """Return the lesson in a file. Raises BluecutError if it cannot be read, or is not a lesson."""
    try:
        text = file.read_text(encoding="utf-8", errors="surrogateescape")
    except OSError as error:
        raise BluecutError("{file}: {reason}", file=str(file), reason=error.strerror or str(error)) from None
    return load(text, str(file))


def _tried(found: Lesson, lang: str) -> list[str]:
    """Return what a lesson asks, and what is right. Raises SourceError if a run gives no answer."""
    title = word(
        "cli.lesson.title", lang, place=found.form.place, title=_text_in(found.form.title, lang), name=found.name
    )
    tried(found)
    return [title, *(line for question in found.questions for line in _question_lines(question, lang))]


def _question_lines(question: Question, lang: str) -> list[str]:
    """Return a question with its answer, and the reasons for the wrong answers that its file names."""
    fields = {"id": question.id, "kind": question.kind, "asks": _text_in(question.asks, lang)}
    lines = [
        "  " + word("cli.lesson.question", lang, **fields),
        "    "
        + word("cli.lesson.answer", lang, answer=_answer_text(question, question.answer, lang), step=question.shows),
    ]
    for wrong in dict.fromkeys((*question.tempting, *question.says)):
        belief, answer = question.tempting.get(wrong), _answer_text(question, wrong, lang)
        key = "cli.lesson.tempting" if belief else "cli.lesson.wrong"
        lines.append("    " + word(key, lang, answer=answer, misconception=belief))
        if reason := grade(question, wrong).reason:
            lines.append("      " + _text_in(reason, lang))
    return lines


def _answer_text(question: Question, answer: Answer, lang: str) -> str:
    return JOIN[lang].join(_text_in(question.text(part), lang) for part in parts(answer)) or "∅"


def _text_in(words: Words, lang: str) -> str:
    return str(getattr(words, lang))
