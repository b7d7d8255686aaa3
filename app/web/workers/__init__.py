"""Worker processes: they compute what is expensive, so that the process that serves pages only serves pages."""
