from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient

from app.web.base.limits import MOST_ADDRESS, MOST_BODY


def test_an_address_that_is_too_long_is_told_so(client: TestClient) -> None:
    answer = client.get("/run/blue-figure?choices=" + "1" * MOST_ADDRESS)
    assert answer.status_code == 414
    assert "8,192" in answer.text
    assert "content-security-policy" in answer.headers


def test_an_address_of_the_longest_length_is_read(client: TestClient) -> None:
    url = "/scenarios?x="
    assert client.get(url + "1" * (MOST_ADDRESS - len(url) + 1)).status_code == 200


def test_a_body_that_is_too_large_is_refused_before_it_is_read(client: TestClient) -> None:
    answer = client.post("/api/scenarios", content=b"x" * (MOST_BODY + 1))
    assert answer.status_code == 413
    assert "64 KiB" in answer.text


def test_a_body_that_does_not_say_its_size_is_counted(client: TestClient) -> None:
    def pieces() -> Iterator[bytes]:
        for _ in range(70):
            yield b"x" * 1_024

    assert client.post("/api/scenarios", content=pieces()).status_code == 413


@pytest.mark.parametrize("length", ["-5", "many", "1e3"])
def test_a_size_that_is_no_number_is_refused(client: TestClient, length: str) -> None:
    assert client.post("/api/scenarios", content=b"{}", headers={"content-length": length}).status_code == 413
