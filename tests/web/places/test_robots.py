"""What programs that follow links leave alone."""

from urllib.robotparser import RobotFileParser

from fastapi.testclient import TestClient

from tests.each import each


def may(client: TestClient, path: str) -> bool:
    """May a robot fetch a path, by the rules without a star? Python's parser does not know stars."""
    parser = RobotFileParser()
    lines = client.get("/robots.txt").text.splitlines()
    parser.parse([line for line in lines if "/*" not in line])
    return parser.can_fetch("anybody", path)


@each(
    "path", ["/", "/scenarios", "/run/ring", "/lessons", "/glossary", "/algorithms/mattern", "/compare", "/challenge"]
)
def test_pages_may_be_found(client: TestClient, path: str) -> None:
    assert may(client, path)


@each(
    "path", ["/compare/ring", "/states/ring", "/quiz/ring", "/lab/jobs", "/editor", "/embed/ring", "/search", "/spark"]
)
def test_what_is_made_on_request_is_left_alone(client: TestClient, path: str) -> None:
    assert not may(client, path)


def test_settings_and_steps_of_runs_are_left_alone(client: TestClient) -> None:
    answer = client.get("/robots.txt")
    assert answer.headers["content-type"].startswith("text/plain")
    assert {"Disallow: /*?", "Disallow: /run/*/"} <= set(answer.text.splitlines())
