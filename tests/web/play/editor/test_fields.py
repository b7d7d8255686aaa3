"""The page with the fields of a scenario file."""

import re

import pytest
from fastapi.testclient import TestClient

from app.scenario.format import part_of, schema
from app.words.catalogues import catalogue


def rows(html: str) -> dict[str, str]:
    """Return what the page says of each field, as plain text, by part and field."""
    found = re.findall(r'<div id="([a-z]+-\w+)">(.*?)</div>', html, re.DOTALL)
    return {name: " ".join(re.sub("<[^>]*>", " ", inside).split()) for name, inside in found}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_field_of_the_format_is_there(client: TestClient, language: str) -> None:
    html = client.get(f"/editor/fields?lang={language}").text
    whole = schema(language)
    forms = {"scenario": whole, **{part_of(name): form for name, form in whole["$defs"].items()}}
    assert set(rows(html)) == {f"{part}-{field}" for part, form in forms.items() for field in form["properties"]}
    assert (
        set(re.findall(r'href="#([a-z]+)"', html)) - {"main"} == set(forms) == set(re.findall(r'<h2 id="(\w+)"', html))
    )


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_field_has_its_meaning(language: str) -> None:
    whole = schema(language)
    told = [form["description"] for form in (whole, *whole["$defs"].values())]
    told += [
        field["description"] for form in (whole, *whole["$defs"].values()) for field in form["properties"].values()
    ]
    assert len(told) > 200
    assert [text for text in told if text not in catalogue(language).values()] == []


@pytest.mark.parametrize(
    ("field", "says"),
    [
        (
            "scenario-title",
            "title must be there What the run is called. text, at most 2,000 characters, or Both languages",
        ),
        ("scenario-discipline", "fifo, causal, any; if left out: fifo"),
        ("scenario-pause", "list of: whole number, 1 to 20,000"),
        ("scenario-collect", "true or false; if left out: true"),
        ("scenario-newcomers", "for each process: a process, such as P1"),
        ("scenario-capacity", "whole number, 1 to 1,000, or for each channel: whole number, 1 to 1,000"),
        ("machine-edges", "for each process: list of: Edge"),
        ("explore-faults", "abandon, forget, restore, restart: whole number, 0 to 5"),
        ("scenario-schedule", "What decides which step comes next. Schedule"),
        ("bank-kind", "kind must be there Says which program this is. bank"),
        ("checks-consistent", "No message is received inside the cut and sent outside it true or false"),
        ("send-message", "anything"),
        ("expect-steps", "How many steps the run has. whole number"),
    ],
)
def test_a_field_tells_its_values(client: TestClient, field: str, says: str) -> None:
    assert rows(client.get("/editor/fields?lang=en").text)[field].endswith(says)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_channel_is_written_as_in_a_file(client: TestClient, language: str) -> None:
    told = rows(client.get(f"/editor/fields?lang={language}").text)
    assert "P-&gt;Q" in told["topology-channels"] and not any("→" in says for says in told.values())


def test_the_editor_leads_there(client: TestClient) -> None:
    assert '<a href="/editor/fields">' in client.get("/editor").text
