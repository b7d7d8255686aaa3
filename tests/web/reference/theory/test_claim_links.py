"""The links of the page of claims: each leads to a page that is there, and a run opens at the step that is named."""

import json
import re
from urllib.parse import urldefrag

import pytest
from fastapi.testclient import TestClient

from app.course.claim import NOTES

PLAIN = {"accept-encoding": "identity"}
"""Compressing unread pages takes as long as making them."""


@pytest.mark.slow
def test_every_link_leads_to_a_page_which_opens_at_its_step(client: TestClient) -> None:
    steps: dict[str, int] = {}
    parts: dict[str, set[str]] = {}
    for link in (link for note in NOTES.notes() for row in note.form.rows for link in row.shows):
        address, part = urldefrag(link.to)
        parts.setdefault(address, set()).update([part] if part else [])
        if link.place == "run":
            steps[address] = int(link.query["step"])
    assert len(parts) > 150 and len(steps) > 130
    for address, wanted in parts.items():
        answer = client.get(address, headers=PLAIN)
        assert answer.status_code == 200, address
        assert [part for part in wanted if f'id="{part}"' not in answer.text] == [], address
        if address in steps:
            data = re.search(r'id="data-page">(.*?)</script>', answer.text)
            assert data and json.loads(data[1])["step"] == steps[address], address


def test_every_lesson_that_is_named_is_there(client: TestClient) -> None:
    pages = [client.get(f"/claims?page={number}").text for number in range(1, 9)]
    addresses = set(re.findall(r'href="(/lessons/[^"?]+)"', "".join(pages)))
    assert len(addresses) == 14
    assert {address: client.get(address).status_code for address in sorted(addresses)} == dict.fromkeys(
        sorted(addresses), 200
    )
