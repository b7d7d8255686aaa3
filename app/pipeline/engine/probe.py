"""Does anything answer where Spark should run? Spark itself tries a Connect server for ten minutes, and a master for
one; that is too long to wait for a misspelt name."""

import os
import socket
from collections.abc import Iterable
from urllib.parse import urlsplit

from app.core.model.values import BluecutError

PATIENCE = 15
"""Seconds that a master or a server has to answer."""

SOON = 2
"""Seconds for a server that does not answer directly, but perhaps through a proxy."""

PORT = 7077
"""The port of a master whose address names none."""


def answering(place: str, patience: float = PATIENCE) -> None:
    """Check a ``spark://`` or ``sc://`` address; leave all others to Spark.

    Raises BluecutError if nothing answers within ``patience`` seconds, if something else answers, or if the address is
    wrong.
    """
    if place.startswith("spark://"):
        reason = _heard(place.removeprefix("spark://").split(","), patience)
    elif place.startswith("sc://"):
        reason = _served(place, patience)
    else:
        return
    if reason:
        raise BluecutError("nobody answers at {place}: {reason}", place=place, reason=reason)


def _heard(hosts: Iterable[str], patience: float) -> str | None:
    """Return why none of these hosts, each with its port, accepts a connection; None if one does."""
    reason = None
    for host in hosts:
        try:
            named = urlsplit(f"//{host}")
            with socket.create_connection((named.hostname or "", named.port or PORT), patience):
                return None
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return reason


def _served(place: str, patience: float) -> str | None:
    """Return why nothing answers; None if a Connect server says hello. Raises BluecutError if something else answers,
    or if the address is wrong."""
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")  # otherwise gRPC writes its attempts to stderr
    import grpc
    from pyspark.errors import PySparkException
    from pyspark.sql.connect.client import DefaultChannelBuilder

    try:
        builder = DefaultChannelBuilder(place)
        reason = _heard([builder.endpoint], patience)
        with builder.toChannel() as channel:
            grpc.channel_ready_future(channel).result(SOON if reason else patience)
    except grpc.FutureTimeoutError:
        if reason:
            return reason
        raise BluecutError("{place} answers, but is not a Spark Connect server", place=place) from None
    except (PySparkException, ValueError) as error:
        raise BluecutError(
            "Spark does not start at {place}: {reason}", place=place, reason=" ".join(str(error).split())
        ) from None
    return None
