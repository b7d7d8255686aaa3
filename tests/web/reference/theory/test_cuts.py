"""Any cut through a run, without scripts: the verdict, the picture, the buttons, the form."""

import json
import re
from itertools import product

import pytest
from fastapi.testclient import TestClient


def page(client: TestClient, query: str = "", name: str = "which-cut", status: int = 200) -> str:
    answer = client.get(f"/cuts/{name}?lang=en{query}")
    assert answer.status_code == status, answer.text
    return answer.text


def region(html: str, name: str) -> str:
    """Return the text between the element with an id and the end of its section, without tags."""
    part = html.split(f'id="{name}"')[1].split("</section>")[0].split(">", 1)[1]
    return " ".join(re.sub(r"<[^>]+>", " ", part).split())


def fates(html: str) -> dict[str, str]:
    """Return what the picture makes of each message that has words, by its words."""
    by_id = dict(re.findall(r'data-identity="(\d+)"[^>]*data-fate="(\w+)"', html))
    said = re.findall(r'<text data-said="(\d+)"[^>]*>([^<]+)<', html)
    return {text: by_id[number] for number, text in said}


def test_the_first_cut_is_the_recorded_one(client: TestClient) -> None:
    html = page(client)
    assert "This cut is consistent" in region(html, "cuts-verdict")
    assert re.search(r'name="cut" min="0" max="3" value="2"', html)
    assert fates(html) == {"m1": "plain", "m2": "plain", "m3": "crossing", "m4": "crossing", "m5": "plain"}
    assert "<dt>P→R</dt><dd>m3</dd>" in html and "<dt>R→Q</dt><dd>m4</dd>" in html


def test_an_orphan_is_named_and_drawn(client: TestClient) -> None:
    html = page(client, "&cut=0,2,0")
    told = region(html, "cuts-verdict")
    assert "not consistent" in told and "Q receives m1 before the cut, but P sends it after the cut." in told
    assert fates(html)["m1"] == "orphan" and fates(html)["m2"] == "crossing"
    assert re.search(r'href="[^"]*cut=1,2,0[^"]*" data-cut-to="1,2,0" id="cuts-above"', html)
    assert re.search(r'href="[^"]*cut=0,0,0[^"]*" data-cut-to="0,0,0" id="cuts-below"', html)
    assert "Q 在割集之前收到 m1" in client.get("/cuts/which-cut?cut=0,2,0&lang=zh").text


def test_the_page_agrees_with_the_oracle_on_cuts_of_every_kind(client: TestClient) -> None:
    for cut in product((0, 2, 3), (0, 2, 4), (0, 1, 3)):
        html = page(client, f"&cut={','.join(map(str, cut))}")
        plan = json.loads(html.split('id="cuts-plan">')[1].split("</script>")[0])
        assert plan["cut"] == list(cut)
        wrong = [
            said["said"]
            for said in plan["plan"]["letters"]
            if said["received"]
            and said["received"][1] <= cut[said["received"][0]]
            and said["sent"][1] > cut[said["sent"][0]]
        ]
        assert ("is not consistent" in region(html, "cuts-verdict")) == bool(wrong)
        assert [text for text, fate in fates(html).items() if fate == "orphan"] == wrong


def test_one_moment_for_all_is_asked_for_by_its_step(client: TestClient) -> None:
    html = page(client, "&instant=3")
    assert "This cut is consistent" in region(html, "cuts-verdict") and fates(html)["m2"] == "crossing"
    xs = {
        place.split()[0] for place in re.findall(r'data-handle="\d" data-y="\S+" transform="translate\(([^)]+)\)', html)
    }
    assert len(xs) == 1, "it is one straight line"


def test_clocks_and_the_cone_are_drawn_when_asked_for(client: TestClient) -> None:
    plain, html = page(client), page(client, "&clocks=1&event=R:1")
    assert 'data-clocks="" ' in plain and re.search(r"data-clocks=[^>]*display=\"none\"", plain)
    assert not re.search(r"data-clocks=[^>]*display=\"none\"", html) and ">(1,2,1)</text>" in html
    assert "Events that could have influenced it: 3." in region(html, "cuts-cone")
    assert 'data-event="P:2" opacity="0.25"' in html and 'data-event="Q:2" opacity' not in html
    assert "clocks=1" in html.split('id="cuts-below"')[0].rsplit("href=", 1)[1]


def test_the_form_asks_for_the_same_run(client: TestClient) -> None:
    html = client.get("/cuts/three-banks?algorithm=lai-yang&clocks=1&cut=1&cut=1&cut=0&lang=en").text
    form = html.split('id="cuts-numbers"')[1].split("</form>")[0]
    assert 'name="algorithm" value="lai-yang"' in form and 'name="clocks" value="1"' in form
    assert re.findall(r'name="cut"[^>]* value="(\d)"', form) == ["1", "1", "0"]


