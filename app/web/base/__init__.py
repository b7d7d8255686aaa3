"""What every page stands on: templates, languages, errors, limits, headers, the store."""
