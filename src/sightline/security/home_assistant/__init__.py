"""Home Assistant: events and occupancy of cameras over MQTT, with discovery."""

from sightline.security.home_assistant.publisher import HomeAssistantPublisher

__all__ = ["HomeAssistantPublisher"]
