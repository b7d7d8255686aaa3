"""The editor's answers: checking, the form, running, sharing, the API; and what they refuse."""

import hashlib
import html
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.core.model.values import Json
from app.forms.yaml_source import read
from app.paths import SCENARIOS
from app.scenario.library import LIBRARY
from app.web.app import Settings, create_app
from app.web.base.store import Store
from app.web.shared.own_scenario import keep, values_of
from app.words.catalogues import word
from tests.often import some

TEXT = """\
# mine
title: {en: Two, zh: 两个}
topology:
  processes: [A, B]
  channels: [A->B, B->A]
program: {kind: bank, accounts: {A: 10, B: 20}}
script:
  - start: A
  - send: {on: B->A, message: 5}
"""

HOSTILE = (
    "<img src=x onerror=alert(1)>",
    "<script>alert(1)</script>",
    "{{7*7}}",
    "</textarea><svg onload=alert(1)>",
    "\u202eevil",
    "javascript:alert(1)",
    '" onfocus="alert(1)" autofocus="',
    "' hx-get='/x' hx-trigger='load",
)


def post(
    client: TestClient,
    path: str,
    text: str,
    more: Mapping[str, str] | None = None,
    *,
    htmx: bool = False,
    **fields: str,
) -> Any:
    """Post the editor's form, as a browser or as htmx."""
    return client.post(
        path, data={"text": text, **(more or {}), **fields}, headers={"hx-request": "true"} if htmx else {}
    )


def textarea(page: str) -> str:
    """Return what the text area holds."""
    found = re.search(r'<textarea id="editor-text".*?>\n(.*?)</textarea>', page, re.S)
    assert found
    return html.unescape(found[1])


def form_fields(page: str) -> dict[str, str]:
    """Return the fields of the form that are not rows."""
    return dict(re.findall(r'<input type="hidden" name="(\w+)" value="(.*?)">', page))


# --- the page ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_blank_page_begins_with_a_scenario_that_is_right(client: TestClient, language: str) -> None:
    page = client.get(f"/editor?lang={language}")
    assert page.status_code == 200
    assert word("editor.right", language) in page.text
    assert textarea(page.text) == word("editor.blank", language)
    assert 'aria-invalid="true"' not in page.text


def test_a_library_scenario_is_shown_as_it_is_written(client: TestClient) -> None:
    page = client.get("/editor?from=blue-figure")
    assert textarea(page.text) == LIBRARY.files()["blue-figure"].read_text(encoding="utf-8")
    assert '<option value="blue-figure" selected>' in page.text


@pytest.mark.parametrize("name", some(LIBRARY.names(), 9))
def test_every_library_scenario_can_be_edited(client: TestClient, name: str) -> None:
    page = client.get(f"/editor?from={name}")
    assert page.status_code == 200
    assert word("editor.right", "en") in page.text


def test_an_own_scenario_is_shown_as_text_again(client: TestClient) -> None:
    ref = post(client, "/editor/run", TEXT).headers["location"].removeprefix("/run/")
    text = textarea(client.get("/editor", params={"from": ref}).text)
    assert read(text, "scenario", limit=10_000).values == read(TEXT, "scenario", limit=10_000).values


@pytest.mark.parametrize("ref", ["no-such", "x-00000000000000000000"])
def test_an_unknown_scenario_is_not_found(client: TestClient, ref: str) -> None:
    assert client.get(f"/editor?from={ref}").status_code == 404


@pytest.mark.parametrize("ref", ["1.garbage", "../pyproject", "/etc/passwd", "1." + "A" * 4_000])
def test_a_broken_ref_is_refused_politely(client: TestClient, ref: str) -> None:
    answer = client.get("/editor", params={"from": ref})
    assert answer.status_code in (400, 404)
    assert "Traceback" not in answer.text


# --- checking ---------------------------------------------------------------------------------------------------

HEAD = "title: {en: A, zh: B}\ntopology: {ring: 3}\n"

MISTAKES: dict[str, tuple[int | None, str]] = {
    HEAD + "program: {kind: token, holders: {P9: 1}}": (3, "program.holders.P9"),
    "title: {en: A, zh: B}\n\n\ntopology:\n  processes: [A]\n  channels: [A->C]\nprogram: {kind: token, holders: {}}": (
        6,
        "topology.channels[0]",
    ),
    "title: {en: A, zh: B}\ntopolgy: {ring: 3}\nprogram: {kind: token, holders: {}}": (None, ""),
    HEAD + "program: {kind: token, holders: {}}\nscript:\n  - start: P1\n  - strat: P2": (6, "script[1].strat"),
    HEAD + "program: {kind: token, holders: {P1: 1}}\nscript:\n  - send: {on: P2->P3}": (5, "script[0]"),
    "title: [unclosed\ntopology: {ring: 3}": (2, ""),
    "a: &x 1\nb: *x": (1, ""),
    "a: 1\nb: !!python/object:os.system 2": (2, ""),
    "a: 1\na: 2": (2, "a"),
}


