"""A judgement as lines for people, and as files for those who collect marks."""

import base64
import zlib
from collections.abc import Iterator
from pathlib import PurePath
from xml.etree import ElementTree

from rich.cells import cell_len

from app.compact_json import compact
from app.core.model.values import Json
from app.judge.judge import FAILED, INCOMPLETE, PASSED, UNDECIDED, UNKNOWN, Failure, Judgement, Trial
from app.judge.known_bugs import BugForm, recognised
from app.judge.mistake import Mistake
from app.judge.replay import Replay
from app.run.run import Run, record
from app.wire.frames import sentences_of_step
from app.wire.run_url import Address, stamp
from app.words.catalogues import plain, tell, word
from app.words.error_words import error_text
from app.words.witness_words import witness_sentence

UNRANKED = 9_999
"""What stands on the scoreboard for the markers of a class that does not pass."""
SERVED = "http://127.0.0.1:8000"
"""Where ``bluecut serve`` answers, unless it is told otherwise."""
QUOTE = "\0"
SIGNS = {PASSED: "✓", FAILED: "✗", UNDECIDED: "?"}


def lines(judged: Judgement, language: str, server: str = SERVED) -> Iterator[str]:
    """Yield a line for each system, the sum, and the shortest run that fails, with the lines of the file; ``server`` is
    the address of the one that plays it."""
    if judged.mistake is not None:
        yield f"{SIGNS[FAILED]} {_mistake_text(judged.file, judged.mistake, language)}"
        return
    yield from (f"{SIGNS[trial.verdict]} {trial_text(trial, language)}" for trial in judged.trials)
    yield ""
    yield _sum_text(judged, language)
    if (failed := judged.failed) is not None and not failed.system.hidden:
        yield ""
        yield from _failure_lines(judged, failed, language, server)


def _sum_text(judged: Judgement, language: str) -> str:
    """Return how much was passed, and how many markers that took."""
    passed, whole = judged.score
    said = word("judge.sum", language, passed=passed, whole=whole)
    if judged.markers is None:
        return said
    return said + word("judge.sum.markers", language, markers=judged.markers, fewest=judged.fewest)


def trial_text(trial: Trial, language: str) -> str:
    """Return one line about a system."""
    name, states = trial.system.name, f"{trial.states:,}"
    if trial.system.hidden:
        return word(f"judge.hidden.{trial.verdict}", language, number=trial.system.hidden)
    if trial.failure is not None:
        return word("judge.failed", language, system=name, what=_what(trial.failure, language))
    if trial.markers:
        told = {"markers": trial.markers, "fewest": trial.system.fewest}
        return word("judge.passed.markers", language, system=name, states=states, **told)
    return word(f"judge.{trial.verdict}", language, system=name, states=states)


def _mistake_text(file: str, mistake: Mistake, language: str) -> str:
    """Return what is wrong with a file, with its line where that is known."""
    reason = told_by(mistake, language)
    if mistake.line is None:
        return word("judge.in", language, file=file, reason=reason)
    return word("judge.at", language, file=file, line=mistake.line, reason=reason)


def told_by(mistake: Mistake, language: str) -> str:
    """Return what is wrong, without the file and the line."""
    if mistake.phrase is not None:
        return _printable(error_text(mistake.phrase, language))
    return _printable(_quoting(f"judge.mistake.{mistake.kind}", language, "about", mistake.about))


def _quoting(key: str, language: str, field: str, code: str, **fields: Json) -> str:
    """Return a text with a piece of somebody's file in it, letter by letter: other texts write -> as an arrow."""
    return word(key, language, **{field: QUOTE}, **fields).replace(QUOTE, code)


def _printable(text: str) -> str:
    """Return a text of which students have written a part: it can neither rule a terminal nor end a report."""
    return "".join(one if one.isprintable() else " " for one in text)


def _failure_lines(judged: Judgement, trial: Trial, language: str, server: str) -> Iterator[str]:
    """Yield the shortest run that fails, why it fails, which mistake it looks like, and where it is played."""
    failure = trial.failure
    assert failure is not None
    yield word("judge.shortest", language, system=trial.system.name)
    if failure.replay is not None:
        yield from _run_lines(judged, trial, failure.replay, language)
    yield f"  {SIGNS[FAILED]} {reason(judged.file, failure, language)}"
    if like := likeness(recognised(judged), language):
        yield from ("", *like)
    if (path := address(trial)) is not None:
        yield ""
        yield word("judge.see" if server == SERVED else "judge.see.server", language, path=f"{server}{path}")


