"""Recordings of cameras over HTTP: timeline, playback, live view, clips of events."""
