-- Events in daily life: reopened, assigned, snoozed, commented, with a history of who did what (ADR 0064).

ALTER TABLE events
    ADD COLUMN assigned_to uuid,
    ADD COLUMN assignee text,
    ADD COLUMN snoozed_until timestamptz;
ALTER TABLE events_archive
    ADD COLUMN assigned_to uuid,
    ADD COLUMN assignee text,
    ADD COLUMN snoozed_until timestamptz;
COMMENT ON COLUMN events.assigned_to IS 'The person who takes care of it; assignee is their name when it was assigned.';
COMMENT ON COLUMN events.snoozed_until IS 'Until then its alerts do not escalate, and lists may leave it out.';
CREATE INDEX events_of_assignee ON events (assigned_to) WHERE assigned_to IS NOT NULL;
CREATE INDEX events_archive_words ON events_archive USING gin (words);

CREATE OR REPLACE VIEW known_events WITH (security_invoker = true) AS
    SELECT id, batch_id, camera_id, owner_id, team_id, risk_score, risk_level, summary, reasoning, assessor, model, object_types,
           started_at, ended_at, created_at, sequence, broadcasted_at, acknowledged_at, acknowledged_by, resolved_at, resolved_by,
           resolution_notes, version, state, words, NULL::timestamptz AS archived_at,
           zones, behaviours, notes, picture_key, video_id, video_ms, assigned_to, assignee, snoozed_until
    FROM events
    UNION ALL
    SELECT id, batch_id, camera_id, owner_id, team_id, risk_score, risk_level, summary, reasoning, assessor, model, object_types,
           started_at, ended_at, created_at, sequence, broadcasted_at, acknowledged_at, acknowledged_by, resolved_at, resolved_by,
           resolution_notes, version, 'archived', words, archived_at,
           zones, behaviours, notes, picture_key, video_id, video_ms, assigned_to, assignee, snoozed_until
    FROM events_archive;

CREATE OR REPLACE FUNCTION sightline.guard_event_moves() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp
AS $$
DECLARE
    is_reopened CONSTANT boolean := OLD.resolved_at IS NOT NULL AND NEW.resolved_at IS NULL AND NEW.version > OLD.version;
BEGIN
    IF OLD.batch_id <> NEW.batch_id
        OR OLD.broadcasted_at IS NOT NULL AND NEW.broadcasted_at IS DISTINCT FROM OLD.broadcasted_at
        OR OLD.acknowledged_at IS NOT NULL AND NEW.acknowledged_at IS DISTINCT FROM OLD.acknowledged_at
        OR OLD.resolved_at IS NOT NULL AND NEW.resolved_at IS DISTINCT FROM OLD.resolved_at AND NOT is_reopened
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
    'created, broadcasted, acknowledged, resolved: each moment is set once and stays, but for a resolved event that is reopened as a new '
    'version. The rules revise their risk while the batch grows; a model refines it once, and after that the rules can only raise it.';

CREATE TABLE event_history (
    entry_id bigint PRIMARY KEY DEFAULT sightline.random_id(),
    event_id bigint NOT NULL,
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    action text NOT NULL CHECK (action IN ('created', 'revised', 'refined', 'enriched', 'acknowledged', 'resolved', 'resolution_added',
        'reopened', 'assigned', 'unassigned', 'snoozed', 'unsnoozed', 'commented', 'comment_edited', 'comment_deleted', 'escalated')),
    actor_id uuid,
    actor text,
    details jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(details) = 'object')
);
COMMENT ON TABLE event_history IS 'Who did what to an event, written with the change itself. Without an actor the platform did it.';
CREATE INDEX event_history_of_event ON event_history (event_id, at, entry_id);

CREATE TABLE event_comments (
    comment_id bigint PRIMARY KEY DEFAULT sightline.random_id(),
    event_id bigint NOT NULL,
    author_id uuid NOT NULL,
    author text NOT NULL,
    body text NOT NULL CHECK (body <> ''),
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    edited_at timestamptz
);
COMMENT ON TABLE event_comments IS 'What people wrote about an event; each may change and delete their own.';
CREATE INDEX event_comments_of_event ON event_comments (event_id, created_at, comment_id);

SELECT sightline.protect('event_history');
SELECT sightline.protect('event_comments');
GRANT SELECT ON event_history, event_comments TO sightline_user;
CREATE POLICY people_see_those_of_their_events ON event_history FOR SELECT TO sightline_user
    USING (EXISTS (SELECT 1 FROM known_events AS e WHERE e.id = event_history.event_id)); -- which obeys the policies of events
CREATE POLICY people_see_those_of_their_events ON event_comments FOR SELECT TO sightline_user
    USING (EXISTS (SELECT 1 FROM known_events AS e WHERE e.id = event_comments.event_id));

-- The history of events that are there already, as far as they tell it.
INSERT INTO event_history (event_id, at, action, actor, details)
SELECT id, created_at, 'created', NULL, jsonb_build_object('risk_score', risk_score) FROM known_events
UNION ALL
SELECT id, acknowledged_at, 'acknowledged', acknowledged_by, '{}' FROM known_events WHERE acknowledged_at IS NOT NULL
UNION ALL
SELECT id, resolved_at, 'resolved', resolved_by, jsonb_strip_nulls(jsonb_build_object('notes', resolution_notes)) FROM known_events
WHERE resolved_at IS NOT NULL;

ALTER TABLE caller_memberships ADD COLUMN name text;
COMMENT ON COLUMN caller_memberships.name IS 'The address in that token: how others of the team see the person.';
