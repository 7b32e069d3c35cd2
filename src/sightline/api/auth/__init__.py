"""Who the caller is, and how often they may call."""
