"""Addresses of runs by hand that were changed, cut, repeated, blown up or encoded otherwise: a page, or a sentence."""

from urllib.parse import quote

from fastapi.testclient import TestClient
from hypothesis import example, given
from hypothesis import strategies as st

from tests.often import often
from tests.web.shared.test_by_hand_pages import PAGES

CHOICES = "0:4.0.0.0.2.2.4.0.2.2.0.4.4.6.6.5.0.3.0.2.2.2"
PARTS = ("events", "step/3", "trace.json", "step/2.svg")
SCENARIOS = ("two-starters", "barriers-wait", "domino", "random-twelve")
ODD = st.text(max_size=6) | st.sampled_from(
    [
        "9" * 40,
        "-1",
        "1e3",
        "0x1",
        "٣",
        "½",
        ":",
        "..",
        ",",
        "%00",
        "\ud800",
        "0:4",
        "." * 900,
        "1." * 1_001,
        "0" * 4_400,
    ]
)
CODECS = ("utf-8", "utf-16", "utf-32", "utf-7")


@st.composite
def changed(draw: st.DrawFn) -> str:
    """Draw choices that somebody has changed, up to four times."""
    text = CHOICES
    for _ in range(draw(st.integers(0, 4))):
        begin = draw(st.integers(0, len(text)))
        end = begin + draw(st.integers(0, 6))
        put = draw(st.just("") | ODD | st.just(text[begin:]))
        text = text[:begin] + put + draw(st.sampled_from([text[end:], ""]))
    return text


@given(
    choices=changed(),
    scenario=st.sampled_from(SCENARIOS),
    page=st.sampled_from([*[f"/{one}/{{}}" for one in PAGES], *[f"/run/{{}}/{one}" for one in PARTS], "/compare/{}"]),
    others=st.dictionaries(st.sampled_from(["seed", "drain", "step", "v", "with", "q", "cut"]), ODD, max_size=2),
    codec=st.sampled_from(CODECS),
)
@example(CHOICES, "two-starters", "/run/{}", {}, "utf-8")
@example("0:" + "0." * 1_001 + "0", "two-starters", "/run/{}", {}, "utf-8")
@often(400)
def test_a_page_or_a_sentence(
    shared: TestClient, choices: str, scenario: str, page: str, others: dict[str, str], codec: str
) -> None:
    fields = {"algorithm": "by-hand", "choices": choices, "manual": "1", "lang": "en"} | others
    query = "&".join(f"{name}={quote(text.encode(codec, 'surrogatepass'))}" for name, text in fields.items())
    answer = shared.get(f"{page.format(scenario)}?{query[:60_000]}", headers={"accept": "text/html"})
    assert answer.status_code in (200, 303, 400, 404, 409, 414), answer.text[:300]
    assert "Traceback" not in answer.text
    if answer.status_code in (400, 409):
        assert "trouble-sentence" in answer.text or "stale" in answer.text, answer.text[:300]
