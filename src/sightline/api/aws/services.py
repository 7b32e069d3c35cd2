"""The services of the AWS endpoint, with their protocols and actions."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from sightline.api.aws import events, scheduler, sns, sqs, sts
from sightline.api.aws.call import Action
from sightline.api.aws.json_protocol import JsonProtocol, RestJsonProtocol
from sightline.api.aws.query_as_json import QueryAsJson, wants_json
from sightline.api.aws.query_protocol import QueryProtocol
from sightline.api.aws.request import AwsRequest
from sightline.api.aws.storable import storable
from sightline.api.aws.wire import WireProtocol

SQS_NAMESPACE = "http://queue.amazonaws.com/doc/2012-11-05/"


@dataclass(frozen=True, slots=True)
class AwsService:
    protocol: WireProtocol
    actions: Mapping[str, Action]
    older_protocol: WireProtocol | None = None
    """For requests without `X-Amz-Target`."""
    older_protocol_in_json: WireProtocol | None = None
    """For requests of the older protocol that accept JSON."""
    account_actions: frozenset[str] = field(default_factory=frozenset)
    """Actions on no resource: the address of a resource does not offer them."""
    waiting_actions: frozenset[str] = field(default_factory=frozenset)
    """Actions that may wait for long; they end when their client goes away."""

    def protocol_of(self, request: AwsRequest) -> WireProtocol:
        if self.older_protocol is None or "x-amz-target" in request.headers:
            return self.protocol
        if self.older_protocol_in_json is not None and wants_json(request):
            return self.older_protocol_in_json
        return self.older_protocol

    def action_of(self, request: AwsRequest, name: str) -> Action | None:
        if name in self.account_actions and request.raw_path != "/" and "x-amz-target" not in request.headers:
            return None
        return self.actions.get(name)


SERVICES: Mapping[str, AwsService] = {
    "events": AwsService(
        JsonProtocol(version="1.1", namespace="com.amazonaws.events"),
        storable(events.ACTIONS, but=frozenset({"PutEvents", "TestEventPattern"})),
    ),
    "scheduler": AwsService(RestJsonProtocol(scheduler.ROUTES), storable(scheduler.ACTIONS)),
    "sns": AwsService(QueryProtocol("http://sns.amazonaws.com/doc/2010-03-31/"), sns.ACTIONS),
    "sqs": AwsService(
        JsonProtocol(version="1.0", namespace="com.amazonaws.sqs", has_times=False, plain_forms=sqs.PLAIN_FORMS),
        sqs.ACTIONS,
        older_protocol=QueryProtocol(SQS_NAMESPACE, is_flat=True),
        older_protocol_in_json=QueryAsJson(SQS_NAMESPACE, is_flat=True),
        account_actions=frozenset({"CreateQueue", "ListQueues"}),
        waiting_actions=frozenset({"ReceiveMessage"}),
    ),
    "sts": AwsService(QueryProtocol("https://sts.amazonaws.com/doc/2011-06-15/"), sts.ACTIONS),
}

# A request for a service that is not offered is answered in the form that it was made in.
UNKNOWN_JSON = JsonProtocol(version="1.1", namespace="com.amazon.coral.service")
UNKNOWN_QUERY = QueryProtocol("http://webservices.amazon.com/AWSFault/2005-15-09")