def reason(file: str, failure: Failure, language: str) -> str:
    """Return why a run fails, in one sentence."""
    if failure.mistake is not None:
        return _mistake_text(file, failure.mistake, language)
    if failure.witness is not None:
        return witness_sentence(failure.witness, language)
    lacks = failure.replay.lacks if failure.replay and failure.what == INCOMPLETE else {}
    return _what(failure, language) + "".join(
        word(f"judge.lacks.{verb}", language, names=list(names)) for verb, names in lacks.items()
    )


def reason_of(judged: Judgement, language: str) -> str:
    """Return why a class failed first, in one sentence; nothing if it did not fail."""
    if judged.mistake is not None:
        return _mistake_text(judged.file, judged.mistake, language)
    failed = judged.failed
    if failed is None or failed.failure is None:
        return ""
    return trial_text(failed, language) if failed.system.hidden else reason(judged.file, failed.failure, language)


def likeness(bug: BugForm | None, language: str) -> list[str]:
    """Return what a known wrong class does, and the misconception behind it; nothing for None."""
    if bug is None:
        return []
    said = [word("judge.like", language, does=getattr(bug.does, language))]
    if (belief := bug.misconception) is not None:
        told = {"belief": getattr(belief.belief, language), "remedy": getattr(belief.remedy, language)}
        said.append(word("judge.belief", language, **told))
    return said


def address(trial: Trial) -> str | None:
    """Return the path and query that play the failing run by hand, at its last step."""
    if (shown := _shown(trial)) is None:
        return None
    where, made = shown
    return where.url(step=len(made.lines) or None, v=stamp(where.scenario))


def _shown(trial: Trial) -> tuple[Address, Replay] | None:
    """Return the failing run by hand, and its address; None where there is none, or it is hidden."""
    made, system = trial.failure.replay if trial.failure else None, trial.system
    if made is None or system.hidden or (ref := system.ref) is None:
        return None
    return Address(ref, system.scenario, made.key), made


def played(trial: Trial, language: str) -> Json:
    """Return how the failing run is played beside the class: why it fails, where it is shown, and for each step its
    sentence and the lines of the file; None where there is no such run, or it is hidden."""
    if (shown := _shown(trial)) is None or not shown[1].lines:
        return None
    where, made = shown
    run, version = record(where.scenario, made.key), stamp(where.scenario)
    return {
        "embed": where.url("embed", step=1, lang=language, v=version),
        "open": where.url(lang=language, v=version),
        "steps": [
            {"says": plain(tell(sentences_of_step(run, step), language)), "lines": lines}
            for step, lines in zip(run.steps, made.lines, strict=False)
        ],
    }


def beside(judged: Judgement, level: int, language: str) -> str | None:
    """Return the path of the page that plays the failing run beside the class, and lights its lines: both are behind
    the ``#``, where no server sees them. None where no run is shown."""
    if (failed := judged.failed) is None or failed.failure is None or (run := played(failed, language)) is None:
        return None
    mistake = failed.failure.mistake
    line = mistake.line if mistake else None
    shown = {"why": reason(PurePath(judged.file).name, failed.failure, language), "line": line, "run": run}
    return f"/write?level={level}&lang={language}#code={_packed(judged.source)}&run={_packed(compact(shown))}"


def _packed(text: str) -> str:
    """Return a text as ``static/js/write/link.js`` reads it."""
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
    raw = deflate.compress(text.encode(errors="backslashreplace")) + deflate.flush()
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def _what(failure: Failure, language: str) -> str:
    """Return what is wrong, in a few words."""
    if failure.what in (INCOMPLETE, UNKNOWN, "mistake"):
        return word(f"judge.what.{failure.what}", language)
    return word("judge.what.check", language, name=word(f"check.{failure.what}.claim", language))


def _run_lines(judged: Judgement, trial: Trial, made: Replay, language: str) -> Iterator[str]:
    """Yield the steps of a run, each with the line of the file that made it happen."""
    run: Run = record(trial.system.scenario, made.key)
    code = judged.source.split("\n")  # as Python counts lines
    for step, executed in zip(run.steps, made.lines, strict=False):
        said = plain(tell(sentences_of_step(run, step), language))
        if step.action.key == "wake" and executed and executed[0] <= len(code):
            text = _printable(code[executed[0] - 1].strip())
            place = _quoting("judge.line", language, "code", text, line=executed[0])
            said += " " * (60 - cell_len(said)) + f"  {place}"
        yield f"  {step.number:>3}  {said}"


