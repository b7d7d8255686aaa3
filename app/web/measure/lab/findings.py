"""What the whole report of a sweep shows, as headlines: each has its numbers as bars, the figure that they are from,
and a run that shows it. What a report does not show, it has no headline for."""

from collections.abc import Iterator, Sequence

from app.algorithms.registry import ALGORITHMS
from app.analysis.sweep_report import Group, Report, Sample
from app.core.model.value import Frozen
from app.web.measure.lab.labels import algorithm, batched, called, link, rounded, three_digits
from app.web.measure.lab.query import ALL, REQUIRED, WEAKER, Query
from app.web.measure.lab.regression import fitted, joint_distribution
from app.web.measure.lab.violations import part
from app.words.catalogues import JOIN, word

Shown = Sequence[tuple[Group, Sample]]


class Bar(Frozen):
    """A number beside others: what it is of, the number in words, and its ``share`` of the width from 0 to 1."""

    name: str
    told: str
    share: float
    wrong: bool = False


class Finding(Frozen):
    """A headline and a sentence ``more``, its numbers, and the addresses of the figure and of a run (None: the report
    has none)."""

    key: str
    title: str
    more: str
    bars: tuple[Bar, ...]
    figure: str
    run: str | None


class _Told(Frozen):
    """What a finding is made of, in a language; ``query`` is for all runs of the report."""

    report: Report
    query: Query
    language: str

    def word(self, key: str, **fields: str | int) -> str:
        return word(f"lab.finding.{key}", self.language, **fields)

    def names(self, groups: Sequence[Group]) -> str:
        return JOIN[self.language].join(dict.fromkeys(algorithm(each.algorithm, self.language) for each in groups))

    def run(self, shown: Shown) -> str | None:
        return link(*shown[0], self.query) if shown else None


def findings(report: Report, query: Query, language: str) -> tuple[Finding, ...]:
    """Return what the report shows, whatever the filters of the query."""
    told = _Told(report, Query(job=query.job, lang=query.lang, discipline=ALL), language)
    return (*_order(told), *_growth(told), *_loss(told))


def _order(told: _Told) -> Iterator[Finding]:
    """Yield the correct algorithm that fails most often where channels keep less order than it requires."""
    kept, exposed = dict[str, list[Group]](), dict[str, list[Group]]()
    for group in told.query.groups(told.report):
        by_part = {"right": kept, "exposed": exposed}.get(part(group))
        if by_part is not None and group.judged.get("any"):
            by_part.setdefault(group.algorithm, []).append(group)
    both = [name for name in exposed if name in kept]
    worst = max(both, key=lambda name: _counted(exposed[name])[0], default=None)
    if worst is None or not _counted(exposed[worst])[0]:
        return
    (failed, of), (held, beside) = _counted(exposed[worst]), _counted(kept[worst])
    order = called("lab.order.", ALGORITHMS[worst].REQUIRES, told.language)
    yield Finding(
        "order",
        told.word("order", order=order, broken=f"{failed:,}", judged=f"{of:,}"),
        told.word("order.more", name=algorithm(worst, told.language)),
        tuple(
            Bar(told.word(key), told.word("of", broken=f"{bad:,}", judged=f"{all_of:,}"), bad / all_of, bad > 0)
            for key, bad, all_of in (("order.kept", held, beside), ("order.less", failed, of))
        ),
        told.query.ordered(WEAKER).address() + "#broken-section",
        told.run([one for one in told.query.samples(told.report) if one[0] in exposed[worst] and one[1].broken]),
    )


def _counted(groups: Sequence[Group]) -> tuple[int, int]:
    """Return how many snapshots break a check, and how many were judged."""
    return sum(each.broken.get("any", 0) for each in groups), sum(each.judged.get("any", 0) for each in groups)


def _growth(told: _Told) -> Iterator[Finding]:
    """Yield the correct algorithms that send exactly one control message per channel for every snapshot."""
    required = told.query.ordered(REQUIRED)
    found: list[Group] = []
    count = 0
    for groups in required.rows(told.report).values():
        line = fitted(groups, "controls", "channels") if part(groups[0]) == "right" else None
        if line and line.exact and (rounded(line.slope), rounded(line.intercept)) == (1, 0):
            found += [each for each in groups if "controls" in each.measures]
            count += line.n
    if not found:
        return
    ends = sorted({each.channels for each in found})
    samples = [one for one in required.samples(told.report) if one[0] in found and one[1].controls is not None]
    yield Finding(
        "growth",
        told.word("growth", count=f"{count:,}"),
        told.word("growth.more", names=told.names(found)),
        tuple(
            Bar(told.word("channels", count=at), told.word("controls", count=at), at / ends[-1])
            for at in (ends[0], ends[-1])
        ),
        required.address() + "#growth-section",
        told.run([one for one in samples if one[0].channels == ends[-1]] or samples),
    )


def _loss(told: _Told) -> Iterator[Finding]:
    """Yield how much more is done again after crashes with the longest time between snapshots than with the
    shortest."""
    required = told.query.ordered(REQUIRED)
    every: dict[int, list[Group]] = {}
    for group in required.groups(told.report):
        if part(group) == "right" and "loss" in group.measures and group.interval is not None and not batched(group):
            every.setdefault(group.interval, []).append(group)
    if len(every) < 2:
        return
    ends = [every[min(every)], every[max(every)]]
    common = {each.algorithm for each in ends[0]} & {each.algorithm for each in ends[1]}
    ends = [[each for each in groups if each.algorithm in common] for groups in ends]
    short, long = (joint_distribution(groups, "loss") for groups in ends)
    if not short or not long or not 0 < short.mean < long.mean:
        return
    samples = [one for one in required.samples(told.report) if one[0] in ends[1] and one[1].loss is not None]
    yield Finding(
        "loss",
        told.word("loss", most=max(every), least=min(every), share=round(100 * (long.mean / short.mean - 1))),
        told.word("loss.more", runs=three_digits(short.n + long.n), names=told.names(ends[0])),
        tuple(
            Bar(told.word("every", ticks=ticks), told.word("items", count=three_digits(mean)), mean / long.mean)
            for ticks, mean in ((min(every), rounded(short.mean)), (max(every), rounded(long.mean)))
        ),
        required.address() + "#loss-section",
        told.run(sorted(samples, key=lambda one: abs((one[1].loss or 0) - long.mean))),
    )
