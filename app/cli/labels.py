"""An algorithm and the order of its channels: with another order than it requires, it is another experiment."""

from app.words.catalogues import catalogue, word


def ordered(algorithm: str, discipline: str | None, language: str) -> str:
    """Return the algorithm's name and the order that its channels keep, with a remark if it requires a stronger order;
    an empty text if the algorithm is unknown."""
    from app.algorithms.registry import ALGORITHMS
    from app.core.model.system import suffices

    key, module = f"algorithm.{algorithm}", ALGORITHMS.get(algorithm)
    name = word(key, language) if key in catalogue(language) else algorithm
    if not algorithm or not discipline:
        return name if algorithm else ""
    weak = module is not None and not suffices(discipline, module.REQUIRES)
    return word("verify.ordered.weaker" if weak else "verify.ordered", language, algorithm=name, order=discipline)
