"""The stream that browsers play, and the poster."""
