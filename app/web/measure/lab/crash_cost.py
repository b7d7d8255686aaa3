"""The cost of crashes, by how often snapshots are taken."""

from collections.abc import Iterator

from app.analysis.sweep_report import Group, Report, Sample
from app.pictures.chart import SERIES, Axis, Figure, Point, Series
from app.web.measure.lab.labels import algorithm, axis, batched, link, rounded, three_digits
from app.web.measure.lab.query import Query
from app.web.measure.lab.regression import joint_distribution
from app.words.catalogues import word


def losses(report: Report, query: Query, language: str) -> tuple[Figure, ...]:
    """Return figures, each with as many algorithms as are distinguishable; none if no run had a crash and an
    interval."""
    samples = query.samples_by_group(report)
    made: list[Figure] = []
    for unit in ("interval", "batch"):
        groups: dict[str, dict[int, list[Group]]] = {}
        for group in query.groups(report):
            if group.interval is not None and "loss" in group.measures and batched(group) == (unit == "batch"):
                groups.setdefault(group.algorithm, {}).setdefault(group.interval, []).append(group)
        made += _figures(unit, groups, samples, query, language)
    return tuple(made)


def _figures(
    unit: str, groups: dict[str, dict[int, list[Group]]], samples: dict[int, list[Sample]], query: Query, language: str
) -> Iterator[Figure]:
    """Yield those whose intervals have the same unit, by algorithm and interval."""
    series = [
        Series(algorithm(name, language), tuple(_points(each, samples, query, language)))
        for name, each in groups.items()
    ]
    places = [interval for each in groups.values() for interval in each]
    if not places:
        return
    least, most = min(places), max(places)
    domain = (least, most) if least < most else None
    across = Axis(word("lab.loss.interval", language), word(f"lab.unit.{unit}", language), domain=domain)
    up = axis("loss", language)
    for at in range(0, len(series), SERIES):
        key, some = f"loss-{unit}-{at // SERIES}", tuple(series[at : at + SERIES])
        yield Figure(key, word("lab.loss.title", language), across, up, some)


def _points(
    groups: dict[int, list[Group]], samples: dict[int, list[Sample]], query: Query, language: str
) -> Iterator[Point]:
    """Yield for each interval the mean over all runs, with a link to the run nearest to it."""
    for interval in sorted(groups):
        lost = joint_distribution(groups[interval], "loss")
        if lost is None:
            continue
        mean = rounded(lost.mean)
        there = [(g, s, s.loss) for g in groups[interval] for s in samples.get(g.id, []) if s.loss is not None]
        near = min(there, key=lambda one: abs(one[2] - mean), default=None)
        if near is None:
            yield Point(interval, mean, words=word("lab.loss.mean", language, runs=lost.n))
        else:
            said = word("lab.loss.words", language, runs=lost.n, loss=three_digits(near[2]))
            yield Point(interval, mean, link(near[0], near[1], query), said)
