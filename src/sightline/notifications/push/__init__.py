"""Notification notifications: ntfy, webhook, email and log channels."""
