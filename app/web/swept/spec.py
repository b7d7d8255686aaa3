"""The spec of a sweep as it is written: in YAML."""

import yaml

from app.web.swept.report import Report


def spec(report: Report) -> str:
    """The text. Lists of words and numbers stand in one line each."""
    return yaml.safe_dump(report.spec, allow_unicode=True, sort_keys=False, default_flow_style=None, width=100)
