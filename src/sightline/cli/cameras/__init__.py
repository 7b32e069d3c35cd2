"""Commands for cameras."""
