"""Algorithms side by side: the page's counts are those of the runs, and missing ones are explained."""

import re
from html import unescape

import pytest
from fastapi.testclient import TestClient

from app.analysis.alignment import beats
from app.analysis.cost import cost
from app.course.live_run import SEND, LiveRun
from app.run.run import Run, record
from app.scenario.library import LIBRARY
from app.web.play.compare import routes
from app.web.shared import own_scenario
from app.web.shared.compare_links import pair
from app.wire.run_url import Address
from app.words.catalogues import word
from tests.analysis.test_alignment import under
from tests.web.conversation import FIVE, carried, visible

THREE = "/compare/three-banks?with=chandy-lamport&with=photographs&with=late-marker"


def rows(html: str) -> dict[str, list[str]]:
    """Return the table: the cells of each row as text."""
    found = {}
    for name, row in re.findall(r'<tr data-row="([^"]+)".*?>(.*?)</tr>', html, re.S):
        cells = re.findall(r"<td>(.*?)</td>", row, re.S)
        found[name] = [" ".join(re.sub(r"<[^>]+>", " ", cell).split()) for cell in cells]
    return found


def test_the_table_holds_the_figures_of_the_runs(client: TestClient) -> None:
    told = rows(client.get(f"{THREE}&lang=en").text)
    costs = [cost(run) for run in under("three-banks", "chandy-lamport", "photographs", "late-marker")]
    assert told["controls"] == [str(each.controls) for each in costs] == ["6", "0", "6"]
    assert told["each"] == ["6 + 0", "0 + 0", "6 + 0"]
    assert told["messages"] == [str(each.snapshots[0].messages) for each in costs]
    assert told["size"] == [str(each.snapshots[0].size) for each in costs]
    assert told["steps"] == [str(each.snapshots[0].steps) for each in costs]
    assert told["missed"] == ["0", "0", "0"]
    assert told["channels"] == ["✓ holds", "✕ fails", "✓ holds"]
    assert told["cost"][1] == "– does not apply"


