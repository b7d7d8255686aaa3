"""The spec of a sweep as YAML."""

import yaml

from app.analysis.sweep_report import Report


def spec(report: Report) -> str:
    """Return the text. Each list of words and numbers is on one line."""
    return yaml.safe_dump(report.spec, allow_unicode=True, sort_keys=False, default_flow_style=None, width=100)
