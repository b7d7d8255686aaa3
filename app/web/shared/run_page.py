"""What the pages about a run get.

``run_context`` and ``player_context`` are for templates, besides what every template knows (see
``app.web.base.templates``)
``scenario`` ``title`` ``story`` ``surprise``   the scenario, and its words in the visitor's language
``opening``    what stands before the first step: the cast, and the question
``address``    the Address: ref, key, step, presenter
``step`` ``steps``   the step to show first, and how many there are
``stale``      the link was made for another engine or scenario; the page says so and shows the run from its beginning
``scene``      JSON bytes: ``app.wire.frames.scene(run)``
``first``      JSON bytes: a list of the frames 1..step (empty if step is more than EMBEDDED)
``words``      {key: text} in the visitor's language, what the scripts of the player need
``fields``     {sentence: [names of its values]}
``links``      see ``links``
``picks``      the values of the form that asks for another run: see ``_picks``
``moves``      where to go from its end: see ``app.web.shared.next_moves``
``said``       the sentence of the step, without marks
``difference`` how the run differs from the author's, or None: see ``_difference``
``terms``      the glossary's terms in the author's words, see ``app.web.base.glossary_links.linked``; None if they are
               not links
``shape``      the outline of the picture, in presenter mode, so that its room is known before its plan
``weighs``     does it have files of checkpoints?
``marked``     the kinds of events that its timeline marks, see ``app.wire.marked_kinds``
``lessons``    [(name, address)] of the lessons to which it belongs
``taken``      how many snapshots there are
``head``       the title, the choice of other runs and the tabs, see ``app.web.shared.run_head``
``about``      ``exposed``: where the fault of a broken variant can be seen, or None; ``property``: the name of the
               program's stable property, as the end of a catalogue key
The filter ``script`` puts a value or JSON bytes into ``<script type="application/json">``.
"""

import re

from msgspec.structs import replace

from app.analysis.checkpoint_sizes import weighs
from app.core.model.system import DISCIPLINES
from app.core.oracle.checks import CHECKS
from app.pictures.layout.stage_plan import outline
from app.run.stable_property import stable_property
from app.scenario.run_key import RunKey
from app.web.base.glossary_links import linked
from app.web.base.root import at
from app.web.base.templates import Context, script_texts
from app.web.shared import step_view
from app.web.shared.algorithm_options import offered
from app.web.shared.counterexample_links import exposure
from app.web.shared.encoded_run import EMBEDDED
from app.web.shared.lessons_of import taught
from app.web.shared.next_moves import moves
from app.web.shared.run_head import run_head
from app.web.shared.visit import Visit
from app.wire.marked_kinds import marked_kinds
from app.wire.run_url import Address, stamp
from app.words.catalogues import plain, word
from app.words.sentence_fields import FIELDS

STAGE_WORDS = ("player.stage", "player.stage.", "player.table.recording", "reason.partitioned", "spoken.", "state.")
"""The words that the scripts of a stage need; what ends with a dot is the beginning of keys."""

SCRIPT_WORDS = (
    *STAGE_WORDS,
    *("challenge.impossible", "membership.", "moves.straighten", "phase.", "rule.", "say.", "spacetime."),
    *(f"check.{name}.{part}" for name in (*CHECKS, "undisturbed") for part in ("name", "about")),
    *("player.astray", "player.blank", "player.broken", "player.broken.see", "player.checks.none", "player.cover."),
    *("player.deadlock", "player.deadlock.", "player.error", "player.full", "player.lamp.", "player.line"),
    *("player.line.", "player.log.", "player.never", "player.no", "player.now."),
    *("player.pause", "player.play", "player.predict.", "player.rule.collecting", "player.rule.none"),
    *("player.rule.start", "player.rule.wrong", "player.share.copied", "player.share.embedded"),
    *("player.share.uncopied", "player.stable", "player.stable.", "player.step", "player.tab.", "player.time"),
    *("player.table.", "player.tray.", "player.unfinished", "player.verdict.", "player.view", "player.view."),
    *("player.witness.", "player.yes", "tool.stable", "tool.states"),
)
"""The words that the scripts of the player need."""


SENTENCE = re.compile(r"[^.?!。？！]+(?:[.?!](?! |$)[^.?!。？！]*)*[.?!。？！]*[”」)]?\s*")
QUESTIONS = 2
"""The most questions that a story ends with."""


def run_context(shown: Visit, page: str = "run") -> Context:
    """Return what every page about a run gets; ``page`` is the first part of its address."""
    form, spoken = shown.scenario.form, shown.language
    return run_head(shown, page) | {
        "scenario": shown.scenario,
        "story": getattr(form.story, spoken, ""),
        "surprise": getattr(form.surprise, spoken, ""),
        "opening": _opening(shown),
        "step": shown.address.step,
        "steps": shown.steps,
        "links": links(shown.address),
        "picks": _picks(shown),
        "said": plain(step_view.sentence(shown.run, shown.address.step, spoken)),
        "difference": _difference(shown.address),
        "weighs": weighs(shown.run.system),
        "lessons": taught(shown.request, form.lessons),
        "taken": len(shown.run.history.recordings),
    }


