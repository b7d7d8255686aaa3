"""Every address in the site's answers: what a visitor's browser would ask for next, or remember."""

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit

import httpx2

SAYS = ("alt", "aria-keyshortcuts", "aria-label", "content", "placeholder", "title", "value")
"""Attributes that hold words, not addresses."""

ISLANDS = "application/json"
HEADERS = ("hx-location", "hx-push-url", "hx-redirect", "hx-replace-url", "location")


class _Reader(HTMLParser):
    """Finds the addresses in a page, each with where it stands."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, str]] = []
        self._island: str | None = None

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attributes}
        for name, value in given.items():
            if name not in SAYS and re.match(r"/|https?://", value):
                self.found.append((f"{tag} {name}", value))
        if (tag == "link" and given.get("rel") == "canonical") or given.get("property") == "og:url":
            self.found.append((f"{tag} public", given.get("href") or given["content"]))
        if tag == "script" and given.get("type") == ISLANDS:
            self._island = given.get("id") or given.get("class")

    def handle_endtag(self, tag: str) -> None:
        if tag == "script":
            self._island = None

    def handle_data(self, text: str) -> None:
        if self._island and text.strip():
            self.found += [(f"{self._island}{place}", value) for place, value in in_json(json.loads(text))]


def in_json(value: object, place: str = "") -> Iterator[tuple[str, str]]:
    """Yield the texts in JSON that look like an address of the site, with where they stand. The library has no such
    names. Points of figures are written without the root, and scripts add it."""
    if isinstance(value, dict):
        for name, each in value.items():
            if name != "series":
                yield from in_json(each, f"{place}.{name}")
    elif isinstance(value, list):
        for each in value:
            yield from in_json(each, f"{place}[]")
    elif isinstance(value, str) and re.match(r"/[a-z]", value):
        yield place, value


def addresses(answer: httpx2.Response) -> list[tuple[str, str]]:
    """Return all addresses in an answer, its headers and its cookies, each with where it stands."""
    found = [(name, answer.headers[name]) for name in HEADERS if name in answer.headers]
    for cookie in answer.headers.get_list("set-cookie"):
        found += re.findall(r"(?i)(path)=([^;]*)", cookie)
    kind = answer.headers.get("content-type", "").partition(";")[0]
    if kind in ("text/html", "image/svg+xml"):
        reader = _Reader()
        reader.feed(answer.text)
        return found + reader.found
    if kind == "application/json" and "attachment" not in answer.headers.get("content-disposition", ""):
        return found + list(in_json(answer.json()))
    return found


def shape(address: str) -> str:
    """Return what pages of one kind have in common: of each kind one is visited."""
    parts = urlsplit(address)
    words = parts.path.strip("/").split("/")
    kept = [word if i != 1 or words[0] in ("static", "lab", "spark", "costs") else "*" for i, word in enumerate(words)]
    names = sorted(set(re.findall(r"(?:^|&)([a-z]+)=", parts.query)) - {"v"})
    path = re.sub(r"/step/\d+", "/step/*", "/".join(kept[:4]))
    return re.sub(r"static/[0-9a-f]{12}", "static/*", f"{path}?{','.join(names)}")


def crawled(client: httpx2.Client, begin: list[str], root: str, most: int) -> tuple[list[str], int]:
    """Follow the links from ``begin``, one of each shape, at most ``most``; return what leaves the root, as sentences,
    and how many answers were read. What is no longer there (404) or broken (5xx) is told, too."""
    host = str(client.base_url).rstrip("/")
    todo, seen, wrong, read = list(begin), set[str](), [], 0
    while todo and read < most:
        address = todo.pop(0)
        answer = client.get(address, headers={"sec-fetch-site": "same-origin"})
        read += 1
        if answer.status_code >= 500 or (answer.status_code == 404 and address.partition("?")[0] not in begin):
            wrong.append(f"{address}: {answer.status_code}")
        for place, there in addresses(answer):
            whole = urljoin(f"{host}{address}", there)
            if urlsplit(whole).netloc != urlsplit(host).netloc:
                continue
            path = urlsplit(whole).path
            if path != root and not path.startswith(f"{root}/"):
                wrong.append(f"{address}: {place}: {there}")
            elif place in (
                "a href",
                "link href",
                "script src",
                "img src",
                "iframe src",
                "location",
                "data-page.links.events",
            ):
                kind = shape(path[len(root) :] + "?" + urlsplit(whole).query)
                if kind not in seen:
                    seen.add(kind)
                    todo.append(whole.removeprefix(host).partition("#")[0])
    return wrong, read
