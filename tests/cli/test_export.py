"""``bluecut export`` and ``bluecut schema``."""

import json
from pathlib import Path
from xml.etree import ElementTree

from app.formats.shiviz import log
from app.run.run import record, summary
from app.scenario.format import schema
from app.scenario.library import LIBRARY
from app.wire.frames import end, frames, scene
from tests.cli.command import bluecut

RING = record(LIBRARY.scenario("ring"))


def test_shiviz_gets_the_log() -> None:
    done = bluecut("export", "ring", "--to", "shiviz")
    assert (done.code, done.out, done.err) == (0, log(RING), "")


def test_a_trace_is_the_run_as_the_browser_receives_it_and_its_summary() -> None:
    done = bluecut("export", "ring", "--to", "json")
    assert (done.code, done.err) == (0, "")
    got = json.loads(done.out)
    assert got["format"] == "bluecut-trace-1"
    made = {"scene": scene(RING), "frames": list(frames(RING)), "end": end(RING), "summary": summary(RING)}
    assert {part: got[part] for part in made} == json.loads(json.dumps(made))
    assert (got["key"]["algorithm"], got["key"]["choices"], len(got["frames"])) == ("chandy-lamport", "", 9)


def test_the_key_of_a_trace_names_the_run_that_was_asked_for() -> None:
    done = bluecut(
        "export", "token-late", "--to", "json", "--algorithm", "no-channels", "--choices", "0:1.0", "--drain"
    )
    key = json.loads(done.out)["key"]
    assert (key["algorithm"], key["choices"], key["drain"]) == ("no-channels", "0:1.0", True)


def test_svg_is_a_picture_of_a_step_that_stands_alone() -> None:
    last = bluecut("export", "ring", "--to", "svg")
    first = bluecut("export", "ring", "--to", "svg", "--step", "0")
    for done in (last, first):
        assert (done.code, done.err) == (0, "")
        assert ElementTree.fromstring(done.out).tag == "{http://www.w3.org/2000/svg}svg"
    assert last.out != first.out
    assert bluecut("export", "ring", "--to", "svg", "--step", "9").out == last.out


def test_output_goes_to_a_file(tmp_path: Path) -> None:
    target = tmp_path / "ring.log"
    done = bluecut("export", "ring", "--to", "shiviz", "-o", str(target))
    assert (done.code, done.out, target.read_text(encoding="utf-8")) == (0, "", log(RING))


def test_the_schema_is_printed() -> None:
    assert json.loads(bluecut("schema").out) == json.loads(json.dumps(schema()))
    assert json.loads(bluecut("schema", "--lang", "zh").out)["properties"]["title"]["description"] == "这次运行的标题。"
