-- Clips of events, cut from recordings without transcoding, and who looks at a camera now.

-- Used by later transactions only.
ALTER TYPE job_type ADD VALUE 'recording_clip';

CREATE TABLE event_clips (
    event_id bigint PRIMARY KEY,
    camera_key uuid NOT NULL,
    state text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'processing', 'done', 'failed')),
    since timestamptz NOT NULL,
    until timestamptz NOT NULL CHECK (until > since),
    started_at timestamptz,
    ended_at timestamptz,
    size_bytes bigint,
    error_reason text,
    requested_by uuid,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE event_clips IS 'One clip per event. It is an object of its own, so it stays when rules remove the recording or the camera is deleted.';
COMMENT ON COLUMN event_clips.since IS 'What was requested; started_at and ended_at say what the clip shows.';
SELECT sightline.protect('event_clips');
GRANT SELECT ON event_clips TO sightline_user;
CREATE POLICY people_see_those_of_their_events ON event_clips FOR SELECT TO sightline_user
    USING (EXISTS (SELECT 1 FROM known_events AS e WHERE e.id = event_clips.event_id)); -- which obeys the policies of events

-- Of the last seconds only: nothing is lost with it.
CREATE UNLOGGED TABLE recording_views (
    camera_key uuid PRIMARY KEY REFERENCES cameras ON DELETE CASCADE,
    viewed_until timestamptz NOT NULL
);
COMMENT ON TABLE recording_views IS 'Cameras whose newest segments are played now, so they are stored even if nothing is recorded.';
SELECT sightline.protect('recording_views');
