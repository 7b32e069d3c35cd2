"""Schedules: messages created by the clock."""
