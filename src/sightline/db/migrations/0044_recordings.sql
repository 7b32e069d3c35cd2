-- Recordings of cameras: segments in the object store, what keeps them, and what is yet to be removed.

CREATE TABLE recordings (
    recording_id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    camera_key uuid NOT NULL REFERENCES cameras ON DELETE CASCADE,
    run uuid NOT NULL,
    number integer NOT NULL CHECK (number >= 0),
    started_at timestamptz NOT NULL,
    ended_at timestamptz NOT NULL CHECK (ended_at > started_at),
    key text NOT NULL UNIQUE CHECK (key <> ''),
    bytes bigint NOT NULL CHECK (bytes > 0),
    init_bytes integer NOT NULL CHECK (init_bytes > 0),
    codec text NOT NULL CHECK (codec IN ('h264', 'hevc')),
    width integer NOT NULL CHECK (width > 0),
    height integer NOT NULL CHECK (height > 0),
    has_audio boolean NOT NULL,
    is_independent boolean NOT NULL,
    state text NOT NULL DEFAULT 'storing' CHECK (state IN ('storing', 'stored', 'removing')),
    held_until timestamptz,
    expires_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT recordings_of_run UNIQUE (camera_key, run, number)
);
COMMENT ON TABLE recordings IS
    'Segments of a few seconds. The row is written before the object and deleted after it, so a killed process leaves no object that '
    'no row names.';
COMMENT ON COLUMN recordings.run IS 'Segments of one run share a clock; those with consecutive numbers play on without a break.';
COMMENT ON COLUMN recordings.init_bytes IS 'The first bytes of the object, which describe its tracks; equal in a run.';
COMMENT ON COLUMN recordings.is_independent IS 'Whether it begins with a key frame.';
COMMENT ON COLUMN recordings.held_until IS 'It shows an event: no rule by age removes it before.';
COMMENT ON COLUMN recordings.expires_at IS 'It was stored for live view only.';
CREATE INDEX recordings_by_time ON recordings (camera_key, started_at) WHERE state = 'stored';
CREATE INDEX recordings_unfinished ON recordings (created_at) WHERE state <> 'stored';
CREATE INDEX recordings_expiring ON recordings (expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE recorder_states (
    camera_key uuid PRIMARY KEY REFERENCES cameras ON DELETE CASCADE,
    state text NOT NULL CHECK (state IN ('off', 'waiting', 'recording', 'paused')),
    reason text,
    since timestamptz NOT NULL DEFAULT now(),
    dropped bigint NOT NULL DEFAULT 0 CHECK (dropped >= 0)
);
COMMENT ON TABLE recorder_states IS 'What the recorder of a camera does, and why it is paused.';
COMMENT ON COLUMN recorder_states.dropped IS 'Segments that were lost since the recorder started, because they could not be stored.';

CREATE TABLE recording_removals (
    camera_key uuid PRIMARY KEY,
    requested_at timestamptz NOT NULL DEFAULT now(),
    swept_at timestamptz
);
COMMENT ON TABLE recording_removals IS 'Cameras that were deleted and whose recordings are yet to be removed from the object store.';

SELECT sightline.protect('recordings');
SELECT sightline.protect('recorder_states');
SELECT sightline.protect('recording_removals');
GRANT SELECT ON recordings, recorder_states TO sightline_user;
CREATE POLICY people_see_those_of_their_cameras ON recordings FOR SELECT TO sightline_user
    USING (EXISTS (SELECT 1 FROM cameras AS c WHERE c.camera_key = recordings.camera_key)); -- which obeys the policies of cameras
CREATE POLICY people_see_those_of_their_cameras ON recorder_states FOR SELECT TO sightline_user
    USING (EXISTS (SELECT 1 FROM cameras AS c WHERE c.camera_key = recorder_states.camera_key));

CREATE FUNCTION sightline.request_recording_removal() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public
AS $$
BEGIN
    INSERT INTO public.recording_removals (camera_key) VALUES (OLD.camera_key) ON CONFLICT (camera_key) DO NOTHING;
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION sightline.request_recording_removal() IS
    'However a camera is deleted, its recordings go too: its rows cascade, and this tells the sweep which objects they named.';
REVOKE EXECUTE ON FUNCTION sightline.request_recording_removal() FROM PUBLIC;
CREATE TRIGGER recordings_are_removed AFTER DELETE ON cameras
    FOR EACH ROW EXECUTE FUNCTION sightline.request_recording_removal();
