"""Builds the FastAPI application from a platform."""

from collections.abc import Callable
from functools import cache, cached_property, partial
from typing import Any

from fastapi import APIRouter, FastAPI
from fastapi.middleware.cors import CORSMiddleware
from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Receive, Scope, Send

from sightline import __version__
from sightline.access import CallerRights
from sightline.api import (
    camera_zones,
    cameras,
    clips,
    companion,
    detections,
    frames,
    health,
    job_details,
    jobs,
    mails,
    me,
    message_schedules,
    messages,
    overview,
    pipelines,
    playback,
    queues,
    sample_video,
    speech,
    tus,
    uploads,
    video_actions,
    video_tracks,
    videos,
    vision,
)
from sightline.api.auth import audit, keys, people, person_export, person_requests, session
from sightline.api.auth.audit_trail import AuditTrail
from sightline.api.auth.authentication import Authentication
from sightline.api.auth.caller_videos import CallerVideos
from sightline.api.auth.callers import Callers, build_callers
from sightline.api.auth.identity import build_authenticator
from sightline.api.auth.oidc import OidcIssuer, OidcSignIn
from sightline.api.auth.oidc import routes as oidc_routes
from sightline.api.auth.rate_limit import RateLimit
from sightline.api.aws import AwsEndpoint, AwsPort
from sightline.api.bus import routes as bus_routes
from sightline.api.camera_sources import discovery as camera_discovery
from sightline.api.camera_sources import motion as camera_motion
from sightline.api.camera_sources import routes as camera_source_routes
from sightline.api.edge import DirectCalls
from sightline.api.events import alert_rules, camera_snoozes
from sightline.api.events import bulk as bulk_events
from sightline.api.events import export as event_export
from sightline.api.events import handling as event_handling
from sightline.api.events import routes as events
from sightline.api.library import collections, sprite_sheets, trash
from sightline.api.live import http_stream as live_requests
from sightline.api.live import messages as live
from sightline.api.live.websocket import install_live
from sightline.api.notifications import addresses as notification_addresses
from sightline.api.notifications import browsers, channel_test, confirmation_page
from sightline.api.notifications import preferences as notification_preferences
from sightline.api.recordings import detect as recorded_detect
from sightline.api.recordings import event_clips, live_pictures
from sightline.api.recordings import playback as recorded_playback
from sightline.api.s3 import OBJECTS_PATH, ObjectsCors, OwnEndpoint, create_endpoint, create_objects_router
from sightline.api.serving.checked_values import CheckedValues
from sightline.api.serving.docs import install_docs
from sightline.api.serving.errors import ErrorAnswer, install_error_handlers
from sightline.api.serving.fetch_guard import FetchGuard
from sightline.api.serving.loggable_path import SHARES_PATH
from sightline.api.serving.middleware import BodyLimit, LastNet, LocalGuard, RequestContext
from sightline.api.serving.page_files import install_page
from sightline.api.serving.routing import QuickRouter, pass_over_quickly
from sightline.api.settings import routes as settings
from sightline.api.shares import public as public_shares
from sightline.api.shares import routes as share_routes
from sightline.api.shares.opened import ShareLimits
from sightline.api.storage import routes as storage_routes
from sightline.api.teams import invitations as team_invitations
from sightline.api.teams import moving as team_moving
from sightline.api.teams import routes as team_routes
from sightline.api.techniques import analyzers as technique_analyzers
from sightline.api.techniques import mark_files as technique_mark_files
from sightline.api.techniques import marks as technique_marks
from sightline.api.techniques import names as technique_names
from sightline.api.techniques import reels as technique_reels
from sightline.api.techniques import reports as technique_reports
from sightline.api.techniques import results as technique_results
from sightline.api.techniques import summary as technique_summary
from sightline.api.text import languages, meaning, moments, saved_searches, search, segments, suggestions, transcripts
from sightline.api.usage import routes as usage_routes
from sightline.bootstrap import Platform, public_url
from sightline.observability import CORRELATION_HEADER

