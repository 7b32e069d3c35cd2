-- Picture sources of cameras: where pictures come from, how they are looked at, and which process watches a camera.

CREATE TABLE camera_sources (
    camera_key uuid PRIMARY KEY REFERENCES cameras ON DELETE CASCADE,
    kind text NOT NULL CHECK (kind IN ('stream', 'mjpeg', 'snapshot', 'folder', 'mqtt', 'sample', 'push')),
    address text NOT NULL DEFAULT '' CHECK (length(address) <= 2048),
    username text,
    has_password boolean NOT NULL DEFAULT false,
    sealed bytea,
    reach text NOT NULL DEFAULT 'public' CHECK (reach IN ('public', 'lan', 'any')),
    transport text NOT NULL DEFAULT 'auto' CHECK (transport IN ('auto', 'tcp', 'udp')),
    verifies_certificate boolean NOT NULL DEFAULT true,
    looks_per_s real NOT NULL DEFAULT 5 CHECK (looks_per_s > 0 AND looks_per_s <= 30),
    detects boolean NOT NULL DEFAULT true,
    reports_motion boolean NOT NULL DEFAULT false,
    record_mode text NOT NULL DEFAULT 'off' CHECK (record_mode IN ('off', 'events', 'continuous')),
    record_days integer CHECK (record_days > 0),
    record_max_bytes bigint CHECK (record_max_bytes > 0),
    is_enabled boolean NOT NULL DEFAULT true,
    state text NOT NULL DEFAULT 'connecting' CHECK (state IN ('connecting', 'live', 'lost', 'refused', 'off')),
    state_code text,
    state_reason text,
    state_since timestamptz NOT NULL DEFAULT now(),
    last_picture_at timestamptz,
    width integer,
    height integer,
    codec text,
    fps real,
    watched_by uuid,
    watched_until timestamptz,
    viewed_until timestamptz,
    revision bigint NOT NULL DEFAULT 1,
    updated_at timestamptz NOT NULL DEFAULT now(),
    CHECK ((watched_by IS NULL) = (watched_until IS NULL))
);
COMMENT ON TABLE camera_sources IS 'Where the pictures of a camera come from. A camera without a row sends its detections itself.';
COMMENT ON COLUMN camera_sources.address IS 'Without credentials: shown to people.';
COMMENT ON COLUMN camera_sources.sealed IS
    'The password, and the address where it holds secrets that people do not see; encrypted with the installation''s secret.';
COMMENT ON COLUMN camera_sources.reach IS
    'Which networks the address may lie in: public, lan as well (never loopback or link-local), or any. Decided by who added it.';
COMMENT ON COLUMN camera_sources.reports_motion IS 'Whether motion alone is reported where no detector is installed.';
COMMENT ON COLUMN camera_sources.watched_by IS 'The process that watches the camera, until watched_until; then another may.';
COMMENT ON COLUMN camera_sources.viewed_until IS 'Until then a person looks at the live picture, so new pictures are stored more often.';
COMMENT ON COLUMN camera_sources.revision IS 'Rises with each change of what to watch and how; the watching process then starts again.';
CREATE INDEX camera_sources_to_watch ON camera_sources (watched_until) WHERE is_enabled;

SELECT sightline.protect('camera_sources');
-- All but the sealed secrets.
GRANT SELECT (
    camera_key, kind, address, username, has_password, reach, transport, verifies_certificate, looks_per_s, detects, reports_motion,
    record_mode, record_days, record_max_bytes, is_enabled, state, state_code, state_reason, state_since, last_picture_at, width, height,
    codec, fps, watched_by, watched_until, viewed_until, revision, updated_at
) ON camera_sources TO sightline_user;
CREATE POLICY people_see_those_of_their_cameras ON camera_sources FOR SELECT TO sightline_user
    USING (EXISTS (SELECT 1 FROM cameras AS c WHERE c.camera_key = camera_sources.camera_key));
