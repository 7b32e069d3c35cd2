"""Sightline turns video into things people can search, watch and act on."""

__version__ = "0.1.0"
