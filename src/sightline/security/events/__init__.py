"""Security events and their lifecycle."""