def _opening(shown: Visit) -> tuple[str, str]:
    """Return what stands before the first step. A story is about the author's run, so in another one it says so."""
    form, spoken = shown.scenario.form, shown.language
    cast, question = opened(getattr(form.story, spoken, "") or getattr(form.surprise, spoken, ""))
    if cast and not shown.scenario.own(replace(shown.address.key, choices=(), drain=False, manual=False)):
        cast = word("player.story.other", spoken, story=cast)
    return cast, question


def opened(story: str) -> tuple[str, str]:
    """Return the story without its question, and the question: its last sentence if it asks, with the one before if
    that asks, too."""
    sentences = SENTENCE.findall(story.strip())
    first = len(sentences)
    while first and len(sentences) - first < QUESTIONS and sentences[first - 1].rstrip("”」) ").endswith(("?", "？")):
        first -= 1
    return "".join(sentences[:first]).strip(), "".join(sentences[first:]).strip()


def _difference(here: Address) -> Context | None:
    """Return what distinguishes this run, None for the author's own: ``step`` is the first one that a person chose, if
    there is one; ``others`` [(catalogue key, fields), …] are the other differences; ``own`` is the address of the
    author's run."""
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
    others += [(f"player.branch.{name}", {}) for name in ("drain", "manual") if getattr(key, name)]
    step = key.choices[0][0] if key.choices else None
    back = replace(here, key=RunKey())
    own = back.url(step=(here.step if step is None else step) or None, **here.seen)
    return {"step": step, "others": others, "own": own}


def player_context(shown: Visit) -> Context:
    """Return what the player needs to begin without asking again."""
    step, recorded, whole = shown.address.step, shown.recorded, run_context(shown)
    return whole | {
        "scene": recorded.scene,
        "first": b"[" + b",".join(recorded.first(step) if step <= EMBEDDED else ()) + b"]",
        "marked": marked_kinds(shown.run),
        "words": script_texts(shown.language, SCRIPT_WORDS),
        "fields": FIELDS,
        "about": _about(shown),
        "shape": outline(shown.run.system, shown.language, shown.scenario.starter) if shown.address.presenter else {},
        "moves": moves(shown),
        "terms": linked(shown.run, whole["opening"], shown.language, shown.address.lang),
    }


def _about(shown: Visit) -> dict[str, str | None]:
    """Return what the frames do not say of the system: see the top."""
    seen = exposure(shown.run.system)
    language = f"?lang={shown.address.lang}" if shown.address.lang else ""
    return {
        "exposed": at(f"/run/{seen}{language}") if seen else None,
        "property": stable_property(shown.run.system, shown.scenario.form.tags),
    }


def links(here: Address) -> dict[str, str]:
    """Return the addresses around a run. ``{step}`` in ``still`` and ``picture`` stands for the step.

    ``run`` is this run, ``share`` the same for other people: the URL API adds a step to both as ``&step=K``, and to
    ``branch`` also ``&action=TEXT``. ``next`` and ``menu`` say what can happen then: see
    ``app.web.play.player.actions``.
    ``events`` is the stream, ``rest`` the stream after the frames on the page;
    ``plan`` lacks ``&width=W&least=H&most=H``.
    """
    mark = stamp(here.scenario)
    embedded = here.step if here.step <= EMBEDDED else 0
    return {
        "run": here.url(**here.seen, v=mark),
        "share": here.url(v=mark),
        "here": here.here,
        "events": here.url("run", "events", v=mark),
        "rest": here.url("run", "events", v=mark, after=embedded or None),
        "branch": here.url("run", "branch", **here.seen, v=mark),
        "next": here.link_to("run", "next"),
        "menu": here.link_to("run", "menu"),
        "still": here.link_to("run", "step", "{step}"),
        "picture": here.link_to("run", "step", "{step}.svg"),
        "trace": here.url("run", "trace.json", v=mark),
        "plan": plan_link(here),
        "embed": here.url("embed", v=mark),
        "plain": here.plain,
        **{place: here.link_to(place) for place in ("states", "stable")},
        "editor": f"/editor?from={here.quoted}",
    }


def plan_link(here: Address) -> str:
    """Return the address of the plan of a run's stage, which lacks only the size."""
    system = RunKey(here.key.algorithm, discipline=here.key.discipline)
    return replace(here, key=system).link_to("run", "plan.json")


def _picks(shown: Visit) -> Context:
    """Return the values of a GET form to ``action`` that asks for another run of the same scenario."""
    scenario, key = shown.scenario, shown.address.key
    return {
        "action": shown.address.plain,
        "algorithms": offered(scenario),
        "algorithm": scenario.algorithm(key),
        "disciplines": DISCIPLINES,
        "discipline": scenario.discipline(key),
        "seed": scenario.seed(key),
        "seeded": scenario.draws(key),
    }
