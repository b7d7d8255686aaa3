"""What is wrong with a snapshot, as sentences of the step that completes it and of the end of the run."""

from collections.abc import Mapping

from app.core.model.values import Json
from app.core.oracle.checks import CHECKS
from app.words.sentence_fields import FIELDS, Sentence


def fault_sentences(failures: Mapping[str, Json]) -> tuple[Sentence, ...]:
    """Return what is wrong with the recorded state, the sum first: at most two sentences, because one reason is
    enough. The failures are the witnesses of checks, by name."""
    told = [(name, witness) for name, witness in failures.items() if CHECKS[name].of_state]
    sums = [_total(witness) for _, witness in told if "fault" not in witness]
    reasons = [_reason(name, witness) for name, witness in told if "fault" in witness]
    return (*sums[:1], *reasons[:1])


def price_sentences(failures: Mapping[str, Json]) -> tuple[Sentence, ...]:
    """Return what is wrong with the price of a snapshot whose recorded state is right."""
    return tuple(_reason(name, witness) for name, witness in failures.items() if not CHECKS[name].of_state)[:1]


def _total(witness: Json) -> Sentence:
    recorded, total = witness["recorded"], witness["total"]
    if total == {"token": 1} and isinstance(recorded, dict):
        return Sentence("fault.tokens", (recorded.get("token", 0), 1))
    return Sentence("fault.total", (recorded, total))


def _reason(check: str, witness: Json) -> Sentence:
    fault = witness["fault"]
    if CHECKS[check].faults.get(fault, ()) is None:
        return Sentence("fault.impossible", ())
    message = witness.get("message")
    about = message if isinstance(message, dict) else {}
    known = {**witness, "channel": witness.get("channel", about.get("channel")), "message": about.get("payload")}
    key = f"fault.{fault}"
    return Sentence(key, tuple(known[name] for name in FIELDS.get(key, ())))
