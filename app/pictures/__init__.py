"""Pictures as SVG and figures, drawn on the server."""