def test_large_type_stays_with_another_cut(client: TestClient) -> None:
    html = client.get("/cuts/which-cut?presenter=1&clocks=1&cut=0,2,2&lang=en").text
    assert '<body class="about presenter"' in html
    assert 'name="presenter" value="1"' in html.split('id="cuts-numbers"')[1].split("</form>")[0]
    links = re.findall(r'href="(/cuts/which-cut[^"]*)" data-(?:cut|event)-to', html)
    assert links and all("presenter=1" in link for link in links)
    small = re.findall(r'id="presenter" href="([^"]*)"', html)[0]
    assert "presenter" not in small and "cut=0,2,2" in small and "clocks=1" in small


@pytest.mark.parametrize("wrong", ["cut=1,2", "cut=a,b,c", "cut=1,-1,0"])
def test_a_cut_that_cannot_be_read_is_refused(client: TestClient, wrong: str) -> None:
    assert "as many whole numbers as there are processes, 3" in page(client, f"&{wrong}", status=400)


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ("/cuts/which-cut?cut=99,99,99", "cut: P has 3 events in this run, so its number is at most 3"),
        ("/cuts/which-cut?instant=19", "instant: this run has 18 steps, not 19"),
        ("/cuts/which-cut?event=P:9", "P:9&#39; is not an event of this run"),
        ("/cuts/which-cut?event=P:0000019", "P:0000019&#39; is not an event of this run"),
        ("/cuts/which-cut?event=nobody:1", "nobody:1&#39; is not an event of this run"),
        ("/states/which-cut?at=99,99,99", "is not a cut of this run"),
        ("/states/which-cut?of=7", "of: there is no snapshot 7 with a consistent cut in this run"),
        ("/swap/which-cut?swaps=99", "swaps: 99 is not the place of an event"),
        ("/swap/which-cut?snapshot=7", "snapshot: this run has no snapshot 7"),
        ("/blank/which-cut?snapshot=7", "snapshot: this run has no snapshot 7"),
        ("/stable/which-cut?left=P&right=nobody", "choose two different processes of this run"),
    ],
)
def test_a_wrong_value_in_an_address_is_told_not_changed(client: TestClient, wrong: str, told: str) -> None:
    answer = client.get(f"{wrong}&lang=en")
    assert answer.status_code == 400 and told in answer.text
    fine = wrong.partition("?")[0]
    stale = client.get(f"{wrong}&v=0-stale&lang=en")
    assert client.get(fine).status_code == 200
    assert stale.status_code == 200 or fine.startswith("/stable"), "an old link shows the run from its beginning"


@pytest.mark.parametrize("place", ["cuts", "states", "swap", "blank", "compare"])
def test_without_a_run_the_rest_of_the_address_is_kept(client: TestClient, place: str) -> None:
    answer = client.get(f"/{place}?lang=zh&algorithm=lai-yang", follow_redirects=False)
    where, _, query = answer.headers["location"].partition("?")
    assert where.startswith(f"/{place}/") and query == "lang=zh&algorithm=lai-yang"
    assert "?" not in client.get(f"/{place}", follow_redirects=False).headers["location"]


def test_a_long_run_has_no_picture_and_still_an_answer(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "cuts-picture" in page(client)
    monkeypatch.setattr("app.pictures.chosen_cut.MOST_STEPS", 17)
    html = page(client, "&cut=0,2,0")
    assert "This run has 18 steps, too many for one picture." in html
    assert "cuts-picture" not in html and "cuts-plan" not in html and "joined/cuts" not in html
    assert "Q receives m1 before the cut" in region(html, "cuts-verdict") and 'id="cuts-numbers"' in html


@pytest.mark.parametrize("name", ["barriers-wait", "crash-both-ways", "born-after", "lossy-network", "sequenced"])
def test_runs_of_every_kind_have_their_cuts(client: TestClient, name: str) -> None:
    html = page(client, "&clocks=1", name=name)
    assert "cuts-plan" in html and "Point at an event" in html


def test_a_cut_with_an_orphan_gives_the_channels_no_state(client: TestClient) -> None:
    some = region(page(client, "&cut=0,2,0"), "cuts-none")
    assert some.startswith("An inconsistent cut has no channel states. These messages still cross it forwards: Q→R m2")
    none = region(page(client, "&cut=0,1,0"), "cuts-none")
    assert none.startswith("An inconsistent cut has no channel states. Nothing crosses it forwards.")
    assert region(page(client, "&cut=0,0,0"), "cuts-none").startswith("Nothing crosses the cut forwards: every channel")


def test_where_everything_was_taken_back_nothing_can_be_cut_and_the_run_before_is_offered(client: TestClient) -> None:
    html = page(client, name="domino")
    assert "There is nothing left to cut." in html and 'type="range"' not in html and "cuts-plan" not in html
    states = client.get("/states/domino?lang=en").text
    assert "Only the initial state is left." in states
    for told in (html, states):
        before = re.search(r'<a href="(/run/domino[^"]*)">The run before it rolled back', told)
        assert before and client.get(before[1].replace("&amp;", "&")).status_code == 200


def test_the_picture_of_a_cut_has_no_labels_of_what_was_taken_back(client: TestClient) -> None:
    part = page(client, name="crash-both-ways").split('data-setback=""')[1].split("</g>")[0]
    assert "<path" in part and "<text" not in part