_ROUTERS = (
    health.router,
    me.router,
    keys.router,
    session.router,
    oidc_routes.router,
    audit.router,
    overview.router,
    storage_routes.router,
    usage_routes.router,
    settings.router,
    people.router,
    team_routes.router,
    team_invitations.router,
    person_export.router,
    person_requests.router,
    videos.router,
    uploads.router,
    companion.router,
    tus.router,
    pipelines.router,
    video_actions.router,
    team_moving.router,
    video_tracks.router,
    sample_video.router,
    playback.router,
    sprite_sheets.router,
    trash.router,
    collections.router,
    frames.router,
    clips.router,
    share_routes.router,
    public_shares.router,
    jobs.router,
    job_details.router,
    search.router,
    suggestions.router,
    saved_searches.router,
    meaning.router,
    segments.router,
    transcripts.router,
    moments.router,
    languages.router,
    technique_reports.router,
    technique_results.router,
    technique_analyzers.router,
    technique_names.router,
    technique_mark_files.router,
    technique_marks.router,
    technique_summary.router,
    technique_reels.router,
    queues.router,
    bus_routes.router,
    live.router,
    live_requests.router,
    mails.router,
    messages.router,
    message_schedules.router,
    notification_preferences.router,
    channel_test.router,
    browsers.router,
    notification_addresses.router,
    confirmation_page.router,
    camera_source_routes.router,
    camera_discovery.router,
    camera_motion.router,
    cameras.router,
    camera_zones.router,
    recorded_playback.router,
    recorded_detect.router,
    live_pictures.router,
    detections.router,
    event_export.router,
    bulk_events.router,
    events.router,
    event_handling.router,
    event_clips.router,
    alert_rules.router,
    vision.router,
    speech.router,
    camera_snoozes.router,
)

_RESPONSES: dict[int | str, dict[str, Any]] = {
    "default": {"model": ErrorAnswer, "description": "Refused or failed; the code says why."}
}


class _Api(FastAPI):
    around: Callable[[ASGIApp], AwsEndpoint] | None = None
    """Sees requests before the framework, whose own stack costs as much as a call of an AWS SDK."""

    @cached_property
    def _entrance(self) -> ASGIApp:
        """Made at the first request, as the framework makes its own stack."""
        inside = super().__call__
        return inside if self.around is None else self.around(inside)

    @property
    def direct_calls(self) -> DirectCalls | None:
        """What the server may call without passing the request through here."""
        return self._entrance if isinstance(self._entrance, AwsEndpoint) else None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._entrance(scope, receive, send)

    def openapi(self) -> dict[str, Any]:
        """Documents the sign-in only if authentication is on."""
        is_new = self.openapi_schema is None
        schema = super().openapi()
        if is_new and not self.state.platform.settings.auth.is_configured:
            schema.get("components", {}).pop("securitySchemes", None)
            for item in schema["paths"].values():
                for operation in item.values():
                    operation.pop("security", None)
        return schema


def create_app(platform: Platform) -> FastAPI:
    """The whole API."""
    app = _base(platform, serves_objects=True)
    app.router.routes.extend(_routes())
    if (disk := platform.open_objects.disk) is not None:
        app.include_router(QuickRouter(create_objects_router(disk, partial(_check_space, platform))))
        pass_over_quickly(app.router.routes[-1:])
    if platform.settings.bus.backend == "postgres":
        app.around = partial(AwsEndpoint, platform=platform)
    install_live(app)
    install_docs(app)
    install_page(app, platform.settings)
    return app


@cache
def _routes() -> tuple[BaseRoute, ...]:
    """Made once in a process: they are most of the work that an application is, and know no platform."""
    holder = APIRouter(responses=_RESPONSES)
    for router in _ROUTERS:
        holder.include_router(QuickRouter(router))
    pass_over_quickly(holder.routes)
    return tuple(holder.routes)


