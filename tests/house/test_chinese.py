"""One Chinese word for each thing, in the catalogues and in the scenarios."""

import json
from pathlib import Path

import pytest

from app.core.model import Json
from app.simulator.library import LIBRARY
from app.simulator.source import read

CATALOGUE = Path(__file__).parents[2] / "app/narration/catalogue"
INSTEAD = {
    "割线": "割集",
    "交付": "送达",
    "代价": "开销",
    "活着": "运行中",
    "经由": "经",
    "割前": "记录前",
    "割后": "记录后",
    "信道": "通道",
    "每个通道": "每条通道",
    "恰好一次": "精确一次",
    "有效一次": "效果上一次",
    "发送方": "发送者",
    "接收方": "接收者",
    "裁判": "检验器",
}
"""A word that is not used, and the one that is."""


def texts(values: Json) -> list[str]:
    """All texts inside some values."""
    if isinstance(values, dict):
        return [text for value in values.values() for text in texts(value)]
    if isinstance(values, list):
        return [text for value in values for text in texts(value)]
    return [values] if isinstance(values, str) else []


def said() -> dict[str, list[str]]:
    """What is said in Chinese, by file."""
    files = [*(CATALOGUE / "zh").glob("*.json"), CATALOGUE / "mistakes/zh.json"]
    found = {path.name: texts(json.loads(path.read_text("utf-8"))) for path in sorted(files)}
    return found | {name: texts(read(p.read_text("utf-8"), name, limit=10**6).values) for name, p in scenarios()}


def scenarios() -> list[tuple[str, Path]]:
    """The library's files."""
    return list(LIBRARY.files().items())


@pytest.mark.parametrize("word", INSTEAD)
def test_a_thing_has_one_name(word: str) -> None:
    wrong = {name: [text for text in spoken if word in text] for name, spoken in said().items()}
    assert not {name: spoken for name, spoken in wrong.items() if spoken}, f"say {INSTEAD[word]}"
