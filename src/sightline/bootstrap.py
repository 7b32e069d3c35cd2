"""The wiring of the platform on one page: settings → platform."""

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from prometheus_client import CollectorRegistry

from sightline.access import OPERATOR, AccessKeys, ApiKeys, AuditLog, OpenConnections, PageSessions, access_key_secret
from sightline.bus import (
    Bus,
    BusEvent,
    NotificationWriter,
    OpenBus,
    Sealing,
    default_topology,
    open_bus,
)
from sightline.cameras import LatestPictures
from sightline.cameras.recording import (
    RecorderParts,
    RecordingLimits,
    RecordingMetrics,
    RecordingSettings,
    RecordingSweep,
)
from sightline.cameras.recording.clips import clip_of_event, enqueue_clip_if_recorded
from sightline.config import Settings
from sightline.contracts.storage_events import OBJECT_CREATED, STORAGE_SOURCE, ObjectCreated
from sightline.db import Database, EmbeddedPostgres, Listener, Transaction, open_database
from sightline.health_checks import check_bus, check_database, check_vision
from sightline.jobs import JobMetrics, JobQueue, Scratch
from sightline.live import BroadcastRetryMetrics, LiveFeed, LiveHub, LiveMetrics, OpenTransport, open_transport
from sightline.messages import OpenMessages, open_messages
from sightline.notification_parts import channels_to_confirm, open_address_book, read_vapid_key
from sightline.notifications import AddressBook, Devices, VapidKey, open_topic_senders
from sightline.objects import ObjectStore, OpenObjectStore, open_object_store
from sightline.observability import Health, create_registry
from sightline.personal_data import PersonRequests
from sightline.retention import RetentionMetrics, RuleSweep, StorageMeter, retention_rules
from sightline.security import Camera, OpenSecurity, open_security
from sightline.security.events import Event
from sightline.sigv4 import SigningKey
from sightline.stored_settings import SettingsStore, SettingsWatch
from sightline.supervisor import ServiceStatus
from sightline.text import LanguageAdditions, LanguageStore, models_directory
from sightline.text.meaning import MeaningSearch, open_meaning_search
from sightline.uploads import TusUploads, UploadAdmission, UploadCompletion, UploadProgress, Uploads
from sightline.usage import UsageCounters
from sightline.videos import ProgressFeed, RemovalSweep, VideoFeed, VideoMoves
from sightline.vision import Detector, open_detector


@dataclass(frozen=True, slots=True)
class Addresses:
    """Database URLs of a process."""

    service: str
    admin: str
    direct: str


@dataclass(slots=True)
class Platform:
    """The parts that the roles of a process use."""

    settings: Settings
    """Those in force: they follow what operators change in the page."""
    settings_watch: SettingsWatch
    database: Database
    listener: Listener
    api_keys: ApiKeys
    access_keys: AccessKeys
    page_sessions: PageSessions
    audit: AuditLog
    open_connections: OpenConnections
    open_bus: OpenBus
    notification_writer: NotificationWriter | None
    sealing: Sealing
    open_objects: OpenObjectStore
    jobs: JobQueue
    job_metrics: JobMetrics
    scratch: Scratch
    open_messages: OpenMessages
    addresses: AddressBook
    devices: Devices
    vapid: VapidKey
    security: OpenSecurity
    camera_pictures: LatestPictures
    camera_folders: Path
    """Where cameras have folders of their own, which the FTP server stores uploads in."""
    live: LiveFeed
    live_hub: LiveHub
    live_transport: OpenTransport
    progress: ProgressFeed
    videos: VideoMoves
    completion: UploadCompletion
    admission: UploadAdmission
    usage: UsageCounters
    person_requests: PersonRequests
    uploads: Uploads
    tus: TusUploads
    removals: RemovalSweep
    languages: LanguageAdditions
    meaning: MeaningSearch
    detector: Detector | None
    recorder_parts: RecorderParts
    recording_sweep: RecordingSweep
    recording_limits: RecordingLimits
    retention: RuleSweep
    storage_meter: StorageMeter
    health: Health
    registry: CollectorRegistry
    statuses: Callable[[], list[ServiceStatus]] = list

    def apply(self, settings: Settings) -> None:
        """Changed settings. Services that were built from others are built anew by themselves (`RestartedOnChange`)."""
        self.settings = settings
        self.addresses.require(channels_to_confirm(settings))
        self.open_messages.event_notifications.use(settings.push, settings.notifications.language)
        self.retention.use(retention_rules(settings.retention, clip_keep_days=settings.media.clip_keep_days))
        self.recording_limits.use(
            days=settings.retention.recordings_days or None, max_bytes=settings.retention.recordings_max_bytes or None
        )

    @property
    def bus(self) -> Bus:
        return self.open_bus.bus

    @property
    def public_url(self) -> str:
        return public_url(self.settings)

    @property
    def objects(self) -> ObjectStore:
        return self.open_objects.store


