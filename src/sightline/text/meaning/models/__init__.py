"""Models of meaning: the known ones, and their installation."""
