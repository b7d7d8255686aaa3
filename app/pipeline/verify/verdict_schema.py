"""The answer of a verifier of whole files."""

from app.pipeline.rows.arrow import columns

ANSWER = "run BIGINT, life SMALLINT, snapshot INT, check STRING, holds BOOLEAN, witness STRING"
ANSWERS = columns(ANSWER)
"""A verdict. ``witness`` is compact JSON, null where the check holds or does not apply; a verdict on a life's rows has
no snapshot."""
