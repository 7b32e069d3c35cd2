"""Alert rules and alerts."""
