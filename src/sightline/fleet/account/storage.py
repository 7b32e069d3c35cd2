"""Bucket, table, schedule group and mail templates of an account, compared with the plan."""

from typing import Any

from sightline.fleet.account.reading import AccountReader
from sightline.fleet.difference import Difference, compare, missing
from sightline.fleet.plan import FleetPlan
from sightline.fleet.template import bucket_rules, cors_rule
from sightline.messages.dynamodb import TIME_TO_LIVE_ATTRIBUTE, table_definition


async def storage_differences(plan: FleetPlan, account: AccountReader) -> list[Difference]:
    return [
        *await _bucket(plan, account),
        *await _table(plan, account),
        *await _schedule_group(plan, account),
        *await _mail_templates(plan, account),
    ]


async def _bucket(plan: FleetPlan, account: AccountReader) -> list[Difference]:
    resource, where = f"bucket {plan.bucket}", {"Bucket": plan.bucket}
    if await account.read("s3", "head_bucket", **where) is None:
        return [missing(resource)]
    found = []
    notifications = await account.read("s3", "get_bucket_notification_configuration", **where) or {}
    if "EventBridgeConfiguration" not in notifications:
        found.append(Difference(resource, "events to EventBridge", "on", "off"))
    cors = await account.read("s3", "get_bucket_cors", **where) or {}
    found += _cors(plan, resource, cors.get("CORSRules", []))
    lifecycle = await account.read("s3", "get_bucket_lifecycle_configuration", **where) or {}
    return found + _lifecycle(plan, resource, lifecycle.get("Rules", []))


def _cors(plan: FleetPlan, resource: str, rules: list[dict[str, Any]]) -> list[Difference]:
    expected = cors_rule(plan)
    found = []
    for origin in plan.page_origins:
        allowed = [one for one in rules if {origin, "*"} & set(one.get("AllowedOrigins", []))]
        methods = {method for one in allowed for method in one.get("AllowedMethods", [])}
        headers = {name.lower() for one in allowed for name in one.get("ExposeHeaders", [])}
        if lacking := [one for one in expected["AllowedMethods"] if one not in methods]:
            found.append(Difference(resource, f"CORS of {origin}", "PUT and GET allowed", f"{lacking} not allowed"))
        elif "etag" not in headers:
            found.append(Difference(resource, f"CORS of {origin}", "ETag exposed", "not exposed"))
    return found


def _lifecycle(plan: FleetPlan, resource: str, rules: list[dict[str, Any]]) -> list[Difference]:
    found = []
    present = {_prefix(one): one for one in rules if one.get("Status") == "Enabled"}
    for expected in bucket_rules(plan):
        prefix, days = expected.get("Prefix", ""), expected.get("ExpirationInDays")
        rule = present.get(prefix, {})
        if days is not None and rule.get("Expiration", {}).get("Days") != days:
            text = str(rule.get("Expiration", {}).get("Days", "missing"))
            found.append(Difference(resource, f"expiry of {prefix} in days", str(days), text))
        if days is None and not any("AbortIncompleteMultipartUpload" in one for one in present.values()):
            found.append(Difference(resource, "removal of parts of abandoned uploads", "present", "missing"))
    return found


def _prefix(rule: dict[str, Any]) -> str:
    return str(rule.get("Filter", {}).get("Prefix", rule.get("Prefix", "")))


async def _table(plan: FleetPlan, account: AccountReader) -> list[Difference]:
    resource = f"table {plan.table}"
    response = await account.read("dynamodb", "describe_table", TableName=plan.table)
    if response is None:
        return [missing(resource)]
    definition, table = table_definition(plan.table), response["Table"]
    found = list(compare(resource, {"KeySchema": definition["KeySchema"]}, table))
    indexes = {one["IndexName"]: one for one in table.get("GlobalSecondaryIndexes", [])}
    for index in definition["GlobalSecondaryIndexes"]:
        if (present := indexes.get(index["IndexName"])) is None:
            found.append(Difference(resource, f"index {index['IndexName']}", "present", "missing"))
        else:
            expected = {"KeySchema": index["KeySchema"], "Projection": index["Projection"]}
            found += compare(f"{resource}, index {index['IndexName']}", expected, present)
    response = await account.read("dynamodb", "describe_time_to_live", TableName=plan.table) or {}
    ttl = response.get("TimeToLiveDescription", {})
    state = {
        "time to live": ttl.get("AttributeName") if ttl.get("TimeToLiveStatus") in ("ENABLED", "ENABLING") else None
    }
    return [*found, *compare(resource, {"time to live": TIME_TO_LIVE_ATTRIBUTE}, state)]


async def _schedule_group(plan: FleetPlan, account: AccountReader) -> list[Difference]:
    if await account.read("scheduler", "get_schedule_group", Name=plan.schedule_group) is None:
        return [missing(f"schedule group {plan.schedule_group}")]
    return []


async def _mail_templates(plan: FleetPlan, account: AccountReader) -> list[Difference]:
    found: list[Difference] = []
    for template in plan.mail_templates:
        resource = f"mail template {template.name}"
        response = await account.read("sesv2", "get_email_template", TemplateName=template.name)
        if response is None:
            found.append(missing(resource))
            continue
        present = response["TemplateContent"]
        changed = [part for part, text in template.content.items() if present.get(part) != text]
        found += [
            Difference(
                resource, part, "that of this version", "another: `sightline aws mail-templates` brings it up to date"
            )
            for part in changed
        ]
    return found