@pytest.mark.parametrize("htmx", [False, True])
@pytest.mark.parametrize("text", MISTAKES)
def test_a_mistake_is_told_with_its_line_and_its_field(client: TestClient, text: str, htmx: bool) -> None:
    line, field = MISTAKES[text]
    answer = post(client, "/editor/check", text, htmx=htmx)
    assert answer.status_code == 200
    if line:
        assert f'data-line="{line}"' in answer.text
        assert word("editor.wrong.line", "en", line=line) in answer.text
    else:
        assert word("editor.wrong.line", "en", line=2) in answer.text or word("editor.wrong", "en") in answer.text
    assert f"<code>{field}</code>" in answer.text if field else True


def test_a_wrong_text_comes_back_as_it_was(client: TestClient) -> None:
    text = "\n\ntitle: [\n  <b>&amp; 'x'\n\t\n"
    page = post(client, "/editor/check", text.replace("\n", "\r\n"))
    assert textarea(page.text) == text
    assert 'aria-invalid="true"' in page.text
    assert 'aria-describedby="editor-verdict"' in page.text


def test_htmx_gets_only_what_follows_the_text(client: TestClient) -> None:
    answer = post(client, "/editor/check", TEXT, htmx=True)
    assert "<html" not in answer.text
    assert '<textarea id="editor-text"' not in answer.text
    assert answer.text.count("<hx-partial") == 4


def test_the_verdict_says_what_the_run_will_do(client: TestClient) -> None:
    answer = post(client, "/editor/check", TEXT, htmx=True).text
    assert word("editor.counts", "en", processes=2, channels=2) in answer
    assert word("editor.steps", "en", steps=6) in answer
    assert word("editor.complete", "en") in answer
    assert word("editor.consistent", "en") in answer


def test_a_snapshot_that_cannot_complete_says_whom_no_path_leads_to(client: TestClient) -> None:
    text = (
        "title: {en: A, zh: B}\ntopology: {chain: 2}\nprogram: {kind: token, holders: {P1: 1}}\nscript: [{start: P2}]"
    )
    answer = post(client, "/editor/check", text, htmx=True).text
    assert "no path leads to P1" in answer


def test_a_snapshot_that_is_wrong_is_called_so(client: TestClient) -> None:
    answer = client.get("/editor?from=photographs-two").text
    assert word("editor.inconsistent", "en") in answer


def test_a_long_run_is_only_begun(client: TestClient) -> None:
    text = (
        "title: {en: A, zh: B}\ntopology: {complete: 20}\nprogram: {kind: token, holders: {P1: 9}}\n"
        "schedule: {kind: seeded, moves: 20000}\nsteps: 20000"
    )
    assert word("editor.steps.more", "en", steps=300) in post(client, "/editor/check", text, htmx=True).text


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("#" * 16_385, "16,385 bytes; at most 16,384"),
        ("[" * 5_000 + "]" * 5_000, "nested more than 20 deep"),
        ("a: &a [x]\nb: &b [*a, *a, *a]\nc: [*b, *b, *b]", "aliases"),
        ("\x00", "not YAML"),
        ("", "empty"),
    ],
)
def test_bombs_are_refused_with_a_sentence(client: TestClient, text: str, says: str) -> None:
    for path in ("/editor/check", "/editor/run", "/editor/share", "/editor/form"):
        assert says in post(client, path, text).text


def test_exactly_16_kib_of_text_are_read(client: TestClient) -> None:
    text = TEXT + "#" * (16_384 - len(TEXT.encode()))
    assert len(text.encode()) == 16_384
    assert word("editor.right", "en") in post(client, "/editor/check", text).text
    assert "at most 16,384" in post(client, "/editor/check", text + "#").text


def test_another_language_is_one_link_away_even_where_something_was_posted(client: TestClient) -> None:
    page = post(client, "/editor/check", TEXT, {"from": "queue"})
    switch = re.search(r'id="switch" href="(.*?)"', page.text)
    assert switch
    assert html.unescape(switch[1]) == "/editor?from=queue&lang=zh"
    for path in ("check", "form", "run", "share"):
        assert client.get(f"/editor/{path}?lang=zh").headers["location"] == "/editor?lang=zh"


