"""Does somebody answer where Spark is to run? Spark itself asks a Connect server for ten minutes, and a master for one,
before it gives up; nobody should wait so long for a name that is misspelt."""

import os
import socket
from collections.abc import Iterable
from urllib.parse import urlsplit

from app.core.model import BluecutError

PATIENCE = 15
"""Seconds that a master or a server has to answer."""

SOON = 2
"""Seconds that a server has of which nothing is heard directly, but perhaps through a proxy."""

PORT = 7077
"""Of a master whose address names none."""


def answering(place: str, patience: float = PATIENCE) -> None:
    """Ask at a ``spark://`` or ``sc://`` address; all others are left to Spark.

    Raises BluecutError where nobody answers within ``patience`` seconds, or somebody else does, or where the address is
    wrong.
    """
    if place.startswith("spark://"):
        reason = heard(place.removeprefix("spark://").split(","), patience)
    elif place.startswith("sc://"):
        reason = served(place, patience)
    else:
        return
    if reason:
        raise BluecutError("nobody answers at {place}: {reason}", place=place, reason=reason)


def heard(hosts: Iterable[str], patience: float) -> str | None:
    """Why none of these hosts, each with its port, takes a connection; None where one does."""
    reason = None
    for host in hosts:
        try:
            named = urlsplit(f"//{host}")
            with socket.create_connection((named.hostname or "", named.port or PORT), patience):
                return None
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return reason


def served(place: str, patience: float) -> str | None:
    """Why nobody answers; None where a Connect server says hello. Raises BluecutError where somebody else is there, or
    where the address is wrong."""
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")  # otherwise it writes its attempts to stderr
    import grpc
    from pyspark.errors import PySparkException
    from pyspark.sql.connect.client import DefaultChannelBuilder

    try:
        builder = DefaultChannelBuilder(place)
        reason = heard([builder.endpoint], patience)
        with builder.toChannel() as channel:
            grpc.channel_ready_future(channel).result(SOON if reason else patience)
    except grpc.FutureTimeoutError:
        if reason:
            return reason
        raise BluecutError("{place} answers, and is no Spark Connect server", place=place) from None
    except (PySparkException, ValueError) as error:
        raise BluecutError(
            "Spark does not start at {place}: {reason}", place=place, reason=" ".join(str(error).split())
        ) from None
    return None
