"""What the platform stores in and sends to: objects, the AWS account, mail, sign-in, and the address that people use."""

import asyncio
import shutil
from urllib.parse import urlsplit

import httpx

from sightline.config import Settings, is_loopback
from sightline.doctor.diagnosis import Diagnosis, ok, problem, warning
from sightline.errors import PlatformError
from sightline.notifications.mail import check_mail_server

TIMEOUT_S = 10.0


async def examine_objects(settings: Settings) -> list[Diagnosis]:
    objects = settings.objects
    if objects.backend == "disk":
        return [await asyncio.to_thread(_disk, settings)]
    from sightline.objects.s3 import open_s3_object_store  # an installation without AWS has no boto

    try:
        async with open_s3_object_store(objects) as store:
            await store.check()
    except PlatformError as error:
        fix = "check SIGHTLINE_OBJECTS_BUCKET, SIGHTLINE_OBJECTS_S3_ENDPOINT, the region and the keys"
        return [problem("objects", f"the bucket {objects.bucket} cannot be used: {error.message}", fix=fix)]
    return [ok("objects", f"bucket {objects.bucket}")]


def _disk(settings: Settings) -> Diagnosis:
    objects = settings.objects
    directory = objects.directory or settings.state_dir.absolute() / "objects"
    existing = next(one for one in (directory, *directory.parents) if one.exists())
    if shutil.disk_usage(existing).free < objects.minimum_free_bytes:
        text = f"{directory} has less free space than SIGHTLINE_OBJECTS_MINIMUM_FREE_BYTES, so uploads are refused"
        return problem("objects", text, fix="free some space on that disk")
    return ok("objects", f"on disk in {directory}")


async def examine_account(settings: Settings) -> list[Diagnosis]:
    """Only where the bus is on AWS."""
    if settings.bus.backend != "aws":
        return [ok("bus", "embedded, in the database")]
    from sightline.fleet import account_differences, fleet_plan, open_account

    try:
        async with open_account(settings) as account:
            differences = await account_differences(fleet_plan(settings), account)
    except PlatformError as error:
        return [problem("bus", f"the AWS account cannot be read: {error.message}", fix="check the keys and the region")]
    if not differences:
        return [ok("bus", f"AWS account {settings.bus.account_id} is as the topology says")]
    text = f"{len(differences)} differences between AWS account and topology; the first: {differences[0]}"
    return [problem("bus", text, fix="sightline aws check shows all; deploy the template again")]


async def examine_mail(settings: Settings) -> list[Diagnosis]:
    mail = settings.notifications
    match mail.channel:
        case "sink" | "log":
            fix = "set SIGHTLINE_NOTIFICATIONS_CHANNEL to smtp or ses, with its server (docs/notifications.md)"
            return [warning("mail", "no email leaves this installation: no mail server is set", fix=fix)]
        case "ses":
            return [ok("mail", f"SES in {mail.ses_region}; not examined without sending")]
    try:
        await asyncio.wait_for(check_mail_server(mail), TIMEOUT_S)
    except (PlatformError, TimeoutError) as error:
        reason = error.message if isinstance(error, PlatformError) else f"no answer within {TIMEOUT_S:.0f} s"
        return [problem("mail", reason, fix="check SIGHTLINE_NOTIFICATIONS_SMTP_HOST, its port, TLS and password")]
    return [ok("mail", f"the server {mail.smtp_host} lets us in")]


async def examine_sign_in(settings: Settings) -> list[Diagnosis]:
    auth, api = settings.auth, settings.api
    if not auth.is_configured:
        return [ok("sign-in", "none; only this machine reaches the API")]
    findings = []
    public = urlsplit(api.public_url or "")
    if public.scheme != "https" and not is_loopback(public.hostname or "localhost"):
        text = f"people send their tokens to {api.public_url} without encryption"
        findings.append(
            problem("sign-in", text, fix="serve it through HTTPS and set SIGHTLINE_API_PUBLIC_URL accordingly")
        )
    if auth.audience is None and auth.supabase_url is None:
        text = "a token that the issuer made for another application is accepted"
        findings.append(warning("sign-in", text, fix="set SIGHTLINE_AUTH_AUDIENCE"))
    if auth.jwks_url is not None:
        findings.append(await _answers("sign-in", auth.jwks_url, "SIGHTLINE_AUTH_JWKS_URL"))
    return findings or [ok("sign-in", "tokens are checked")]


async def examine_address(settings: Settings) -> list[Diagnosis]:
    """The address in emails, pushes and share links has to lead here."""
    public = settings.api.public_url
    if public is None:
        return [ok("address", "links lead to this machine; set SIGHTLINE_API_PUBLIC_URL for people elsewhere")]
    found = await _answers("address", f"{public.rstrip('/')}/api/health", "SIGHTLINE_API_PUBLIC_URL")
    return [found]


async def _answers(part: str, url: str, setting: str) -> Diagnosis:
    try:
        async with httpx.AsyncClient(timeout=TIMEOUT_S) as client:
            response = await client.get(url)
    except httpx.HTTPError as error:
        return problem(part, f"{url} does not answer: {str(error) or type(error).__name__}", fix=f"check {setting}")
    if response.status_code >= 400 and response.status_code != 503:
        return problem(part, f"{url} answers {response.status_code}", fix=f"check {setting}")
    return ok(part, f"{url} answers")


async def examine_secrets(settings: Settings) -> list[Diagnosis]:
    """With a database elsewhere there may be other machines, and each would make secrets of its own."""
    if settings.database.url is None:
        return []
    missing = [
        name
        for name, value in (
            ("SIGHTLINE_AUTH_ACCESS_KEY_SECRET", settings.auth.access_key_secret),
            ("SIGHTLINE_PUSH_WEBHOOK_SECRET", settings.push.webhook_secret),
        )
        if value is None
    ]
    if not missing:
        return [ok("secrets", "the same on every machine, from the settings")]
    text = f"{' and '.join(missing)} come from this machine's state directory; another machine would use others"
    return [warning("secrets", text, fix="with more than one machine, set them to the same values everywhere")]