def test_who_reads_chinese_is_told_the_mistake_in_chinese(client: TestClient) -> None:
    text = TEXT.replace("start: A", "start: R")
    page = client.post("/editor/check", data={"text": text}, headers={"accept-language": "zh"}).text
    told_ = html.unescape(page.split('id="editor-verdict"')[1].split("</div>")[0])
    assert "没有名为 R 的进程；已有：A、B" in told_
    assert "no process" not in page
    assert 'lang="en"' not in told_


# --- the form ---------------------------------------------------------------------------------------------------


def test_a_change_in_the_form_changes_the_text_and_keeps_its_comments(client: TestClient) -> None:
    of = form_fields(post(client, "/editor/check", TEXT).text)["of"]
    page = post(client, "/editor/form", TEXT, {"of": of, "process.1.first": "25"})
    assert textarea(page.text) == TEXT.replace(
        "program: {kind: bank, accounts: {A: 10, B: 20}}\n",
        "program:\n  kind: bank\n  accounts: {A: 10, B: 25}\n",
    )


def test_a_button_of_the_form_works_without_javascript(client: TestClient) -> None:
    of = form_fields(post(client, "/editor/check", TEXT).text)["of"]
    page = post(client, "/editor/form", TEXT, of=of, do="script.remove.1")
    assert "send:" not in textarea(page.text)
    assert "- start: A" in textarea(page.text)


def test_htmx_gets_the_text_that_the_form_made(client: TestClient) -> None:
    of = form_fields(post(client, "/editor/check", TEXT).text)["of"]
    answer = post(client, "/editor/form", TEXT, htmx=True, of=of, do="process.add")
    assert 'hx-target="#editor-next"' in answer.text
    assert "A, B, P1" in html.unescape(answer.text)


def test_a_form_of_another_text_changes_nothing_and_says_so(client: TestClient) -> None:
    page = post(client, "/editor/form", TEXT, of="0" * 16, do="script.remove.1")
    assert textarea(page.text) == TEXT
    assert word("editor.outdated", "en") in page.text


def test_a_form_of_a_text_that_cannot_be_read_changes_nothing(client: TestClient) -> None:
    page = post(
        client, "/editor/form", "a: [", of=form_fields(post(client, "/editor/check", "a: [").text)["of"], do="x"
    )
    assert textarea(page.text) == "a: ["
    assert word("editor.form.wrong", "en") in page.text


def test_what_cannot_be_done_is_not_offered_and_what_comes_of_a_button_is_told(client: TestClient) -> None:
    seeded = client.get("/editor?from=regions-on-a-grid").text
    assert 'value="process.add"' in seeded
    assert 'value="script.add"' not in seeded
    page = client.get("/editor").text
    lost = post(client, "/editor/form", textarea(page), form_fields(page), do="script.remove.0").text
    assert word("editor.lost", "en", lines=2) in lost
    alone = post(client, "/editor/form", textarea(page), form_fields(page), do="process.remove.1").text
    assert word("editor.channels", "en") in page and word("editor.channels", "en") not in alone.partition("<h3>")[2]
    text = TEXT + "  - deliver: B->A\n"
    page = post(client, "/editor", text).text
    stays = post(client, "/editor/form", text, form_fields(page), do="script.up.2").text
    assert textarea(stays) == text
    assert word("editor.refused", "en") in stays


def test_a_long_list_is_edited_as_text(client: TestClient) -> None:
    text = "title: {en: A, zh: B}\ntopology: {ring: 61}\nprogram: {kind: token, holders: {P1: 1}}"
    assert word("editor.form.none", "en") in html.unescape(post(client, "/editor/check", text).text)


def test_a_dataflow_has_a_form_with_what_each_process_does(client: TestClient) -> None:
    text = (SCENARIOS / "barriers-wait.yaml").read_text("utf-8")
    seen = html.unescape(post(client, "/editor/check", text).text)
    for said in ("editor.first.dataflow", "editor.kind.read", "editor.kind.crash", "editor.add.source"):
        assert word(said, "en") in seen
    assert 'name="process.1.first" value="source=[1, 2, 3]"' in seen and '<option value="send"' not in seen


def test_the_preview_says_that_a_checkpoint_was_aborted(client: TestClient) -> None:
    text = (SCENARIOS / "end-gives-up.yaml").read_text("utf-8")
    seen = html.unescape(post(client, "/editor/check", text).text)
    assert f"Snapshot 1: {word('editor.aborted', 'en')}" in " ".join(re.sub("<[^>]*>", " ", seen).split())


# --- running and sharing ----------------------------------------------------------------------------------------


