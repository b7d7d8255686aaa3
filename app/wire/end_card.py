"""The end card: the last word about a run. What was recorded, the sum if something is conserved, and the verdict.

``right`` and ``wrong`` are the oracle's verdicts; ``waiting``: a snapshot is not complete; ``given-up``: the algorithm
abandoned it, or a part is lost, or items count more than once, or not at all, and no more was promised; ``plain``:
there is nothing to judge.
"""

from collections.abc import Iterator
from typing import Literal

from msgspec.structs import replace

from app.analysis.ledger import Ledger, ledger
from app.analysis.outcome import Outcome, Sum, outcomes, sums
from app.analysis.promise import EXACTLY, GUARANTEES, OTHER, holds
from app.core.model.algorithm import Kind
from app.core.model.recorded_state import channels, parts
from app.core.model.value import Frozen
from app.core.model.values import Json
from app.run.barrier_deadlock import deadlock
from app.run.run import Run
from app.words.fault_sentences import fault_sentences, price_sentences
from app.words.sentence_fields import Sentence

Tone = Literal["right", "wrong", "waiting", "given-up", "plain"]

TERMS = 6
"""The most states and messages that are added one by one."""
LISTED = 4
"""The most processes whose states are named."""
WORST: tuple[str, ...] = ("wrong", "right", "unusable", "stuck", "never", "abandoned", "open")
"""Which of several snapshots the card is about: the first of these."""
TONES: dict[str, Tone] = {"right": "right", "wrong": "wrong", "unusable": "given-up", "abandoned": "given-up"}


class EndCard(Frozen):
    """The card. ``said`` is the verdict, its headline first; ``sums`` are (text, does it come out?); ``step`` is where
    a fault shows, ``ends`` how each snapshot ends that is neither right nor wrong."""

    tone: Tone
    said: tuple[Sentence, ...]
    recorded: Sentence | None = None
    sums: tuple[tuple[str, bool], ...] = ()
    step: int | None = None
    snapshot: int | None = None
    ends: tuple[tuple[int, str], ...] = ()

    def as_json(self) -> Json:
        """Return the card as the browser receives it."""
        told = self.recorded
        return {
            "tone": self.tone,
            "said": [[s.key, *s.values] for s in self.said],
            "recorded": told and [told.key, *told.values],
            "sums": [list(each) for each in self.sums],
            "step": self.step,
            "snapshot": self.snapshot,
            "ends": dict(self.ends),
        }


def end_card(run: Run) -> EndCard:
    """Return the last word about a run."""
    book = ledger(run, len(run.steps))
    card = _line(run) if run.system.algorithm.KIND is Kind.PRIVATE else _snapshots(run)
    if book is not None:
        card = _with_result(card, book)
    if not run.undisturbed:
        disturbed = Sentence("last.disturbed", ())
        said = (*card.said, disturbed) if card.tone == "wrong" else (disturbed, *card.said)
        card = replace(card, tone="wrong", said=said)
    return card


# --- snapshots -------------------------------------------------------------------------------------------------------


def _snapshots(run: Run) -> EndCard:
    """Return the verdict on the snapshots: on the first that is wrong; else on the last, or on all."""
    found = outcomes(run)
    if not found:
        return EndCard("plain", (Sentence("last.none", ()),) if run.system.algorithm.KIND is not Kind.ITEMS else ())
    least = min(WORST.index(each.end) for each in found)
    alike = [each for each in found if each.end == WORST[least]]
    shown = alike[0] if alike[0].end == "wrong" else alike[-1]
    said = tuple(_verdict(run, shown, alike, found))
    if run.system.algorithm.COORDINATED:
        said = tuple(each.of_dataflow() for each in said)
    counted = sums(run, shown.snapshot) if shown.end in ("right", "wrong") else ()
    return EndCard(
        TONES.get(shown.end, "waiting"),
        said,
        _recorded(run, shown) if shown.end in ("right", "wrong") else None,
        tuple(_added(each, len(counted) > 1) for each in _few(counted)),
        next((step for each in shown.faults.values() if (step := _step_of(each))), None),
        shown.snapshot,
        tuple((each.snapshot, each.end) for each in found if each.end not in ("right", "wrong")),
    )


def _verdict(run: Run, shown: Outcome, alike: list[Outcome], found: tuple[Outcome, ...]) -> Iterator[Sentence]:
    number = shown.snapshot
    match shown.end:
        case "right":
            yield Sentence("last.right.one", ()) if _only(run, found) else _right(number, len(alike), len(found))
            yield Sentence("last.sum" if sums(run, number) else "last.reached", ())
        case "wrong":
            faults, price = fault_sentences(shown.faults), price_sentences(shown.faults)
            only = Sentence("last.wrong.one", ()) if _only(run, found) else Sentence("complete.wrong", (number,))
            yield only if faults else Sentence("last.price", (number,))
            yield from (each for each in faults or price if each.key != "fault.total")  # the sum says it
        case "unusable":
            yield Sentence("last.unusable", (number, list(shown.silent)))
        case "stuck":
            circle = deadlock(run.system, run.end, number)
            assert circle is not None
            yield Sentence("deadlock", circle.told)
        case "never" if shown.waits:
            yield Sentence("last.waits", (number, *shown.waits[0]))
        case "never":
            yield Sentence("last.silent", (number, list(shown.silent)))
        case _:
            yield Sentence(f"last.{shown.end}", (number,))
    if run.full:
        yield Sentence("last.full", ())