def test_runs_that_are_too_long_to_be_compared_are_not_and_say_so(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(routes, "MOST_WORK", 40)
    ref = own_scenario.keep(FIVE, client.app.state.store)  # type: ignore[attr-defined]
    html = unescape(client.get(f"/compare/{ref}?with=chandy-lamport&with=lai-yang&lang=en").text)
    assert html.count("this run is too long to be compared; compare fewer runs, or open it alone") == 2


def test_a_column_in_which_nothing_is_recorded_has_no_verdict(client: TestClient) -> None:
    html = client.get("/compare/commit-too-late?lang=en").text
    assert html.count('class="column-verdict') == 2 and '<p class="column-verdict says-plain" title=""></p>' in html


def test_figures_that_differ_are_marked_and_those_that_do_not_are_not(client: TestClient) -> None:
    html = client.get(f"{THREE}&lang=en").text
    assert '<tr data-row="controls" class="differs">' in html
    assert '<tr data-row="shipped">' in html


def test_the_script_gets_the_steps_of_every_beat_and_how_many_control_messages_there_were(client: TestClient) -> None:
    page = carried(client.get(f"{THREE}&beat=4").text, "data-page")
    runs = under("three-banks", "chandy-lamport", "photographs", "late-marker")
    together = beats(runs)
    assert [tuple(each["steps"]) for each in page["columns"]] == list(together.steps)
    assert [each["controls"][-1] for each in page["columns"]] == [run.history.controls for run in runs]
    assert (page["last"], len(page["told"]), page["beat"]) == (together.last, 6, 4)
    for each in page["columns"]:
        assert client.get(each["events"]).text.startswith("event:scene\n")
        assert client.get(each["run"]).status_code == 200


def test_where_one_algorithm_collects_with_control_messages_collecting_counts_in_both(client: TestClient) -> None:
    both = client.get("/compare/regions-on-a-grid?with=chandy-lamport&with=spezialetti-kearns&lang=en").text
    assert re.findall(r"◆</span> <b>(\d+)</b>", both) == ["64", "37"]
    assert "control messages and recorded states so far" in both
    alone = client.get("/compare/regions-on-a-grid?with=chandy-lamport&with=merged&lang=en").text
    assert "control messages so far" in alone


def test_it_says_that_the_application_events_are_the_same(client: TestClient) -> None:
    assert "The same application events in all columns (6)." in client.get(f"{THREE}&lang=en").text
    assert "各列的 6 个应用事件完全相同" in client.get(f"{THREE}&lang=zh").text


def test_where_they_are_not_it_says_which_differ(client: TestClient) -> None:
    html = unescape(client.get("/compare/non-fifo-lost?with=chandy-lamport~any&with=chandy-lamport~fifo&lang=en").text)
    differing = html[html.index("The columns differ: see how") : html.index('id="choose"')]
    assert "The same events in another order." in differing or "Missing (" in differing


def test_a_column_that_cannot_run_says_why_in_its_place(client: TestClient) -> None:
    html = client.get("/compare/ring-five?with=chandy-lamport&with=spezialetti-kearns&with=nobody&lang=en").text
    assert "it needs a channel in the other direction beside every channel" in html
    assert "unknown algorithm &#39;nobody&#39;" in html
    assert rows(html)["controls"][1:] == ["cannot run", "cannot run"]
    assert len(carried(html, "data-page")["columns"]) == 1


def test_where_no_column_runs_there_is_neither_table_nor_script(client: TestClient) -> None:
    answer = client.get("/compare/ring-five?with=nobody&lang=en")
    assert answer.status_code == 200
    assert "None of these algorithms can run here." in answer.text
    assert "<table" not in answer.text and "data-page" not in answer.text


def test_no_more_than_four_stand_side_by_side(client: TestClient) -> None:
    answer = client.get("/compare/three-banks?" + "&".join(["with=photographs"] * 5))
    assert answer.status_code == 400
    assert "5 columns; at most 4 stand side by side" in answer.text


def test_without_a_wish_the_authors_algorithm_stands_beside_another(client: TestClient) -> None:
    html = client.get("/compare/late-marker").text
    assert re.findall(r'<option value="([^"]+)" selected>', html.split("</fieldset>")[0])[0] == "late-marker"
    assert len(carried(html, "data-page")["columns"]) == 2


def test_the_form_is_answered_with_the_address_that_says_it_shortly(client: TestClient) -> None:
    asked = "/compare/three-banks?with=chandy-lamport&order=&with=photographs&order=any&with=&order=&with=&order=causal"
    answer = client.get(f"{asked}&seed=&lang=zh")
    assert (answer.status_code, answer.headers["location"]) == (
        303,
        "/compare/three-banks?with=chandy-lamport&with=photographs~any&lang=zh",
    )


def test_in_a_lecture_the_form_and_its_answer_stay_in_it(client: TestClient) -> None:
    html = client.get("/compare/three-banks?presenter=1&beat=2").text
    assert '<input type="hidden" name="presenter" value="1">' in html
    assert 'id="presenter" href="/compare/three-banks?beat=2"' in html
    answer = client.get("/compare/three-banks?with=chandy-lamport&order=&presenter=1")
    assert answer.headers["location"] == "/compare/three-banks?with=chandy-lamport&presenter=1"


def test_where_nothing_can_be_shown_a_lecture_has_its_way_out(client: TestClient) -> None:
    html = client.get("/compare/non-fifo-lost?presenter=1&with=nothing").text
    assert '<body class="comparing">' in html and 'class="unseen">Compare' not in html
    (without,) = re.findall(r'<nav class="beat-walk".*?</nav>', client.get("/compare/queue?presenter=1").text)
    assert 'href="/compare/queue">Leave large type</a>' in without


def test_a_column_has_its_own_order_of_delivery_and_the_page_one_for_all_others(client: TestClient) -> None:
    html = client.get("/compare/three-banks?with=chandy-lamport&with=photographs~causal&discipline=any").text
    events = [each["events"] for each in carried(html, "data-page")["columns"]]
    assert "discipline=any" in events[0] and "discipline=causal" in events[1]


def test_the_seed_is_that_of_every_column(client: TestClient) -> None:
    html = client.get("/compare/random-twelve?with=chandy-lamport&with=photographs&seed=7").text
    assert all("seed=7" in each["events"] for each in carried(html, "data-page")["columns"])
    assert 'name="seed" type="number" min="0" max="2147483647" value="7"' in html


def test_without_javascript_there_are_stills_of_the_last_beat(client: TestClient) -> None:
    html = client.get(THREE).text
    stills = [unescape(url) for url in re.findall(r'<noscript><img src="([^"]+)"', html)]
    assert len(stills) == 3
    for url, run in zip(stills, under("three-banks", "chandy-lamport", "photographs", "late-marker"), strict=True):
        assert f"/step/{len(run.steps)}.svg" in url
        assert client.get(url).headers["content-type"] == "image/svg+xml"


def test_a_visitors_scenario_is_compared_like_any_other_and_its_words_never_become_markup(client: TestClient) -> None:
    evil = "<img src=x onerror=alert(1)>"
    ref = own_scenario.keep({**FIVE, "title": {"en": evil, "zh": evil}}, client.app.state.store)  # type: ignore[attr-defined]
    html = client.get(f"/compare/{ref}?with=chandy-lamport&with=%3Cb%3E").text
    assert "<img src=x" not in html and "<b>&lt;b&gt;" not in visible(html)
    assert rows(html)["controls"][0] == "2"


@pytest.mark.parametrize(
    "query", ["with=~", "with=~~any", "with=chandy-lamport~nonsense", "with=%00", "order=any", "beat=20000"]
)
def test_no_query_breaks_the_page(client: TestClient, query: str) -> None:
    assert client.get(f"/compare/blue-figure?{query}").status_code in (200, 303)


def test_the_page_of_a_run_links_to_its_comparison(client: TestClient) -> None:
    html = unescape(client.get("/run/three-banks?algorithm=photographs&discipline=any&lang=en").text)
    began = "/compare/three-banks?with=chandy-lamport&with=photographs&discipline=any&lang=en&of="
    (address,) = re.findall(f'href="({re.escape(began)}[^"]*)"', html)
    assert client.get(address).status_code == 200


def test_an_algorithm_that_holds_the_programs_up_is_named_even_where_nothing_is_missed(client: TestClient) -> None:
    page = client.get("/compare/three-banks?with=chandy-lamport&with=stop-the-world").text
    assert "under Stop the world they had to wait" in page
    assert "The algorithms just watch" in client.get("/compare/three-banks?with=chandy-lamport&with=lai-yang").text


def test_it_says_after_how_many_steps_a_program_was_held_up(client: TestClient) -> None:
    html = client.get("/compare/eighty-coins?with=chandy-lamport&with=stop-the-world&lang=en").text
    (count,) = re.findall(r"Steps after which the program of some process was held up: (\d+)\.", html)
    row = html.split('data-row="paused"')[1].split("</tr>")[0]
    assert f">{count}<" in row


def test_starts_that_were_not_made_and_starts_that_came_together_are_told(client: TestClient) -> None:
    page = "/compare/two-starters?with=merged&with=chandy-lamport&with=mattern"
    assert rows(client.get(page).text)["starts"] == ["3 of 3 #1 A, C in one", "3 of 3", "1 of 3"]
    assert "starts" not in rows(client.get("/compare/blue-figure?with=chandy-lamport&with=lai-yang").text)


def test_the_barrier_algorithms_differ_in_what_they_hold_back_and_in_what_they_come_to(client: TestClient) -> None:
    page = "/compare/counted-twice?with=aligned&with=at-least-once&with=unaligned"
    told = rows(client.get(page).text)
    assert told["blocked"] == ["steps: 4; items held back: 1", *["steps: 0; items held back: 0"] * 2]
    found = [("36" in cell, "39" in cell) for cell in told["ledger.final"]]
    assert found == [(True, False), (True, True), (True, False)]
    assert "blocked" not in rows(client.get("/compare/blue-figure?with=chandy-lamport&with=lai-yang").text)


def test_after_a_crash_nobody_says_that_the_algorithms_only_look_on(client: TestClient) -> None:
    page = client.get("/compare/domino?with=uncoordinated&with=chandy-lamport").text
    said = page.partition('class="agreement')[2].partition("</div>")[0]
    assert "The algorithms just watch" not in said and "depends on the algorithm." in said


def test_consistent_and_complete_are_two_properties_and_each_can_fail_alone(client: TestClient) -> None:
    told = rows(client.get("/compare/two-checks?with=no-channels&with=late-marker&with=chandy-lamport&lang=en").text)
    assert told["consistent"] == ["✓ holds", "✕ fails", "✓ holds"]
    incomplete, inconsistent, right = told["channels"]
    assert incomplete == "✕ fails" and inconsistent != "✕ fails" and right == "✓ holds"
    assert told["conserved"] == ["✕ fails", "✕ fails", "✓ holds"]


def test_each_column_says_what_became_of_its_snapshot(client: TestClient) -> None:
    html = client.get("/compare/photographs-two?lang=en").text
    said = re.findall(r'class="column-verdict says-(\w+)"[^>]*>([^<]+)<', html)
    assert [tone for tone, _ in said] == ["wrong", "right"] and "wrong" in said[0][1]
    assert html.count('<section class="column over"') == 2


def test_without_scripts_a_beat_shows_what_is_true_there_and_no_verdict_before_the_end(client: TestClient) -> None:
    page = "/compare/photographs-two?lang=en"
    begin = unescape(client.get(f"{page}&beat=0").text)
    assert 'class="column over"' not in begin and "Before the first application event" in begin
    assert re.findall(r"/step/(\d+)\.svg", begin) == ["0", "0"] == re.findall(r"◆</span> <b>(\d+)", begin)
    walk = re.findall(r'<a class="button" href="([^"]*beat=\d+)"', begin)
    assert len(walk) == 2, "forward, and to the end"
    one, end = (unescape(client.get(each).text) for each in walk)
    assert "Event 1 of" in one and 'class="column over"' not in one
    assert end.count('class="column over"') == 2 and re.findall(r"◆</span> <b>(\d+)", end) != ["0", "0"]


def test_without_a_wish_a_right_algorithm_stands_beside_one_with_other_rules() -> None:
    own, other = pair(LIBRARY.scenario("blue-figure"))
    assert own == "chandy-lamport" and other not in ("merged", "spezialetti-kearns")
    assert pair(LIBRARY.scenario("photographs-two")) == ["photographs", "chandy-lamport"]


def test_only_one_sheet_is_open_at_a_time(client: TestClient) -> None:
    html = client.get("/compare/counted-twice?with=aligned&with=photographs").text
    assert len(re.findall(r'<details[^>]*name="compare"', html)) == 2


@pytest.mark.parametrize("name", ["eighty-coins", "work-done", "save-and-crash"])
def test_what_people_did_stands_beside_what_the_rule_would_have_done(client: TestClient, name: str) -> None:
    live = LiveRun(LIBRARY.scenario(name))
    live.act(str(live.possible([SEND])[0]["text"]))
    live.started()
    live.photographed()
    if name == "save-and-crash":
        live.crashed("B")
    door = next(
        unescape(each)
        for each in re.findall(r'href="(/compare/[^"]+)"', client.get(_of_run(live)).text)
        if "of=" in each
    )
    html = client.get(f"{door}&lang=en").text
    assert re.findall(r'class="column-verdict says-(\w+)"', html) == ["wrong", "right"]
    assert f"<p>{word('compare.deeds', 'en')}</p>" in html and 'id="choose"' not in html
    by_rule = record(live.scenario, live.as_it_should())
    page = carried(html, "data-page")
    assert [tuple(each["steps"]) for each in page["columns"]] == list(beats([live_run(live), by_rule]).steps)
    assert page["columns"][0]["controls"][-1] == 0 and page["columns"][1]["controls"][-1] == 6


def live_run(live: LiveRun) -> Run:
    """Return what people did as a run."""
    return record(live.scenario, live.key)


def _of_run(live: LiveRun) -> str:
    """Return the address of what people did."""
    return Address(live.scenario.name, live.scenario, live.key).url()


@pytest.mark.parametrize(
    "of",
    ["", "seed=3", "algorithm=by-hand", "algorithm=by-hand&choices=3:0&manual=1", "algorithm=by-hand&manual=1&v=old"],
)
def test_without_a_whole_run_by_hand_the_columns_are_those_that_were_asked_for(client: TestClient, of: str) -> None:
    asked = {"with": ["by-hand", "chandy-lamport"], "of": of, "lang": "en"}
    html = client.get("/compare/eighty-coins", params=asked).text
    assert 'id="choose"' in html


def test_choices_that_were_never_possible_say_so_in_both_columns(client: TestClient) -> None:
    of = "algorithm=by-hand&choices=0:9999&manual=1"
    asked = {"with": ["by-hand", "chandy-lamport"], "of": of, "lang": "en"}
    html = client.get("/compare/eighty-coins", params=asked).text
    assert html.count('class="column-reason"') == 2


def test_a_stage_in_words_is_a_link_until_somebody_opens_it(client: TestClient) -> None:
    page = unescape(client.get("/compare/three-banks?lang=en&with=chandy-lamport&with=photographs&beat=2").text)
    assert page.count('<details class="column-words">') == 2
    step, piece = re.findall(r'data-from="(.*?)"><a href="(.*?)"', page)[0][::-1]
    assert "/step/" in step and 'aria-label="The picture in words"' in client.get(step).text
    assert "<li>Channel N1→N2: in flight: 3</li>" in client.get(f"{piece}&step=2").text