def test_running_leads_to_the_run(client: TestClient) -> None:
    answer = post(client, "/editor/run", TEXT)
    assert answer.status_code == 303
    ref = answer.headers["location"].removeprefix("/run/")
    assert values_of(ref, Store(Path("/nowhere"))) == read(TEXT, "scenario", limit=10_000).values


def test_a_script_that_runs_it_is_led_to_the_run(client: TestClient) -> None:
    there = post(client, "/editor/run", TEXT).headers["location"]
    answer = post(client, "/editor/run", TEXT, htmx=True)
    assert (answer.status_code, answer.headers["hx-redirect"]) == (204, there)


def test_running_a_mistake_shows_it_and_loses_nothing(client: TestClient) -> None:
    text = TEXT.replace("message: 5", "message: 500")
    page = post(client, "/editor/run", text)
    assert page.status_code == 422
    assert textarea(page.text) == text
    assert 'data-line="9"' in page.text


def test_the_same_text_has_the_same_link(client: TestClient) -> None:
    links = {post(client, "/editor/run", text).headers["location"] for text in (TEXT, TEXT + "\n# other words\n")}
    assert len(links) == 1


def test_sharing_shows_the_whole_link(client: TestClient) -> None:
    page = post(client, "/editor/share", TEXT)
    link = re.search(r'<input id="editor-link".*?value="(.*?)">', page.text)
    assert link
    assert link[1] == "http://testserver" + post(client, "/editor/run", TEXT).headers["location"]


def test_a_store_that_cannot_be_written_is_told_and_small_scenarios_still_work(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    client = TestClient(create_app(Settings(data=tmp_path / "file")), follow_redirects=False)
    noise = [hashlib.sha256(bytes([i])).hexdigest()[:60] for i in range(120)]
    large = TEXT + "".join(f"  - {{send: {{on: B->A, message: 0}}, say: {{en: {word_}, zh: ''}}}}\n" for word_ in noise)
    page = post(client, "/editor/share", large)
    assert page.status_code == 422
    assert "cannot be written; a smaller scenario travels inside its link" in html.unescape(page.text)
    assert textarea(page.text) == large
    assert post(client, "/editor/run", TEXT).status_code == 303


# --- the API ----------------------------------------------------------------------------------------------------


def test_the_api_makes_an_address_of_values_and_of_yaml(client: TestClient) -> None:
    values = read(TEXT, "scenario", limit=10_000).values
    by_values = client.post("/api/scenarios", json=values)
    by_yaml = client.post("/api/scenarios", json={"yaml": TEXT})
    assert by_values.status_code == by_yaml.status_code == 200
    assert by_values.json() == by_yaml.json()
    assert by_values.json()["url"] == "/run/" + by_values.json()["ref"]


def test_the_api_keeps_what_is_too_large_for_a_link(client: TestClient) -> None:
    values = read(TEXT, "scenario", limit=10_000).values
    values["script"] = [
        {"start": "A", "say": {"en": f"{i * i * 7919:x}", "zh": f"{i * 104_729:o}"}} for i in range(600)
    ]
    values["script"] = [{"send": {"on": "B->A", "message": 0}, "say": entry["say"]} for entry in values["script"]]
    ref = client.post("/api/scenarios", json=values).json()["ref"]
    assert re.fullmatch(r"x-[0-9a-f]{20}", ref)
    assert client.get("/editor", params={"from": ref}).status_code == 200


def test_the_api_tells_a_mistake_by_line_and_field(client: TestClient) -> None:
    answer = client.post("/api/scenarios", json={"yaml": TEXT.replace("start", "strat")})
    assert answer.status_code == 422
    told = answer.json()
    assert (told["line"], told["field"]) == (8, "script[0].strat")
    assert told["says"].startswith("unknown field; did you mean start or state? Known here: ")
    assert told["error"] == f"scenario, line 8: script[0].strat: {told['says']}"


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"null", b'{"a":NaN}', b"[" * 60_000, b"\xff\xfe", b'{"yaml": 1}'])
def test_the_api_refuses_garbage_with_a_sentence(client: TestClient, body: bytes) -> None:
    answer = client.post("/api/scenarios", content=body)
    assert answer.status_code == 422
    assert answer.json()["error"]


def test_the_api_reads_at_most_64_kib(client: TestClient) -> None:
    assert client.post("/api/scenarios", content=b" " * 65_537).status_code == 413


def large() -> Json:
    """Return a scenario that is too large for a link."""
    values = read(TEXT, "scenario", limit=10_000).values
    values["script"] = [
        {"send": {"on": "B->A", "message": 0}, "say": {"en": f"{i * i * 7919:x}", "zh": f"{i * 104_729:o}"}}
        for i in range(600)
    ]
    return values


