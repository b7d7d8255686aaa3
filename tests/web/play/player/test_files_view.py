"""Checkpoint files on the pages of a run: what they say is what the files are."""

import json
import re
from html import unescape

import pytest
import yaml
from fastapi.testclient import TestClient

from app.web.play.player.files_view import SHOWN, shelves
from app.wire.scenario_link import packed
from tests.tiny import run

TAKEN = "{read: s}, {deliver: s->count}, {start: JM}, {deliver: JM->s}, {deliver: s->count}, {wake: s}, {wake: count}"


def ways(client: TestClient, address: str) -> list[dict[str, list[list[str]]]]:
    """What a page says of each way of writing: the cells of its rows, under their first words; a cell is its lines."""
    answer = client.get(address)
    assert answer.status_code == 200, answer.text
    found = []
    for way in answer.text.split('<section class="files-way"')[1:]:
        table = way.split("<table>")[1].split("</table>")[0]
        rows = {}
        for line in re.findall(r"<tr>(.*?)</tr>", table, re.S):
            (name, *cells) = re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", line, re.S)
            rows[unescape(name)] = [[unescape(x) for x in re.findall(r">([^<>\n]+)<", f">{c}<")] for c in cells]
        found.append(rows)
    return found


def test_a_base_and_its_deltas_stand_side_by_side_with_what_is_written_in_full(client: TestClient) -> None:
    full, increments = ways(client, "/run/few-keys-change/files?step=39&lang=en")
    assert full["Checkpoint"] == [["1", "dropped"], ["2", "dropped"], ["3", "retained"]]
    assert [(cell[0], cell[-1]) for cell in full["count"]] == [
        ("keys: 4", "deleted at step 29"),
        ("keys: 4", "deleted at step 39"),
        ("keys: 4", "for 3"),
    ]
    assert [(cell[0], cell[-1]) for cell in increments["count"]] == [
        ("keys: 4", "for 3"),
        ("+ keys: 1", "for 3"),
        ("+ keys: 1", "for 3"),
    ]
    assert full["A restore reads"][2][0] == "files: 2"
    assert increments["A restore reads"][2][0] == "files: 4"


def test_the_totals_are_those_of_complete_checkpoints(client: TestClient) -> None:
    text = client.get("/run/few-keys-change/files?step=41&lang=en").text
    assert "<b>Keys: 12. Files: 6.</b> Bytes: 249" in text
    assert "<b>Keys: 6. Files: 6.</b> Bytes: 201" in text


def test_a_copy_that_is_not_stored_yet_is_no_file(client: TestClient) -> None:
    for rows in ways(client, "/run/stored-later/files?step=29&lang=en"):
        assert rows["Checkpoint"] == [["1", "in progress"]]
        assert rows["count"] == [["copied"]]


def test_what_was_uploaded_for_a_checkpoint_that_is_aborted_is_said_to_be_deleted(client: TestClient) -> None:
    for rows in ways(client, "/run/old-file-needed/files?step=25&lang=en"):
        assert rows["Checkpoint"][2] == ["3", "aborted"]
        assert rows["count"][2][-1] == "deleted at step 25"
    assert "aborted, and deleted. Files: 1, bytes: 28." in client.get("/run/old-file-needed/files?step=25&lang=en").text


def test_before_the_first_checkpoint_there_is_nothing_to_show(client: TestClient) -> None:
    assert "No checkpoint has been written yet." in client.get("/run/few-keys-change/files?lang=en").text


def test_the_still_page_has_them_in_both_languages_and_other_programs_have_none(client: TestClient) -> None:
    assert "接在这份基准上" in client.get("/run/few-keys-change/step/19?lang=zh").text
    assert "检查点文件" in client.get("/run/few-keys-change/step/19?lang=zh").text
    assert ways(client, "/run/few-keys-change/step/39?lang=en") == ways(
        client, "/run/few-keys-change/files?step=39&lang=en"
    )
    for other in ("blue-figure", "acknowledgement-lost"):
        assert client.get(f"/run/{other}/files").status_code == 404
        assert 'data-panel="files"' not in client.get(f"/run/{other}").text
        assert "files-way" not in client.get(f"/run/{other}/step/1").text
    assert 'data-panel="files"' in client.get("/run/few-keys-change").text


@pytest.mark.parametrize("page", ["/embed/few-keys-change", "/run/few-keys-change?algorithm=millwheel"])
def test_other_pages_of_the_same_run_open_without_them(client: TestClient, page: str) -> None:
    assert client.get(page).status_code == 200


def test_of_many_checkpoints_the_last_are_shown_and_those_whose_files_are_needed() -> None:
    made = run(f"""
        topology: {{processes: [JM, s, count], channels: [JM->s, s->count]}}
        program:
          kind: dataflow
          operators: {{JM: {{coordinator: true}}, s: {{source: {[{"a": 1}] * 12}}}, count: {{count: key}}}}
        algorithm: aligned
        script: [{", ".join([TAKEN] * 12)}]
    """)
    full, increments = shelves(made, len(made.steps))["shelves"]
    assert [one.number for one in full.columns] == list(range(13 - SHOWN, 13)) and full.earlier == 12 - SHOWN
    assert [one.number for one in increments.columns] == list(range(1, 13)) and increments.earlier == 0


LAPSED = f"""title: {{en: t, zh: t}}
topology: {{processes: [JM, s, count], channels: [JM->s, s->count]}}
program:
  kind: dataflow
  operators: {{JM: {{coordinator: true}}, s: {{source: [{{a: 1}}, {{b: 1}}]}}, count: {{count: key}}}}
algorithm: aligned
script: [{TAKEN}, {TAKEN}, {{crash: count}}, {{restore: 1}}]
"""


def test_going_back_to_what_was_not_retained_is_said(client: TestClient) -> None:
    at = f"/run/{packed(json.dumps(yaml.safe_load(LAPSED)))}/files"
    assert "rolled back to checkpoint 1, whose files were deleted" in client.get(f"{at}?step=16&lang=en").text
    assert "went back" not in client.get(f"{at}?step=15&lang=en").text
