"""ONVIF: finding cameras in the local network, and asking one for the addresses of its streams."""

from sightline.cameras.onvif.discovery import FoundDevice, discover_devices
from sightline.cameras.onvif.streams import DeviceStream, streams_of_device

__all__ = ["DeviceStream", "FoundDevice", "discover_devices", "streams_of_device"]
