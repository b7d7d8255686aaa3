"""Theorem 1 with its proof on a page: in both languages, for every run, and from where it is reached."""

import re
from html import unescape

import pytest
from fastapi.testclient import TestClient

from app.course.claim import NOTES
from app.course.glossary import GLOSSARY
from app.pictures.theorem_steps import STEPS
from app.scenario.library import LIBRARY
from app.web.reference.theory.theorem_1 import maths
from app.words.catalogues import LANGUAGES, word
from tests.each import each
from tests.often import some
from tests.web.reference.theory.test_swap_game import page


def text(html: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", "", html)).split())


def statuses(html: str) -> list[str]:
    return re.findall(r'data-step="\w+" data-status="(\w+)"', html)


def step(html: str, number: int) -> str:
    """Return a step of the proof with what it says of the run, as text."""
    return text(html.split(f'id="step-{number}"', 1)[1].split('class="theorem-row', 1)[0])


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_theorem_and_every_step_are_told_in_both_languages(client: TestClient, language: str) -> None:
    html = page(client, f"/theorem/state-that-never-was?lang={language}")
    told = text(html)
    for part in ("says", "says.events", "says.order", "says.states", "says.recorded", "so", "termination.path"):
        assert text(str(maths(word(f"theorem.{part}", language)))) in told, part
    for name in STEPS:
        assert word(f"theorem.{name}", language) in told
        assert text(str(maths(word(f"theorem.{name}.says", language)))) in told
    assert "https://www.isa-afp.org/entries/Chandy_Lamport.html" in html and "arxiv.org/abs/1506.08603" in html


def test_beside_each_step_are_the_events_of_the_run(client: TestClient) -> None:
    html = page(client, "/theorem/state-that-never-was?lang=en")
    assert 'data-holds="all"' in html and statuses(html) == ["holds"] * 8
    assert "e0p sends m on p→q postrecordingstep 2e1q sends m' on q→p prerecordingstep 3" in step(html, 1)
    assert "The first such pair: an event of p, then one of q." in step(html, 2)
    assert "p sends on p→q at step 2. Its marker went out there at step 1, ahead of the message." in step(html, 3)
    assert "p A q D q→p m'" in step(html, 4)
    assert "Pairs out of order: 1. Swaps needed: 1." in step(html, 5)
    assert "S*, the recorded statep A q D q→p m'" in step(html, 8)
    assert "S* is none of the states between Sι and Sφ that occurred." in text(html)
    links = [unescape(link) for link in re.findall(r'href="(/[^"]+)"', html)]
    for part in ("/run/state-that-never-was?step=2&lang=en&", "/swap/state-that-never-was?snapshot=1&swaps=1&"):
        assert any(link.startswith(part) for link in links), part
    assert any("/cuts/" in link and "cut=0,1" in link for link in links)
    assert any("/states/" in link and "at=0,1&of=1" in link for link in links)
    assert any("manual=1" in link for link in links)


@pytest.mark.slow
@each("name", LIBRARY.names)
def test_every_run_shows_the_proof_or_says_why_not(client: TestClient, name: str) -> None:
    html = page(client, f"/theorem/{name}?lang=en")
    holds = re.findall(r'id="verdict" data-holds="(\w+)"', html)
    assert len(holds) == 1
    found = statuses(html)
    if holds == ["all"]:
        assert found == ["holds"] * len(STEPS)
    elif holds[0] in STEPS:
        broken = STEPS.index(holds[0])
        assert found == ["holds"] * broken + ["fails"] + ["later"] * (len(STEPS) - broken - 1)
        assert "proof-wrong" in html.split(f'id="step-{broken + 1}"', 1)[1].split("</li>", 1)[0]
    else:
        assert holds[0] in ("open", "none") and found == []


@pytest.mark.parametrize("name", some(LIBRARY.names(), 16))
def test_the_links_beside_a_proof_lead_somewhere_and_it_is_told_in_both_languages(
    client: TestClient, name: str
) -> None:
    html = page(client, f"/theorem/{name}?lang=en")
    for link in {unescape(link) for link in re.findall(r'href="(/(?:swap|cuts|states|stable|theorem)/[^"]+)"', html)}:
        assert client.get(link).status_code == 200, link
    assert 'data-status="' in page(client, f"/theorem/{name}?lang=zh") or not statuses(html)


def test_where_a_step_fails_the_reason_is_told(client: TestClient) -> None:
    late = step(page(client, "/theorem/late-marker?lang=en"), 3)
    assert "P sends 4 at step 2, after it recorded. Q receives 4 at step 4, before it records." in late
    assert "The marker on P→Q goes out only at step 3, behind 4." in late
    lost = step(page(client, "/theorem/non-fifo-lost?lang=en"), 7)
    assert (
        "3 on P→Q is in flight here and is not recorded: it arrives at step 6, and the marker came at step 4." in lost
    )
    missing = step(page(client, "/theorem/no-channels?lang=en"), 7)
    assert "is in flight here and is not recorded." in missing
    open_ = text(page(client, "/theorem/chain-from-b?lang=en"))
    assert "Snapshot 1 is not complete in this run." in open_ and "No path leads from an initiator to A." in open_
    assert "This run takes no snapshot" in text(page(client, "/theorem/domino?lang=en"))


def test_each_snapshot_has_its_proof_and_others_are_refused(client: TestClient) -> None:
    html = page(client, "/theorem/ring-five?snapshot=2&lang=en")
    assert re.search(r'snapshot=2[^"]*" aria-current="true">Snapshot 2<', html)
    assert "Every step of the proof holds for snapshot 2" in text(html)
    assert "this run has no snapshot 7" in page(client, "/theorem/ring-five?snapshot=7&lang=en", 400)
    assert "Every step" in text(page(client, "/theorem/ring-five?snapshot=7&v=0-0&lang=en"))


def test_under_another_algorithm_the_proof_is_that_of_its_run(client: TestClient) -> None:
    html = page(client, "/theorem/state-that-never-was?algorithm=late-marker&lang=en")
    assert 'data-holds="message"' in html and "algorithm=late-marker" in html


def test_names_of_processes_cannot_break_the_page_by_what_looks_like_an_index() -> None:
    assert maths("<b>e_(j−1)</b> S′_k one_two") == (
        "&lt;b&gt;<i>e</i><sub>j−1</sub>&lt;/b&gt; <i>S</i>′<sub>k</sub> one_two"
    )


def test_no_line_ends_beside_a_relation() -> None:
    assert maths("i < ι: e_i = S_k") == "i\xa0&lt;\xa0ι: <i>e</i><sub>i</sub>\xa0=\xa0<i>S</i><sub>k</sub>"


def test_it_is_reached_from_the_hub_the_game_the_glossary_the_lesson_and_the_claim(client: TestClient) -> None:
    assert client.get("/theorem").headers["location"] == "/theorem/state-that-never-was"
    assert 'href="/theorem"' in page(client, "/reference")
    assert "/theorem/slow-marker?snapshot=1" in unescape(page(client, "/swap/slow-marker"))
    assert (GLOSSARY.glossary().forms["theorem-1"].shows or "").startswith("/theorem/")
    assert 'href="/theorem/state-that-never-was' in page(client, "/lessons/state-that-never-was?end=1")
    rows = {row.id: row for note in NOTES.notes() for row in note.form.rows}
    assert rows["C14"].shows[0].place == "theorem"


@pytest.mark.parametrize("name", ["wall-clock-lucky", "lai-yang", "causal-token"])
def test_where_there_are_no_markers_only_the_conclusion_is_said_to_hold(client: TestClient, name: str) -> None:
    html = text(page(client, f"/theorem/{name}?lang=en"))
    assert "The argument below does not show it: it needs markers and FIFO channels" in html
    assert "Every step of the proof holds" not in html and html.count("the argument does not apply") == 3
