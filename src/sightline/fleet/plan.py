"""What a fleet consists of, read from the settings: names, topology, services. Pure.

The CloudFormation template and the check of an account are both made of this plan, so neither can name a queue that the
platform does not use.
"""

from dataclasses import dataclass

from sightline.bus import EventRule, Topology, default_topology, schedule_queue
from sightline.bus.aws import event_buses_of
from sightline.config import Settings
from sightline.fleet.services import FleetService, check_job_types, fleet_services
from sightline.job_types import JOBS
from sightline.notifications.mail import SesTemplate, ses_templates


@dataclass(frozen=True, slots=True)
class FleetPlan:
    stage: str
    region: str
    account_id: str
    bucket: str
    page_origins: tuple[str, ...]
    """Web origins whose pages may send parts to the bucket."""
    event_bus: str
    topology: Topology
    table: str
    """The DynamoDB table of messages."""
    schedule_group: str
    schedule_queue: str
    mail_templates: tuple[SesTemplate, ...]
    services: tuple[FleetService, ...]
    clip_days: int
    """Age at which the bucket removes clips. The platform removes them earlier; this is for what it lost track of."""

    def event_bus_of(self, rule: EventRule) -> str:
        """Events of S3 come from S3 itself here, and so on the default event bus alone."""
        return event_buses_of(rule, self.event_bus)[-1]

    @property
    def name(self) -> str:
        """The prefix of everything that has no name in a contract document."""
        return f"sightline-{self.stage}"


def fleet_plan(settings: Settings) -> FleetPlan:
    bus = settings.bus
    services = fleet_services()
    check_job_types(services, tuple(JOBS))
    public = (settings.api.public_url,) if settings.api.public_url else ()
    return FleetPlan(
        stage=bus.stage,
        region=bus.region,
        account_id=bus.account_id,
        bucket=settings.objects.bucket,
        page_origins=(*public, *settings.api.cors_origins),
        event_bus=bus.event_bus,
        topology=default_topology(stage=bus.stage, bucket=settings.objects.bucket),
        table=settings.messages.table_for(bus.stage),
        schedule_group=settings.messages.schedule_group_for(bus.stage),
        schedule_queue=schedule_queue(bus.stage),
        mail_templates=tuple(ses_templates()),
        services=services,
        clip_days=int(settings.media.clip_keep_days) + 7,
    )
