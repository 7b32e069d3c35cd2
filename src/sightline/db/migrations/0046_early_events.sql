-- Events that exist before their batch closes: what was seen is kept on the event, and later sightings revise it (ADR 0063).
-- keeps: the constraint allows more reasons than before

ALTER TABLE events
    ADD COLUMN zones text[] NOT NULL DEFAULT '{}',
    ADD COLUMN behaviours text[] NOT NULL DEFAULT '{}',
    ADD COLUMN notes text[] NOT NULL DEFAULT '{}',
    ADD COLUMN picture_key text,
    ADD COLUMN video_id uuid,
    ADD COLUMN video_ms bigint;
ALTER TABLE events_archive
    ADD COLUMN zones text[] NOT NULL DEFAULT '{}',
    ADD COLUMN behaviours text[] NOT NULL DEFAULT '{}',
    ADD COLUMN notes text[] NOT NULL DEFAULT '{}',
    ADD COLUMN picture_key text,
    ADD COLUMN video_id uuid,
    ADD COLUMN video_ms bigint;
COMMENT ON COLUMN events.zones IS 'Names of the zones in which anything stood.';
COMMENT ON COLUMN events.behaviours IS 'What tracks did: entered_zone, line_crossed, loitering, left_behind.';
COMMENT ON COLUMN events.notes IS 'What enrichment added, such as text that was read in the picture.';
COMMENT ON COLUMN events.picture_key IS 'The best picture among its detections.';
COMMENT ON COLUMN events.video_id IS 'The video in which a detector found it; video_ms is the moment in that video.';
CREATE INDEX events_of_objects ON events USING gin (object_types);
CREATE INDEX events_of_zones ON events USING gin (zones);

CREATE OR REPLACE VIEW known_events WITH (security_invoker = true) AS
    SELECT id, batch_id, camera_id, owner_id, team_id, risk_score, risk_level, summary, reasoning, assessor, model, object_types,
           started_at, ended_at, created_at, sequence, broadcasted_at, acknowledged_at, acknowledged_by, resolved_at, resolved_by,
           resolution_notes, version, state, words, NULL::timestamptz AS archived_at,
           zones, behaviours, notes, picture_key, video_id, video_ms
    FROM events
    UNION ALL
    SELECT id, batch_id, camera_id, owner_id, team_id, risk_score, risk_level, summary, reasoning, assessor, model, object_types,
           started_at, ended_at, created_at, sequence, broadcasted_at, acknowledged_at, acknowledged_by, resolved_at, resolved_by,
           resolution_notes, version, 'archived', words, archived_at,
           zones, behaviours, notes, picture_key, video_id, video_ms
    FROM events_archive;

CREATE OR REPLACE FUNCTION sightline.guard_event_moves() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp
AS $$
BEGIN
    IF OLD.batch_id <> NEW.batch_id
        OR OLD.broadcasted_at IS NOT NULL AND NEW.broadcasted_at IS DISTINCT FROM OLD.broadcasted_at
        OR OLD.acknowledged_at IS NOT NULL AND NEW.acknowledged_at IS DISTINCT FROM OLD.acknowledged_at
        OR OLD.resolved_at IS NOT NULL AND NEW.resolved_at IS DISTINCT FROM OLD.resolved_at
        OR NEW.resolved_at IS NOT NULL AND OLD.acknowledged_at IS NULL
    THEN
        RAISE EXCEPTION 'event % cannot go back, nor skip its acknowledgement', OLD.id USING ERRCODE = 'check_violation';
    END IF;
    IF (OLD.risk_score <> NEW.risk_score OR OLD.assessor <> NEW.assessor)
        AND (NEW.version <= OLD.version OR OLD.resolved_at IS NOT NULL
             OR OLD.assessor <> 'rules' AND (NEW.assessor <> 'rules' OR NEW.risk_score <= OLD.risk_score)
             OR OLD.risk_score >= 80 AND NEW.risk_score < OLD.risk_score)
    THEN
        RAISE EXCEPTION 'the risk of event % can be refined once, as a new version before it is resolved, and a critical one not lowered', OLD.id
            USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END
$$;
COMMENT ON FUNCTION sightline.guard_event_moves() IS
    'created, broadcasted, acknowledged, resolved: each moment is set once and stays. The rules revise their risk while the batch grows; '
    'a model refines it once, and after that the rules can only raise it.';
COMMENT ON COLUMN events.version IS 'Rises with each change that a person makes, when further sightings change what the event says, and when a model refines the risk.';

ALTER TABLE detection_batches ADD COLUMN early_requested_at timestamptz,
    DROP CONSTRAINT detection_batches_close_reason_check,
    ADD CONSTRAINT detection_batches_close_reason_check CHECK (close_reason IN ('age', 'idle', 'full', 'fast_path', 'resolved'));
COMMENT ON COLUMN detection_batches.early_requested_at IS 'When its event was last asked for before it closed.';

ALTER TABLE camera_activity ADD COLUMN visits integer NOT NULL DEFAULT 1 CHECK (visits >= 0);
COMMENT ON COLUMN camera_activity.visits IS 'Batches in which the kind was seen; detections counts every sighting.';

CREATE INDEX detections_of_track ON detections (camera_key, (attributes ->> 'track_id')) WHERE attributes ? 'track_id';

-- Events that are live get the picture that was shown with them.
UPDATE events AS e SET picture_key = (
    SELECT d.image_key FROM detections AS d
    WHERE d.batch_id = e.batch_id AND d.image_key IS NOT NULL ORDER BY d.confidence DESC, d.detected_at, d.id LIMIT 1);
