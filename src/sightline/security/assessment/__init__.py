"""Risk assessment by rules and by a model."""