def embedded_postgres(settings: Settings) -> EmbeddedPostgres | None:
    """The embedded server; None when the settings name another."""
    if settings.database.url is not None:
        return None
    return EmbeddedPostgres(settings.state_dir.absolute() / "postgres", run_as=settings.database.embedded_user)


def addresses(settings: Settings) -> Addresses:
    database = settings.database
    if database.url is None:
        embedded = EmbeddedPostgres(settings.state_dir.absolute() / "postgres", run_as=database.embedded_user)
        return Addresses(embedded.url, embedded.admin_url, embedded.url)
    service = database.url.get_secret_value()
    return Addresses(
        service=service,
        admin=database.admin_url.get_secret_value() if database.admin_url else service,
        direct=database.direct_url.get_secret_value() if database.direct_url else service,
    )


def public_url(settings: Settings) -> str:
    """The URL of the API for clients, according to the settings."""
    host = f"[{settings.api.host}]" if ":" in settings.api.host else settings.api.host
    return (settings.api.public_url or f"http://{host}:{settings.api.port}").rstrip("/")


def _notification_writer(
    settings: Settings, opened: OpenBus, database: Database, secret: bytes
) -> NotificationWriter | None:
    """None on AWS, which writes and signs its own."""
    if (registry := opened.registry) is None:
        return None
    return NotificationWriter(database, secret, public_url(settings), registry.names, lambda: registry.snapshot)


async def _operators_signing_key(keys: AccessKeys, key_id: str) -> SigningKey | None:
    """Objects belong to all owners alike in the layout of document 004, so only keys of operators reach them over S3."""
    found = await keys.find(key_id)
    return SigningKey(key_id, found.secret) if found is not None and OPERATOR in found.key.scopes else None


