"""Clips cut from the original."""
