"""Worker processes: they compute what is dear, so that the process that serves pages only serves pages."""
