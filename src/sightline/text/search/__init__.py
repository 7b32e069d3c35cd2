"""Search over text segments."""