@asynccontextmanager
async def open_platform(settings: Settings, *, registry: CollectorRegistry | None = None) -> AsyncIterator[Platform]:
    """Opens the parts from top to bottom and closes them in the reverse order."""
    where = addresses(settings)
    async with AsyncExitStack() as stack:
        database = await open_database(settings.database, where.service)
        stack.callback(database.terminate)
        usage = UsageCounters(database)
        stack.push_async_callback(usage.close)
        listener = Listener(where.direct)
        key_secret = access_key_secret(settings.auth.access_key_secret, settings.state_dir.absolute())
        sealing = Sealing(key_secret)
        settings_watch = SettingsWatch(settings, SettingsStore(database, sealing), listener)
        settings = await settings_watch.refresh()
        health = Health()
        registry = registry or create_registry()
        topology = default_topology(stage=settings.bus.stage, bucket=settings.objects.bucket)
        created = (topic for topic in settings.techniques.topics if not topic.startswith("arn:"))
        topology = replace(topology, topics=tuple(dict.fromkeys((*topology.topics, *created))))
        opened = await stack.enter_async_context(open_bus(settings.bus, topology, database, listener, registry))
        stored = await stack.enter_async_context(
            open_object_store(
                settings.objects,
                state_directory=settings.state_dir.absolute(),
                public_url=public_url(settings),
                announce=partial(_announce, opened.bus, database),
                registry=registry,
            )
        )
        address_book = open_address_book(settings, database)
        devices = Devices(database)
        spoken = await stack.enter_async_context(
            open_messages(
                settings.messages,
                settings.push,
                settings.bus,
                bus=opened.bus,
                database=database,
                registry=registry,
                language=settings.notifications.language,
                addresses=address_book,
                devices=devices,
            )
        )
        job_metrics = JobMetrics(registry, alert_rate=settings.jobs.failure_alert_rate)
        objects = stored.store
        live, live_metrics = LiveFeed(), LiveMetrics(registry)
        live_transport = await stack.enter_async_context(open_transport(settings.live, live_metrics))
        videos = VideoMoves(opened.bus, page_url=public_url(settings), listeners=(VideoFeed(live),))
        progress = ProgressFeed(database, live)
        completion = UploadCompletion(database, objects, videos, opened.bus)
        removals = RemovalSweep(database, objects, trash_days=settings.retention.trash_days)
        admission = UploadAdmission(objects, settings.uploads, registry=registry)
        upload_progress = UploadProgress(database, progress)
        uploads = Uploads(database, objects, videos, completion, settings.uploads, upload_progress, admission)
        jobs = JobQueue(database)
        security = await stack.enter_async_context(
            open_security(
                settings.security,
                database=database,
                jobs=jobs,
                live=live,
                sender=opened.bus,
                objects=objects,
                page_url=public_url(settings),
                registry=registry,
                on_event_over=partial(_clip_event, jobs, settings.recording)
                if settings.recording.event_clips
                else None,
            )
        )
        languages = LanguageAdditions(
            LanguageStore(models_directory(settings.state_dir), settings.text.language_registry)
        )
        stack.push_async_callback(languages.close)
        meaning = await stack.enter_async_context(
            open_meaning_search(
                settings.meaning,
                state_dir=settings.state_dir,
                may_be_unconfined=settings.media.allow_unconfined,
            )
        )
        detector = await stack.enter_async_context(
            open_detector(
                settings.vision,
                state_dir=settings.state_dir,
                may_be_unconfined=settings.media.allow_unconfined,
                registry=registry,
            )
        )
        api_keys = ApiKeys(database)
        scratch = Scratch(settings.jobs.work_directory or settings.state_dir.absolute() / "work")
        recording_sweep = RecordingSweep(database, objects)
        recording_limits = RecordingLimits(
            database,
            recording_sweep,
            days=settings.retention.recordings_days or None,
            max_bytes=settings.retention.recordings_max_bytes or None,
        )
        writer = _notification_writer(settings, opened, database, key_secret)
        if writer is not None:
            trusted = None if settings.auth.is_configured else settings.bus.account_id
            await stack.enter_async_context(
                open_topic_senders(
                    settings.notifications,
                    opened.senders,
                    writer,
                    database=database,
                    sealing=sealing,
                    trusted_account=trusted,
                )
            )
        access_keys = AccessKeys(api_keys, database, key_secret, is_local=not settings.auth.is_configured)
        if stored.disk is not None:
            stored.disk.accept_keys(partial(_operators_signing_key, access_keys))
        platform = Platform(
            settings=settings,
            settings_watch=settings_watch,
            database=database,
            listener=listener,
            api_keys=api_keys,
            access_keys=access_keys,
            page_sessions=PageSessions(database),
            audit=AuditLog(database, registry),
            open_connections=OpenConnections(database, listener),
            open_bus=opened,
            notification_writer=writer,
            sealing=sealing,
            open_objects=stored,
            jobs=jobs,
            job_metrics=job_metrics,
            scratch=scratch,
            open_messages=spoken,
            addresses=address_book,
            devices=devices,
            vapid=read_vapid_key(settings, public_url(settings)),
            security=security,
            camera_pictures=LatestPictures(objects),
            camera_folders=settings.cameras.folders or settings.state_dir / "camera-folders",
            live=live,
            live_hub=LiveHub(
                database,
                listener,
                settings.live,
                live_metrics,
                BroadcastRetryMetrics(registry),
                transport=live_transport.transport,
            ),
            live_transport=live_transport,
            progress=progress,
            videos=videos,
            completion=completion,
            admission=admission,
            usage=usage,
            person_requests=PersonRequests(database, objects, jobs, settings.people),
            uploads=uploads,
            tus=TusUploads(database, objects, videos, uploads, upload_progress, admission, settings.uploads),
            languages=languages,
            meaning=meaning,
            detector=detector,
            removals=removals,
            recorder_parts=RecorderParts(
                database, objects, scratch, settings.recording, RecordingMetrics(registry), listener
            ),
            recording_sweep=recording_sweep,
            recording_limits=recording_limits,
            retention=RuleSweep(
                database,
                objects,
                retention_rules(settings.retention, clip_keep_days=settings.media.clip_keep_days),
                removals,
                RetentionMetrics(registry),
                recording_limits,
                every_s=settings.retention.sweep_s,
            ),
            storage_meter=StorageMeter(database, objects, every_s=settings.retention.measure_s, registry=registry),
            health=health,
            registry=registry,
        )
        settings_watch.follow(platform.apply)
        health.add("database", partial(check_database, database))
        health.add("objects", stored.store.check)
        health.add("messages", spoken.store.check)
        health.add("bus", partial(check_bus, opened.bus, database, listener))
        health.add("vision", partial(check_vision, detector))
        yield platform


async def _announce(bus: Bus, database: Database, created: ObjectCreated) -> None:
    """Publishes `Object Created` for the disk backend, as S3 does by itself."""
    bucket = f"arn:aws:s3:::{created.bucket.name}"
    async with database.transaction() as tx:
        await bus.put_events(tx, BusEvent(STORAGE_SOURCE, OBJECT_CREATED, created.to_detail(), (bucket,)))


async def _clip_event(
    jobs: JobQueue, settings: RecordingSettings, tx: Transaction, event: Event, camera: Camera
) -> None:
    """The clip of an event that is over, if something was recorded around it. The features do not know each other."""
    wanted = clip_of_event(event.id, camera.camera_key, event.started_at, event.ended_at, settings)
    await enqueue_clip_if_recorded(tx, jobs, wanted, settings)
