"""Records of deliveries to endpoints that are not queues: web addresses, email addresses, other event buses. Pure."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sightline.bus.envelope import attributes_from_json, attributes_to_json
from sightline.bus.message import Attributes
from sightline.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class EndpointDelivery:
    """One message for one endpoint, as it waits in the queue of deliveries."""

    kind: str
    """Which sender delivers it: the protocol of a subscription, or the service in the ARN of a rule's target."""
    endpoint: str
    account_id: str
    source: str
    """ARN of the subscription or the rule that it is delivered for."""
    message_id: str
    body: str
    attributes: Attributes = field(default_factory=dict)
    topic: str | None = None
    subject: str | None = None
    is_raw: bool = False
    dead_letter_arn: str | None = None
    """Queue for what could not be delivered."""
    max_attempts: int | None = None
    max_age_s: float | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)
    """What else the target says, such as the group of a FIFO queue or the headers of a request."""

    def to_json(self) -> str:
        content: dict[str, Any] = {
            name: getattr(self, name)
            for name in self.__slots__
            if name not in ("attributes", "parameters") and getattr(self, name) is not None
        }
        if self.attributes:
            content["attributes"] = attributes_to_json(self.attributes)
        if self.parameters:
            content["parameters"] = dict(self.parameters)
        return json.dumps(content, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> "EndpointDelivery":
        try:
            content = json.loads(text)
            return cls(**{**content, "attributes": attributes_from_json(content.get("attributes", {}))})
        except (ValueError, TypeError) as error:
            raise InvalidInput(f"this is not a delivery to an endpoint: {error}") from error
