import json
import re

import pytest
from fastapi.testclient import TestClient

from app.algorithms.registry import ALGORITHMS
from app.core.model.system import DISCIPLINES
from app.scenario.library import LIBRARY
from app.web.base.templates import ENVIRONMENT, script
from app.words.catalogues import LANGUAGES, catalogue


def test_nothing_in_a_data_element_can_end_it() -> None:
    evil = {"</script>": "<!--<script>", "amp": "&lt;", "lines": "\u2028\u2029"}
    written = str(script(evil))
    assert not set(written) & set("<>&\u2028\u2029")
    assert json.loads(written) == evil


def test_bytes_are_json_already() -> None:
    assert str(script('{"a":"<标记>"}'.encode())) == '{"a":"\\u003c标记\\u003e"}'


def test_every_template_escapes() -> None:
    template = ENVIRONMENT.from_string('<p>{{ label }}</p><a title="{{ label }}">')
    assert template.render(label='"><script>alert(1)</script>') == (
        "<p>&#34;&gt;&lt;script&gt;alert(1)&lt;/script&gt;</p>"
        '<a title="&#34;&gt;&lt;script&gt;alert(1)&lt;/script&gt;">'
    )


def test_what_a_visitor_chooses_from_has_words() -> None:
    for language in LANGUAGES:
        words = catalogue(language)
        for name in ALGORITHMS:
            assert f"algorithm.{name}" in words
        for name in DISCIPLINES:
            assert f"discipline.{name}" in words
        for scenario in LIBRARY.scenarios():
            for tag in scenario.form.tags:
                assert f"tag.{tag}" in words or tag in ALGORITHMS


BETWEEN = (
    *("/stable/phantom-termination", "/stable", "/states/which-cut", "/run/ring/step/3", "/glossary?q=zzzz"),
    *("/blank/marker-lost?solution=1", "/run/ring?v=1-000000000000"),
)


@pytest.mark.parametrize("address", BETWEEN)
def test_no_space_stands_between_two_chinese_sentences(client: TestClient, address: str) -> None:
    text = re.sub(
        r"</?(b|a|span|strong)\b[^>]*>", "", client.get(f"{address}{'&' if '?' in address else '?'}lang=zh").text
    )
    assert "。" in text and not re.search(r"。 [一-鿿✓✕]", text)
