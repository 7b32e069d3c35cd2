"""Owns what others write against Sightline with: clients that know its protocols and nothing of its inside."""

from sightline.client.live import Gap, LiveClient, Message, Position

__all__ = ["Gap", "LiveClient", "Message", "Position"]
