"""Owns how people are told: e-mail, push, templates, and which events tell whom."""
