"""Teams: one file with their commands."""
