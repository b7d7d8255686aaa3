import html
import json
import re

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from app.algorithms.registry import ALGORITHMS
from app.web.base import errors
from app.web.base.security_headers import Headers
from app.words.catalogues import LANGUAGES, word

WRONG = [
    ("/run/nope", 404, "no scenario is called"),
    ("/run/..%2f..%2fetc%2fpasswd", 404, ""),
    ("/run/x-0123", 404, "no scenario"),
    ("/run/1.!!!", 400, "damaged"),
    ("/run/blue-figure?algorithm=nope", 400, "unknown algorithm"),
    ("/run/blue-figure?algorithm=nope", 400, f"… ({len(ALGORITHMS)} in all)"),
    ("/run/blue-figure?algorithm=lai-young", 400, "did you mean lai-yang?"),
    ("/run/blue-figure?discipline=lifo", 400, "unknown discipline"),
    ("/run/blue-figure?choices=nonsense", 400, "STEP:INDEX"),
    ("/run/blue-figure?choices=0:99", 400, "0:99 does not exist"),
    ("/run/blue-figure?choices=400:0", 400, "past the end"),
    ("/run/blue-figure?seed=-1", 400, "seed"),
    ("/run/blue-figure?seed=1.5", 400, "seed"),
    ("/run/blue-figure?step=x", 400, "step"),
    ("/run/blue-figure?algoritm=lai-yang", 400, "algoritm: no such field; did you mean algorithm?"),
    ("/run/blue-figure?steps=3", 400, "steps: no such field; did you mean step?"),
    ("/compare/blue-figure?wth=lai-yang", 400, "wth: no such field; did you mean with?"),
    ("/run/blue-figure/step/abc", 400, ""),
    ("/run/blue-figure/branch", 400, "action"),
    ("/nowhere", 404, ""),
    ("/static/nothing.css", 404, ""),
    ("/static/..%2fpyproject.toml", 404, ""),
    ("/static/000000000000/..%2f..%2fpyproject.toml", 404, ""),
]


@pytest.mark.parametrize(("url", "status", "says"), WRONG)
def test_what_is_wrong_is_told_in_a_page(client: TestClient, url: str, status: int, says: str) -> None:
    for language in LANGUAGES:
        answer = client.get(url, headers={"accept-language": language})
        assert answer.status_code == status
        assert word(f"error.{status}.title", language) in answer.text
        assert language != "en" or says in answer.text.replace("&#39;", "'")
        assert 'href="/scenarios"' in answer.text
        assert "Traceback" not in answer.text


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("/run/nope", "没有名为 'nope' 的场景"),
        ("/run/x-0123", "没有场景 'x-0123'；编号由 x- 和 20 位十六进制数字组成"),
        ("/run/1.!!!", "这个链接已损坏或不完整；请从头到尾重新复制"),
        ("/run/blue-figure?algorithm=nope", f"没有名为 'nope' 的算法；可选：{'、'.join([*ALGORITHMS][:2])}、"),
        ("/run/blue-figure?choices=0:99", "choices：0:99 不存在；第 0 步之后可选的动作有 "),
        ("/run/blue-figure?seed=-1", "seed：必须是不小于 0 的数，而不是 '-1'"),
        ("/run/blue-figure?seed=1.5", "seed：必须是整数，而不是 '1.5'"),
        ("/run/blue-figure?algoritm=lai-yang", "没有 algoritm 这个字段；是不是想写 algorithm？"),
        ("/run/blue-figure?drain=perhaps", "drain：必须是 true 或 false，而不是 'perhaps'"),
        ("/run/blue-figure?v=" + "1" * 81, "v：必须是不超过 80 个字符的文本，而不是 81 个字符"),
        ("/run/blue-figure/step/abc", "k：必须是整数，而不是 'abc'"),
        ("/run/blue-figure/step/9999", "没有第 9999 步；这次运行共有 "),
        ("/run/blue-figure/branch", "action：缺少这一项；必须给出"),
        ("/editor?from=nope", "没有名为 'nope' 的场景"),
        ("/nowhere", ""),
    ],
)
def test_who_reads_chinese_is_told_in_chinese(client: TestClient, url: str, says: str) -> None:
    page = html.unescape(client.get(url, headers={"accept-language": "zh-CN"}).text)
    assert says in page
    assert word("error.door.scenarios", "zh") in page
    assert not re.search(r"[a-z]+ [a-z]+ [a-z]+", re.sub(r"<[^>]*>", "", page))


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("/run/blue-figure?seed=-1", "seed: must be at least 0, not '-1'"),
        ("/run/blue-figure?step=x", "step: must be a whole number, not 'x'"),
        ("/run/blue-figure/branch", "action: missing; it must be given"),
        ("/scenarios?q=" + "a" * 201, "q: must be at most 200 characters long, not 201 characters"),
    ],
)
def test_a_part_of_an_address_is_told_in_our_own_words(client: TestClient, url: str, says: str) -> None:
    assert client.get(url, headers={"accept": "application/json"}).json()["error"] == says


