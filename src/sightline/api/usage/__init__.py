"""Usage figures and quotas of owners over HTTP."""