def test_the_api_says_when_it_cannot_keep_a_scenario(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    client = TestClient(create_app(Settings(data=tmp_path / "file")))
    answer = client.post("/api/scenarios", json=large())
    assert answer.status_code == 503 and answer.headers["retry-after"] == "60"
    assert "cannot be written" in answer.json()["says"]


def test_the_api_says_when_a_client_saves_too_often_and_when_the_store_cannot_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = TestClient(create_app(Settings(data=tmp_path)))
    url = client.post("/api/scenarios", json=large()).json()["url"]
    monkeypatch.setattr("app.web.base.store.PER_HOUR", 1)
    answer = client.post("/api/scenarios", json=large() | {"tags": ["another"]})
    assert answer.status_code == 429 and "in this hour" in answer.json()["says"]
    assert 0 < int(answer.headers["retry-after"]) <= 3_600
    client.app.state.store.file.write_bytes(b"this is not SQLite" * 100)  # type: ignore[attr-defined]
    assert client.get(url).status_code == 503


# --- strangers --------------------------------------------------------------------------------------------------

FOREIGN = [
    {"sec-fetch-site": "cross-site"},
    {"sec-fetch-site": "same-site"},
    {"origin": "https://evil.example"},
    {"origin": "null"},
    {"origin": "http://testserver.evil.example"},
    {"origin": "http://testserver", "sec-fetch-site": "cross-site"},
]
OURS = [
    {},
    {"sec-fetch-site": "same-origin", "origin": "http://testserver"},
    {"sec-fetch-site": "none"},
    {"origin": "http://testserver"},
]


@pytest.mark.parametrize("headers", FOREIGN)
def test_what_other_sites_make_a_browser_post_is_refused(client: TestClient, headers: dict[str, str]) -> None:
    for path in ("/editor", "/editor/check", "/editor/form", "/editor/run", "/editor/share"):
        assert client.post(path, data={"text": TEXT}, headers=headers).status_code == 403
    assert client.post("/api/scenarios", json={"yaml": TEXT}, headers=headers).status_code == 403


@pytest.mark.parametrize("headers", OURS)
def test_our_own_pages_and_programs_may_post(client: TestClient, headers: dict[str, str]) -> None:
    assert client.post("/editor/run", data={"text": TEXT}, headers=headers).status_code == 303
    assert client.post("/api/scenarios", json={"yaml": TEXT}, headers=headers).status_code == 200


@pytest.mark.parametrize("word_", HOSTILE)
def test_hostile_words_are_shown_and_never_become_markup(client: TestClient, word_: str) -> None:
    quoted = word_.replace("'", "''")
    text = (
        f"title: {{en: '{quoted}', zh: '{quoted}'}}\ntopology: {{processes: [A, B], channels: [A->B]}}\n"
        f"program: {{kind: variables, values: {{A: {{X: '{quoted[:40]}'}}}}}}\n"
        f"script: [{{send: {{on: A->B, message: '{quoted[:40]}'}}}}, {{start: A}}, {{'{quoted}': 1}}]\n"
    )
    for answer in (
        post(client, "/editor/check", text),
        post(client, "/editor/check", text.replace(f", {{'{quoted}': 1}}", "")),
        post(client, "/editor/check", word_),
        post(client, "/editor/check", text, {"from": word_}),
        post(client, "/editor/check", text, htmx=True),
    ):
        assert answer.status_code == 200
        assert "<img" not in answer.text
        assert "alert(1)</script>" not in answer.text
        assert "<svg onload" not in answer.text
        assert not re.search(r"<[^>]* (onfocus|onerror|hx-get)=", re.sub(r'"[^"]*"', '""', answer.text))
        assert "49" not in re.sub(r"\s", "", answer.text).split("editor-verdict")[1].split("</div>")[0]


def test_a_link_to_a_hostile_scenario_opens_the_editor_unharmed(client: TestClient) -> None:
    values = read(TEXT, "scenario", limit=10_000).values | {"title": {"en": HOSTILE[3], "zh": HOSTILE[4]}}
    page = client.get("/editor", params={"from": keep(values, Store(Path("/nowhere")))})
    assert page.status_code == 200
    assert "<svg onload" not in page.text
    assert HOSTILE[3] in textarea(page.text)
    assert "\u202e" not in page.text


def test_a_form_with_too_many_fields_is_refused(client: TestClient) -> None:
    answer = client.post("/editor/check", data={f"f{i}": "" for i in range(2_100)})
    assert answer.status_code == 400