@pytest.mark.parametrize("field", ["utm_source=mail", "fbclid=1", "n=1", "lng=zh", "views=2", "steps="])
def test_what_other_sites_add_to_a_link_is_ignored(client: TestClient, field: str) -> None:
    assert client.get(f"/run/blue-figure?{field}&step=3").status_code == 200


def test_programs_are_told_in_english_unless_they_ask(client: TestClient) -> None:
    asks = {"accept": "application/json", "accept-language": "zh"}
    assert client.get("/run/nope", headers=asks).json()["error"] == "no scenario is called 'nope'"
    assert client.get("/run/nope?lang=zh", headers=asks).json()["error"] == "没有名为 'nope' 的场景"
    sent = {"title": {"en": "t", "zh": "t"}, "topology": {"ring": 2}, "program": {"kind": "tokens"}}
    english, chinese = (client.post(f"/api/scenarios{lang}", json=sent).json() for lang in ("", "?lang=zh"))
    assert english["says"] == "must be one of token, bank, variables, machine, scripted, dataflow, not 'tokens'"
    assert chinese["says"] == "必须是下列之一：token、bank、variables、machine、scripted、dataflow，而不是 'tokens'"
    assert english["field"] == chinese["field"] == "program.kind"


@pytest.mark.parametrize(("url", "status", "says"), WRONG)
def test_programs_get_json(client: TestClient, url: str, status: int, says: str) -> None:
    answer = client.get(url, headers={"accept": "application/json"})
    told = json.loads(answer.text)
    assert told["status"] == answer.status_code == status
    assert says in told["error"]


@pytest.mark.parametrize(
    ("url", "door", "meant"),
    [
        ("/lessons/vanishing-coin", "/lessons", "/search?q=vanishing%20coin"),
        ("/algorithms/paxos", "/algorithms", "/search?q=paxos"),
        ("/run/nope", "/scenarios", "/search?q=nope"),
        ("/what", "/scenarios", "/search?q=what"),
        ("/glossary/markr", "/glossary", "/search?q=markr"),
    ],
)
def test_a_page_that_does_not_exist_offers_the_list_it_would_be_in_and_the_search(
    client: TestClient, url: str, door: str, meant: str
) -> None:
    answer = client.get(url)
    doors = answer.text.split('trouble-doors"', 1)[1].split("</p>", 1)[0]
    assert answer.status_code == 404
    assert re.findall(r'href="([^"]+)"', doors) == [door, meant, "/"]


def test_htmx_gets_a_piece_of_a_page(client: TestClient) -> None:
    piece = client.get("/run/nope", headers={"hx-request": "true"}).text
    assert "<html" not in piece
    assert "404" in piece


def test_what_can_only_be_read_says_so(client: TestClient) -> None:
    answer = client.post("/scenarios")
    assert answer.status_code == 405
    assert answer.headers["allow"] == "GET"


def test_every_told_status_has_words_in_both_languages() -> None:
    for status in errors.TOLD:
        for language in LANGUAGES:
            assert word(f"error.{status}.title", language) != word(f"error.{status}.text", language)


def test_a_mistake_of_ours_shows_a_page_and_no_traceback() -> None:
    app = FastAPI()
    app.add_middleware(Headers)
    errors.install(app)

    @app.get("/broken")
    def broken() -> None:
        raise RuntimeError("secret detail")

    answer = TestClient(app, raise_server_exceptions=False).get("/broken", headers={"accept-language": "en"})
    assert answer.status_code == 500
    assert "Something went wrong on our side" in answer.text
    assert "secret" not in answer.text
    assert "Traceback" not in answer.text
    assert "content-security-policy" in answer.headers


def test_a_page_whose_settings_are_wrong_is_offered_without_them(client: TestClient) -> None:
    answer = client.get("/run/blue-figure?algorithm=nonsense", headers={"accept": "text/html"})
    doors = answer.text.split('trouble-doors"', 1)[1].split("</p>", 1)[0]
    assert answer.status_code == 400
    assert re.findall(r'href="([^"]+)"', doors) == ["/run/blue-figure", "/scenarios", "/"]
    assert doors.count("button-first") == 1
    spoken = client.get("/run/blue-figure?algorithm=nonsense&lang=zh", headers={"accept": "text/html"}).text
    assert 'href="/run/blue-figure?lang=zh"' in spoken.split('trouble-doors"', 1)[1]
    bare = client.get("/run/~nonsense?lang=zh", headers={"accept": "text/html"})
    assert bare.status_code >= 400 and 'href="/run/~nonsense' not in bare.text.split('trouble-doors"', 1)[1]
