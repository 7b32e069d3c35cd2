"""Secrets that one machine keeps in its state directory; every process of a fleet needs the same."""

SHARED_SECRETS = {
    "AccessKeySecret": "SIGHTLINE_AUTH_ACCESS_KEY_SECRET",
    "WebhookSecret": "SIGHTLINE_PUSH_WEBHOOK_SECRET",
    "VapidSecret": "SIGHTLINE_PUSH_VAPID_SECRET",
}
"""By their logical names in CloudFormation."""
