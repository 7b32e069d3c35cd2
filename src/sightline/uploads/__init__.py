"""Owns multipart uploads: start, part addresses, reported parts, progress, completion, reconciliation, expiry."""