def _only(run: Run, found: tuple[Outcome, ...]) -> bool:
    """Is there one snapshot, and nothing else that the verdict could be about?"""
    return len(found) == 1 and not run.system.algorithm.COORDINATED


def _right(number: int, alike: int, found: int) -> Sentence:
    return Sentence("last.right", (number,)) if alike == 1 else Sentence("last.right.of", (alike, found))


def _step_of(witness: Json) -> int | None:
    """Return the step in which a fault shows."""
    message = witness.get("message")
    about = message if isinstance(message, dict) else {}
    step: int | None = about.get("received") or about.get("sent") or witness.get("step")
    return step


def _recorded(run: Run, shown: Outcome) -> Sentence:
    """Return what the snapshot recorded, in one line."""
    found = parts(run.system, run.end, shown.snapshot)
    logged = channels(run.system, found)
    states = {name: run.system.program.view(part.state) for name, part in found.items()}
    messages: list[Json] = [run.system.program.show(m.payload) for each in logged.values() for m in each]
    brief = len(states) <= LISTED and all(map(_short, states.values()))
    what = states if brief else len(states)
    many = "" if brief else ".many"
    if not messages and not run.history.recordings[shown.snapshot].closed:
        return Sentence(f"last.recorded{many}.unseen", (what,))
    return Sentence(f"last.recorded{many}", (what, messages if len(messages) <= TERMS else len(messages)))


def _short(state: Json) -> bool:
    """Can the state stand in a line with others?"""
    return isinstance(state, int) or (isinstance(state, str) and state != "" and "," not in state)


def _few(counted: tuple[Sum, ...]) -> tuple[Sum, ...]:
    """Return the sums of one or two quantities; more are added up, as things."""
    if len(counted) <= 2:
        return counted
    states = tuple(map(sum, zip(*(each.states for each in counted), strict=True)))
    messages = tuple(one for each in counted for one in each.messages)
    recorded, total = sum(each.recorded for each in counted), sum(each.total for each in counted)
    return (Sum("", states, messages, recorded, total),)


def _added(each: Sum, named: bool) -> tuple[str, bool]:
    """Return a sum as text, and whether it comes out: the same in every language."""
    states = each.states if len(each.states) <= TERMS else (sum(each.states),)
    messages = each.messages if len(each.messages) <= TERMS else (sum(each.messages),)
    terms = [*map(str, states), *([f"[{' '.join(map(str, messages))}]"] if messages else [])]
    name = f"{each.quantity}: " if named and each.quantity else ""
    right = each.recorded == each.total
    return f"{name}{' + '.join(terms)} = {each.recorded}{'' if right else f' ≠ {each.total}'}", right


# --- recovery --------------------------------------------------------------------------------------------------------


def _line(run: Run) -> EndCard:
    """Return the verdict on checkpoints that every process takes alone: the last crash shows what they are worth."""
    if not run.falls:
        return EndCard("plain", (Sentence("last.line.calm", ()),))
    fall = run.falls[-1]
    if fall.until is None:
        return EndCard("waiting", (Sentence("last.line.open", ()),))
    if not fall.exact:
        return EndCard("wrong", (Sentence("last.line.past", ()),))
    useless, count = sum(map(len, fall.useless.values())), sum(fall.disk.values())
    lost, events = all(place == 0 for place in fall.places.values()), sum(fall.lost.values())
    price = Sentence("last.line.start", (events,)) if lost else Sentence("last.line", (fall.rollbacks, events))
    said = (price, Sentence("last.line.disk", (useless, count)))
    return EndCard("plain" if lost else "right", said)


def _with_result(card: EndCard, book: Ledger) -> EndCard:
    """Return the card with what became of the items of a dataflow."""
    words = [word for word in (book.output, book.state) if word is not None]
    if not words:
        return card
    word = max(words, key=GUARANTEES.index)
    bad = word not in (EXACTLY, OTHER)
    unseen = book.output is None and book.waiting > 0 and word == EXACTLY
    result = Sentence("last.result.waiting", (book.waiting,)) if unseen else Sentence(f"last.result.{word}", ())
    kept = next((one for one in book.kept if not one.equal and one.now is not None), None)
    more = (Sentence("last.kept", (kept.process, kept.now, kept.wanted)),) if bad and kept else ()
    if card.tone == "wrong" and not bad:
        return replace(card, said=(*card.said, *(() if unseen else (Sentence("last.result.still", ()),))))
    if card.tone == "wrong":
        return replace(card, said=(result, *more, *card.said))
    asked = ((book.state, book.promise.state), (book.output, book.promise.output))
    if bad and not any(holds(shown, promised) is False for shown, promised in asked):
        return replace(card, tone="given-up", said=(result, *more, Sentence("last.promised", ())))
    tone: Tone = "wrong" if bad else "waiting" if unseen and card.tone != "right" else "right"
    return replace(card, tone=tone, said=(result, *more, *card.said[:1]))