async def _check_space(platform: Platform, size: int | None) -> None:
    async with platform.database.transaction() as tx:
        await platform.admission.check_space(tx, size)


def _oidc_sign_in(platform: Platform, callers: Callers) -> OidcSignIn | None:
    auth = platform.settings.auth
    if auth.oidc_issuer is None:
        return None
    return OidcSignIn(
        auth, OidcIssuer(auth), callers, platform.database, platform.sealing, public_url=public_url(platform.settings)
    )


def create_probe_app(platform: Platform) -> FastAPI:
    """Health and metrics only, for processes without the API."""
    app = _base(platform)
    app.include_router(health.router)
    return app


def _base(platform: Platform, *, serves_objects: bool = False) -> _Api:
    settings = platform.settings
    app = _Api(
        title="Sightline",
        version=__version__,
        description="Turns video into things people can search, watch and act on.",
        docs_url=None,
        redoc_url=None,
        openapi_url=None,  # `install_docs` serves it, to those who may call the API
        redirect_slashes=False,
        responses=_RESPONSES,
    )
    app.state.platform = platform
    callers = build_callers(settings.auth, platform.database)
    app.state.oidc = _oidc_sign_in(platform, callers)
    app.state.oidc_limit = RateLimit(oidc_routes.STARTS_PER_MINUTE)
    app.state.export_limit = RateLimit(person_export.EXPORTS_PER_MINUTE)
    app.state.authentication = Authentication(
        build_authenticator(settings.auth, callers),
        platform.api_keys,
        platform.page_sessions if settings.auth.is_configured else None,
        CallerRights(platform.database) if settings.auth.is_configured else None,
        public_url=public_url(settings),
    )
    app.state.rate_limit = RateLimit(settings.api.rate_limit_per_minute)
    app.state.share_limits = ShareLimits(settings.shares)
    app.state.caller_videos = CallerVideos(platform.database)
    app.state.live_viewers = live_pictures.LiveViewers(settings.recording.live_viewers)
    install_error_handlers(app)
    # Here each request brings its own permission, a signature, and as many bytes as a part may have.
    signed = () if platform.open_objects.disk is None else (f"{OBJECTS_PATH}/",)
    # Added last is outermost.
    app.add_middleware(AuditTrail, audit=platform.audit, is_local=not settings.auth.is_configured)
    app.add_middleware(CheckedValues, except_below=signed)
    # Bytes of files are counted where they are received.
    files = (*signed, tus.PATH)
    app.add_middleware(BodyLimit, max_bytes=settings.api.max_body_bytes, except_below=files)
    app.add_middleware(LastNet)
    if settings.api.cors_origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=settings.api.cors_origins,
            allow_methods=["*"],
            allow_headers=["authorization", "content-type", CORRELATION_HEADER, *tus.TUS_REQUEST_HEADERS],
            expose_headers=[CORRELATION_HEADER, "etag", "retry-after", *tus.TUS_RESPONSE_HEADERS],
        )
    if signed:
        app.add_middleware(ObjectsCors)
    app.add_middleware(FetchGuard, allowed_origins=settings.api.cors_origins, open_below=(*signed, SHARES_PATH))
    if not settings.auth.is_configured:
        app.add_middleware(LocalGuard, allowed_origins=settings.api.cors_origins, open_below=signed)
    if serves_objects and (disk := platform.open_objects.disk) is not None:
        app.add_middleware(
            OwnEndpoint,
            endpoint=LastNet(create_endpoint(disk, partial(_check_space, platform))),
            bucket=disk.bucket,
            port=settings.api.aws_port,
            hosts=settings.objects.endpoint_hosts,
            public_url=settings.objects.endpoint_url,
            accepts_api_port=settings.bus.backend == "postgres",
        )
    elif serves_objects and settings.api.aws_port is not None:
        app.add_middleware(AwsPort, port=settings.api.aws_port)
    app.add_middleware(RequestContext, registry=platform.registry)
    return app
