"""What a report speaks of, in the words of a language."""

from app.core.model import Json
from app.narration.tell import JOIN, catalogue, word
from app.view.figure import Axis, Number
from app.web.swept.query import Query
from app.web.swept.report import Group, Sample

BETWEEN = " · "


def called(family: str, value: str, language: str, **fields: Json) -> str:
    """What a value is called, by the beginning of its key; one that nobody knows is called what it is."""
    key = family + value
    return word(key, language, **fields) if key in catalogue(language) else value


def algorithm(name: str, language: str) -> str:
    """An algorithm's name."""
    return called("algorithm.", name, language)


def topology(name: str, language: str) -> str:
    """The shape of a graph."""
    return called("sweep.topology.", name, language)


def axis(measure: str, language: str, domain: tuple[Number, Number] | None = None) -> Axis:
    """The scale of a measure."""
    unit = word(f"lab.unit.{measure}", language)
    return Axis(word(f"lab.measure.{measure}", language), unit, domain=domain)


def check(name: str, language: str) -> str:
    """The name of a check; one that nobody knows is called what it is."""
    return called("player.check.", name, language)


def settings(group: Group, language: str) -> str:
    """Under what a group's runs ran."""
    told = [
        topology(group.topology, language),
        word("lab.size", language, count=group.processes),
        called("discipline.", group.discipline, language),
    ]
    if group.interval is not None:
        told.append(word("lab.every", language, interval=group.interval))
    return BETWEEN.join(told)


def told(group: Group, sample: Sample, language: str) -> str:
    """What is to be said of a snapshot beside what was measured."""
    said = settings(group, language)
    if sample.broken:
        checks = JOIN[language].join(check(name, language) for name in sample.broken)
        said += BETWEEN + word("lab.breaks", language, checks=checks)
    return said


def link(group: Group, sample: Sample, query: Query) -> str:
    """Where the snapshot is seen, in the language that the visitor's address names."""
    url = sample.at(group)
    return f"{url}{'&' if '?' in url else '?'}lang={query.lang}" if query.lang else url
