"""The errors of libyaml, as phrases: its sentences are few and fixed."""

from app.core.model.values import Phrase

KNOWN = (
    Phrase("block sequence entries are not allowed in this context"),
    Phrase("but found another document"),
    Phrase("control characters are not allowed"),
    Phrase("could not find expected ':'"),
    Phrase("could not find expected directive name"),
    Phrase("did not find URI escaped octet"),
    Phrase("did not find expected '!'"),
    Phrase("did not find expected ',' or ']'"),
    Phrase("did not find expected ',' or '}}'"),
    Phrase("did not find expected '-' indicator"),
    Phrase("did not find expected <document start>"),
    Phrase("did not find expected alphabetic or numeric character"),
    Phrase("did not find expected comment or line break"),
    Phrase("did not find expected digit or '.' character"),
    Phrase("did not find expected hexdecimal number"),
    Phrase("did not find expected key"),
    Phrase("did not find expected node content"),
    Phrase("did not find expected tag URI"),
    Phrase("did not find expected version number"),
    Phrase("did not find expected whitespace"),
    Phrase("did not find expected whitespace or line break"),
    Phrase("did not find the expected '>'"),
    Phrase("found a tab character that violates indentation"),
    Phrase("found a tab character where an indentation space is expected"),
    Phrase("found an incorrect leading UTF-8 octet"),
    Phrase("found an incorrect trailing UTF-8 octet"),
    Phrase("found an indentation indicator equal to 0"),
    Phrase("found character that cannot start any token"),
    Phrase("found duplicate %TAG directive"),
    Phrase("found duplicate %YAML directive"),
    Phrase("found extremely long version number"),
    Phrase("found incompatible YAML document"),
    Phrase("found invalid Unicode character escape code"),
    Phrase("found undefined tag handle"),
    Phrase("found unexpected ':'"),
    Phrase("found unexpected document indicator"),
    Phrase("found unexpected end of stream"),
    Phrase("found unexpected non-alphabetical character"),
    Phrase("found unknown directive name"),
    Phrase("found unknown escape character"),
    Phrase("input is too long"),
    Phrase("mapping keys are not allowed in this context"),
    Phrase("mapping values are not allowed in this context"),
)

BY_TEXT = {str(phrase): phrase for phrase in KNOWN}
UNKNOWN = Phrase("it cannot be read here")


def problem(text: str) -> Phrase:
    """Return the phrase for a sentence of libyaml. Unknown sentences give a general phrase."""
    return BY_TEXT.get(text, UNKNOWN)
