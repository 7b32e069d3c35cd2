"""Commands for what owners use and may use."""
