"""What the tests of the scripts compare with, computed by the application: JSON files for Node. By hand:

.venv/bin/python -m tests.js.fixtures /tmp/fixtures
FIXTURES=/tmp/fixtures node --test "tests/js/**/*.test.js"
"""

import json
import sys
from collections.abc import Sequence
from itertools import product
from pathlib import Path

from app.core.model.values import Json
from app.pictures.chosen_cut import Cutting
from app.pictures.layout.paths import Point, straight
from app.pictures.layout.plan import Station, Stretch
from app.pictures.layout.text_width import fit, measure, wrap
from app.pictures.stage.queue_places import Crowd, Rest, Wire, slots, tube, wire
from app.run.run import record
from app.scenario.library import LIBRARY
from app.wire.frames import end, frames, scene, sentences_of_step
from app.wire.part_status import going_back, ruined
from app.words.catalogues import LANGUAGES, catalogue, plain, tell
from app.words.sentence_fields import FIELDS

CUT = ("which-cut", "non-fifo-doubled", "three-banks", "lossy-network", "counted-twice")
RUN = (
    *("blue-figure", "domino", "lossy-network", "barriers-wait", "task-retried", "low-watermark", "non-fifo-doubled"),
    *("node-as-written", "joiner-merged", "leave-in-order"),
)
CROWDS = [[], [[100, 0, 15, 10]], [[190, 5, 15, 10], [120, -8, 15, 10]]]
MOST = 300
"""About how many cuts of a run are compared."""


def write(folder: Path) -> None:
    """Write a file per subject into a folder."""
    (folder / "cuts.json").write_text(json.dumps({name: cuts(name) for name in CUT}), "utf-8")
    (folder / "runs.json").write_text(json.dumps({name: run(name) for name in RUN}), "utf-8")
    (folder / "library.json").write_text(json.dumps({name: received(name) for name in LIBRARY.names()}), "utf-8")
    (folder / "stage.json").write_text(json.dumps(stage()), "utf-8")
    (folder / "words.json").write_text(json.dumps({language: words(language) for language in LANGUAGES}), "utf-8")


def cuts(name: str) -> Json:
    """Return the plan that the page of cuts gets, and what the oracle says of cuts of the run."""
    cutting = Cutting(record(LIBRARY.scenario(name)), "en")
    every = list(product(*(range(cutting.history.counts[process] + 1) for process in cutting.names)))
    return {"plan": cutting.plan(), "cuts": [judged(cutting, cut) for cut in every[:: max(1, len(every) // MOST)]]}


def judged(cutting: Cutting, cut: tuple[int, ...]) -> Json:
    """Return what the oracle says of a cut, as the browser writes it."""
    named = dict(zip(cutting.names, cut, strict=True))
    verdict, more, less = cutting.judge(named), cutting.above(named), cutting.below(named)
    orphans = {letter.identity for letter in verdict.orphans}
    return {
        "cut": list(cut),
        "consistent": verdict.consistent,
        "orphans": [number for number in cutting.letters if number in orphans],
        "crossing": [[channel, [letter.identity for letter in letters]] for channel, letters in verdict.crossing],
        "above": [more[process] for process in cutting.names] if more else None,
        "below": [less[process] for process in cutting.names],
        "places": list(cutting.places(named)),
    }


def run(name: str) -> Json:
    """Return a run as the browser receives it, the world after each step, and when each snapshot was recorded where."""
    recorded = record(LIBRARY.scenario(name))
    view = recorded.system.program.view
    worlds = [recorded.world(step) for step in range(len(recorded.steps) + 1)]
    return {
        "scene": scene(recorded),
        "frames": list(frames(recorded)),
        "worlds": [
            {
                "states": {name: view(state) for name, state in world.states.items() if world.member(name)},
                "queues": {name: [message.id for message in queue] for name, queue in world.queues.items()},
                "down": sorted(world.down),
                "partitioned": sorted(world.partitioned),
            }
            for world in worlds
        ],
        "recorded": {number: seen.recorded for number, seen in recorded.history.recordings.items()},
    }


def received(name: str) -> Json:
    """Return a run as the browser receives it."""
    recorded = record(LIBRARY.scenario(name))
    return {
        "scene": scene(recorded),
        "frames": list(frames(recorded)),
        "end": end(recorded),
        "ruined": {
            number: [ruined(recorded, step, number) for step in range(len(recorded.steps) + 1)]
            for number in recorded.history.recordings
        },
        "back": {
            step.number: sorted(going_back(step.notes, recorded.system.topology.names)) for step in recorded.steps
        },
    }


def stage() -> Json:
    """Return what pictures make of texts and of queues."""
    texts = [*catalogue("en").values(), *catalogue("zh").values()]
    widths = [(), (20,), (90,), (300,), (20, 60, 20), (60,) * 9]
    wants = [(), (0.5,), (0.9, 0.8), (0.2, 0.7, 0.4), (1, 1, 1, 0), (0.5,) * 6]
    return {
        "texts": [[text, measure(text, 13), fit(text, 13, 90), wrap(text.split(), 13, 90, 2)] for text in texts],
        "slots": [[w, 240, pad, resting(slots(w, 240, pad))] for w in widths for pad in (0, 12)],
        "tubes": [
            [w, 240, loose, resting(tube([30.0] * len(w), w, 240, 12, loose))] for w in wants for loose in (True, False)
        ],
        "wires": [
            [w, crowd, loose, least, wired(w, crowd, loose, least)]
            for w in wants
            for crowd in CROWDS
            for loose in (True, False)
            for least in (0, 0.9)
        ],
    }


def wired(wants: Sequence[float], crowd: Sequence[Sequence[float]], loose: bool, least: float) -> Json:
    """Return where messages rest on a wire from 0, 0 to 200, 0. Every other one is wider."""
    way = straight(Point(0, 0), Point(200, 0))
    on = Wire(way, (Stretch(110, 200), Stretch(0, 80)), Station(190, 0.75), 40, 30, 20, least)
    boxes = Crowd([(x, y, w, h) for x, y, w, h in crowd])
    return resting(wire(on, [(44.0, 24.0)[i % 2] for i in range(len(wants))], wants, loose, boxes))


def resting(rest: Rest) -> Json:
    """Return where messages rest, as the browser writes it."""
    more = spots([rest.more])[0] if rest.hidden else None
    return {"messages": spots(rest.stations), "hidden": rest.hidden, "more": more, "aside": rest.aside}


def spots(stations: Sequence[Station]) -> Json:
    """Return stations as the browser writes them."""
    return [{"at": each.at, "scale": each.scale} for each in stations]


def words(language: str) -> Json:
    """Return the catalogue, and how the server words the sentences of the library's runs, each of them once."""
    told = {}
    for name in LIBRARY.names():
        run = record(LIBRARY.scenario(name))
        for step in run.steps:
            for sentence in sentences_of_step(run, step):
                told[json.dumps([sentence.key, *sentence.values])] = plain(tell([sentence], language))
    return {"catalogue": catalogue(language), "fields": FIELDS, "told": [[json.loads(s), t] for s, t in told.items()]}


if __name__ == "__main__":
    write(Path(sys.argv[1]))
