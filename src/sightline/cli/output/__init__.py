"""Output of commands as people read it in a terminal."""