# --- for programs ------------------------------------------------------------------------------------------------


def as_json(judged: Judgement, language: str) -> Json:
    """Return the whole judgement."""
    (passed, whole), wrong = judged.score, judged.mistake
    return {
        "file": judged.file,
        "verdict": judged.verdict,
        "score": passed,
        "most": whole,
        "points": judged.points,
        "markers": judged.markers,
        "mistake": wrong and {"kind": wrong.kind, "line": wrong.line, "reason": told_by(wrong, language)},
        "systems": [_trial_json(judged, trial, language) for trial in judged.trials],
    }


def _trial_json(judged: Judgement, trial: Trial, language: str) -> Json:
    failure = trial.failure
    told: dict[str, Json] = {"system": trial.system.name, "verdict": trial.verdict}
    if trial.system.hidden:
        return told
    told["states"] = trial.states
    if trial.markers:
        told["markers"] = trial.markers
    if failure is not None:
        told |= {"fails": failure.what, "reason": reason(judged.file, failure, language), "run": address(trial)}
        told |= {"steps": len(failure.replay.lines) if failure.replay else None}
        told |= {"line": failure.mistake.line if failure.mistake else None}
    return told


def gradescope(judged: Judgement, language: str, server: str = SERVED) -> Json:
    """Return Gradescope's ``results.json``: a test for each system, and where markers are counted their number as a
    line of the leaderboard."""
    tests = [
        {
            "name": trial.system.name,
            "number": str(place),
            "score": trial.system.weight * (trial.verdict == PASSED),
            "max_score": trial.system.weight,
            "status": "passed" if trial.verdict == PASSED else "failed",
            "output": _output(judged, trial, language, server),
            "visibility": "after_published" if trial.system.hidden else "visible",
            "tags": [trial.verdict],
        }
        for place, trial in enumerate(judged.trials, 1)
    ]
    output = "\n".join(lines(judged, language, server))
    told: dict[str, Json] = {"score": judged.points, "output": output, "stdout_visibility": "hidden", "tests": tests}
    if judged.markers is not None:
        told["leaderboard"] = [{"name": word("judge.markers", language), "value": judged.markers, "order": "asc"}]
    return told


def autolab(judged: Judgement) -> Json:
    """Return Autolab's last line: the points of each system, and as the entry of the scoreboard the sum, and where they
    are counted the markers."""
    scores = {t.system.name: t.system.weight * (t.verdict == PASSED) for t in judged.trials}
    markers = [UNRANKED if judged.markers is None else judged.markers] if judged.fewest else []
    return {"scores": scores or {"judge": 0}, "scoreboard": [judged.points, *markers]}


def junit(judged: Judgement, language: str, server: str = SERVED) -> str:
    """Return a JUnit report: a test case for each system. What is undecided is skipped."""
    counted = [sum(t.verdict == one for t in judged.trials) for one in (FAILED, UNDECIDED)]
    suite = ElementTree.Element(
        "testsuite",
        name=judged.file,
        tests=str(len(judged.trials)),
        failures=str(counted[0]),
        skipped=str(counted[1]),
        errors=str(int(judged.mistake is not None)),
    )
    if judged.mistake is not None:
        case = ElementTree.SubElement(suite, "testcase", name="class", classname=judged.file)
        message = _mistake_text(judged.file, judged.mistake, language)
        ElementTree.SubElement(case, "error", message=message)
    for trial in judged.trials:
        case = ElementTree.SubElement(suite, "testcase", name=trial.system.name, classname=judged.file)
        if trial.verdict == PASSED:
            continue
        told = ElementTree.SubElement(
            case, "failure" if trial.verdict == FAILED else "skipped", message=trial_text(trial, language)
        )
        told.text = _output(judged, trial, language, server)
    return ElementTree.tostring(suite, encoding="unicode", xml_declaration=True)


def _output(judged: Judgement, trial: Trial, language: str, server: str) -> str:
    """Return what is told of a system: its line, or the run that fails."""
    if trial.failure is None or trial.system.hidden:
        return trial_text(trial, language)
    return "\n".join(_failure_lines(judged, trial, language, server))
