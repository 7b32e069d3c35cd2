"""Exporting text and speech from the command line."""
