"""Models of speech recognition: the known ones, and their installation."""
