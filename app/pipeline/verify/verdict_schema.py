"""The answer of a verifier of whole files."""

import pyarrow as pa

ANSWER = "run BIGINT, life SMALLINT, snapshot INT, check STRING, holds BOOLEAN, witness STRING"
ANSWERS = pa.schema(
    {
        "run": pa.int64(),
        "life": pa.int16(),
        "snapshot": pa.int32(),
        "check": pa.string(),
        "holds": pa.bool_(),
        "witness": pa.string(),
    }
)
"""A verdict. ``witness`` is compact JSON, null where the check holds or does not apply; a verdict on a life's rows has
no snapshot."""
