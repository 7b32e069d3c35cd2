"""Storage over HTTP: use, quotas and retention rules."""
