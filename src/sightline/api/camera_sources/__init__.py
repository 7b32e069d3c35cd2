"""Picture sources of cameras over HTTP."""
