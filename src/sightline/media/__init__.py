"""Owns pictures out of video: stream, poster, key frames, clips."""
