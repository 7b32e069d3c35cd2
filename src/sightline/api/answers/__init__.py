"""Response models of the API, shared with the command line."""
