"""Settings of the pods: what every overlay has, what differs between the backends, and the names of secrets. Pure."""

from collections.abc import Mapping

from sightline.fleet.plan import FleetPlan
from sightline.fleet.shared_secrets import SHARED_SECRETS

API_PORT = 8400
PROBE_PORT = 8410
STATE_DIRECTORY = "/var/lib/sightline"

SETTINGS = "sightline-settings"
"""The ConfigMap. Kustomize adds a hash to its name, so a changed setting starts new pods."""
SECRETS = "sightline-secrets"
"""The Secret that pods read whole: settings alone, since an unknown name is refused at start."""
SCALER_SECRET, SCALER_KEY = "sightline-keda", "connection"

DATABASE_URL = "SIGHTLINE_DATABASE_URL"
METRICS_TOKEN = "SIGHTLINE_OBSERVABILITY_METRICS_TOKEN"  # noqa: S105 -- the name of a setting

NEEDED_SECRETS = (DATABASE_URL, METRICS_TOKEN, *SHARED_SECRETS.values())
"""What the Secret must have. Keys of S3, SMTP and models come on top where they are used."""


def common_settings(plan: FleetPlan) -> dict[str, str]:
    """The same whatever the backends; those that people change stand first."""
    return {
        "SIGHTLINE_API_PUBLIC_URL": plan.page_origins[0] if plan.page_origins else "https://video.example.com",
        "SIGHTLINE_API_TRUSTED_PROXIES": "10.0.0.0/8",
        "SIGHTLINE_AUTH_JWKS_URL": "https://issuer.example.com/.well-known/jwks.json",
        "SIGHTLINE_AUTH_ISSUER": "https://issuer.example.com/",
        "SIGHTLINE_AUTH_AUDIENCE": "sightline",
        "SIGHTLINE_BUS_STAGE": plan.stage,
        "SIGHTLINE_OBJECTS_BACKEND": "s3",
        "SIGHTLINE_OBJECTS_BUCKET": plan.bucket,
        "SIGHTLINE_OBSERVABILITY_LOG_FORMAT": "json",
    }


def postgres_settings(plan: FleetPlan) -> dict[str, str]:
    """Queues in the database, objects in any store that speaks S3."""
    return {
        **common_settings(plan),
        "SIGHTLINE_BUS_BACKEND": "postgres",
        "SIGHTLINE_OBJECTS_S3_ENDPOINT": "https://s3.example.com",
    }


def aws_settings(plan: FleetPlan) -> dict[str, str]:
    """What `sightline aws template --messaging` creates. Credentials come from the service account."""
    return {
        **common_settings(plan),
        "SIGHTLINE_BUS_BACKEND": "aws",
        "SIGHTLINE_BUS_REGION": plan.region,
        "SIGHTLINE_BUS_ACCOUNT_ID": plan.account_id,
        "SIGHTLINE_BUS_EVENT_BUS": plan.event_bus,
        "SIGHTLINE_BUS_CREATE_RESOURCES": "false",
        "SIGHTLINE_OBJECTS_S3_REGION": plan.region,
        "SIGHTLINE_MESSAGES_BACKEND": "dynamodb",
        "SIGHTLINE_MESSAGES_DYNAMODB_TABLE": plan.table,
        "SIGHTLINE_MESSAGES_DYNAMODB_REGION": plan.region,
        "SIGHTLINE_NOTIFICATIONS_CHANNEL": "ses",
        "SIGHTLINE_NOTIFICATIONS_FROM_ADDRESS": "video@example.com",
        "SIGHTLINE_NOTIFICATIONS_SES_REGION": plan.region,
    }


def env_file(settings: Mapping[str, str], heading: str) -> str:
    comment = "".join(f"# {line}\n" for line in heading.splitlines())
    return comment + "".join(f"{name}={value}\n" for name, value in settings.items())
