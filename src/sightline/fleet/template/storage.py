"""The bucket of videos. Pure."""

from typing import Any

from sightline.fleet.plan import FleetPlan
from sightline.fleet.template.intrinsics import Resources, attribute, policy, ref, resource
from sightline.objects import CLIPS_PREFIX, EVENT_CLIPS_PREFIX

ABANDONED_PARTS_DAYS = 7
"""The platform aborts abandoned uploads itself; this is for parts of uploads that it never knew."""


def bucket_rules(plan: FleetPlan) -> list[dict[str, Any]]:
    """The lifecycle of the bucket."""
    expiring: list[dict[str, Any]] = [
        {"Id": f"expire-{prefix.strip('/').replace('/', '-')}", "Prefix": prefix, "ExpirationInDays": plan.clip_days}
        for prefix in (CLIPS_PREFIX, EVENT_CLIPS_PREFIX)
    ]
    abort: dict[str, Any] = {"AbortIncompleteMultipartUpload": {"DaysAfterInitiation": ABANDONED_PARTS_DAYS}}
    return [{**one, "Status": "Enabled"} for one in (*expiring, {"Id": "abort-abandoned-uploads", **abort})]


def cors_rule(plan: FleetPlan) -> dict[str, Any]:
    """What the page needs to send parts, and to read their ETags and ranges of streams."""
    return {
        "Id": "page",
        "AllowedOrigins": list(plan.page_origins) or [ref("PublicUrl")],
        "AllowedMethods": ["GET", "HEAD", "PUT", "POST"],
        "AllowedHeaders": ["*"],
        "ExposedHeaders": ["ETag", "Content-Range", "Accept-Ranges", "x-amz-checksum-crc32c", "x-amz-checksum-sha256"],
        "MaxAge": 3600,
    }


def storage_resources(plan: FleetPlan) -> Resources:
    properties = {
        "BucketName": plan.bucket,
        "NotificationConfiguration": {"EventBridgeConfiguration": {"EventBridgeEnabled": True}},
        "CorsConfiguration": {"CorsRules": [cors_rule(plan)]},
        "LifecycleConfiguration": {"Rules": bucket_rules(plan)},
        "BucketEncryption": {
            "ServerSideEncryptionConfiguration": [{"ServerSideEncryptionByDefault": {"SSEAlgorithm": "AES256"}}]
        },
        "PublicAccessBlockConfiguration": {
            "BlockPublicAcls": True,
            "BlockPublicPolicy": True,
            "IgnorePublicAcls": True,
            "RestrictPublicBuckets": True,
        },
    }
    arn = attribute("Bucket")
    only_encrypted = {
        "Sid": "OnlyEncryptedConnections",
        "Effect": "Deny",
        "Principal": "*",
        "Action": "s3:*",
        "Resource": [arn, {"Fn::Sub": ["${Bucket}/*", {"Bucket": arn}]}],
        "Condition": {"Bool": {"aws:SecureTransport": "false"}},
    }
    return {
        "Bucket": resource("AWS::S3::Bucket", properties, keeps_data=True),
        "BucketPolicy": resource(
            "AWS::S3::BucketPolicy", {"Bucket": ref("Bucket"), "PolicyDocument": policy(only_encrypted)}
        ),
    }
