"""Owns the numbered feed that browsers follow: append, replay, acknowledgements."""
