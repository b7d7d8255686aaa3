"""The conditions of a run: who is a member, and what does not work."""

from immutables import Map

from app.core.model.value import Value


class Conditions(Value):
    """What few steps change: who is a member, and what does not work.

    ``unborn`` are the processes that are not members yet, ``leaving`` the members that are about to go, ``gone`` those
    that have gone; ``partitioned`` are the channels on which nothing arrives; ``down`` are the members that have
    crashed and will restart. ``known`` is what causal channels remember (see ``app.core.kernel.causal_delivery``).
    """

    unborn: tuple[str, ...] = ()
    leaving: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    partitioned: tuple[str, ...] = ()
    known: "Map[str, Map[str, int]]" = Map()
    down: tuple[str, ...] = ()


USUAL = Conditions()
"""Everybody is a member, and everything works."""


def usual(conditions: Conditions) -> Conditions:
    """Return USUAL itself where they are equal to it, so that a step need not look at each of them."""
    return USUAL if conditions == USUAL else conditions
