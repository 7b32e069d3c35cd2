"""Owns the generic message of document 002: record, schedules, processor, store."""
