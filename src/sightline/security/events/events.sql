-- name: insert_event
-- The event of a batch; nothing if it has one.
INSERT INTO events (batch_id, camera_id, owner_id, team_id, risk_score, summary, reasoning, assessor, model, object_types, started_at, ended_at,
                    zones, behaviours, picture_key, video_id, video_ms)
VALUES (:batch_id, :camera_id, :owner_id, :team_id, :risk_score, :summary, :reasoning, :assessor, :model, :object_types, :started_at, :ended_at,
        :zones, :behaviours, :picture_key, :video_id, :video_ms)
ON CONFLICT (batch_id) DO NOTHING
RETURNING id;

-- name: event_of_batch
-- The event that a batch became.
SELECT id, batch_id, camera_id, owner_id, team_id, risk_score, risk_level, summary, reasoning, assessor, model, object_types,
       started_at, ended_at, created_at, sequence, broadcasted_at, acknowledged_at, acknowledged_by, resolved_at, resolved_by,
       resolution_notes, version, state, archived_at, zones, behaviours, notes, picture_key, video_id, video_ms, assigned_to, assignee, snoozed_until
FROM known_events WHERE batch_id = :batch_id;

-- name: lock_event_of_batch
-- The live event that a batch became, locked until the transaction ends.
SELECT id FROM events WHERE batch_id = :batch_id FOR UPDATE;

-- name: revise_event
-- Further sightings change what the event says; a new version where people should notice. A resolved event only lasts longer.
UPDATE events SET
    risk_score = CASE WHEN resolved_at IS NULL THEN :risk_score ELSE risk_score END,
    summary = CASE WHEN resolved_at IS NULL THEN :summary ELSE summary END,
    reasoning = CASE WHEN resolved_at IS NULL THEN :reasoning ELSE reasoning END,
    assessor = CASE WHEN resolved_at IS NULL THEN :assessor ELSE assessor END,
    model = CASE WHEN resolved_at IS NULL THEN :model ELSE model END,
    object_types = :object_types, zones = :zones, behaviours = :behaviours, picture_key = :picture_key,
    started_at = least(started_at, :started_at), ended_at = greatest(ended_at, :ended_at),
    version = version + CASE WHEN :is_new_version AND resolved_at IS NULL THEN 1 ELSE 0 END
WHERE id = :id;

-- name: refine_event
-- A model's assessment in place of the rules', once, as a new version.
UPDATE events SET risk_score = :risk_score, summary = :summary, reasoning = :reasoning, assessor = :assessor, model = :model,
                  version = version + 1
WHERE id = :id AND assessor = 'rules' AND resolved_at IS NULL
RETURNING id;

-- name: add_notes
-- What enrichment found out, as a new version.
UPDATE events SET notes = :notes, reasoning = :reasoning, version = version + 1 WHERE id = :id AND resolved_at IS NULL;

-- name: set_sequence
-- The number of the event's message on the live stream; set once.
UPDATE events SET sequence = :sequence WHERE id = :id AND sequence IS NULL;

-- name: mark_broadcasted
-- Events whose message was handed to the sockets of some process.
UPDATE events SET broadcasted_at = now() WHERE broadcasted_at IS NULL AND sequence <= :top;

-- name: get_event
-- One event, live or archived, if the caller may see it.
SELECT id, batch_id, camera_id, owner_id, team_id, risk_score, risk_level, summary, reasoning, assessor, model, object_types,
       started_at, ended_at, created_at, sequence, broadcasted_at, acknowledged_at, acknowledged_by, resolved_at, resolved_by,
       resolution_notes, version, state, archived_at, zones, behaviours, notes, picture_key, video_id, video_ms, assigned_to, assignee, snoozed_until
FROM known_events WHERE id = :id;

-- name: list_events
-- Events that the caller may see, newest first, by the given filters. Archived events only on request.
SELECT id, batch_id, camera_id, owner_id, team_id, risk_score, risk_level, summary, reasoning, assessor, model, object_types,
       started_at, ended_at, created_at, sequence, broadcasted_at, acknowledged_at, acknowledged_by, resolved_at, resolved_by,
       resolution_notes, version, state, archived_at, zones, behaviours, notes, picture_key, video_id, video_ms, assigned_to, assignee, snoozed_until
FROM known_events
WHERE (archived_at IS NOT NULL) = :is_archived
  AND (:camera_id::text IS NULL OR camera_id = :camera_id)
  AND (:owner_id::uuid IS NULL OR owner_id = :owner_id)
  AND (:risk_levels::text[] IS NULL OR risk_level = ANY(:risk_levels))
  AND (:states::text[] IS NULL OR state = ANY(:states))
  AND (:since::timestamptz IS NULL OR started_at >= :since)
  AND (:until::timestamptz IS NULL OR started_at < :until)
  AND (:words::text IS NULL OR words @@ websearch_to_tsquery('simple', :words))
  AND (:after_sequence::bigint IS NULL OR sequence > :after_sequence)
  AND (:objects::text[] IS NULL OR object_types && :objects::text[])
  AND (:zones::text[] IS NULL OR zones && :zones::text[])
  AND (:behaviours::text[] IS NULL OR behaviours && :behaviours::text[])
  AND (:assigned_to::uuid IS NULL OR assigned_to = :assigned_to)
  AND (:is_assigned::boolean IS NULL OR (assigned_to IS NOT NULL) = :is_assigned)
  AND (:is_snoozed::boolean IS NULL OR (coalesce(snoozed_until > now(), false)) = :is_snoozed)
  AND (:before_at::timestamptz IS NULL OR (created_at, id) < (:before_at, :before_id::bigint))
ORDER BY created_at DESC, id DESC
LIMIT :limit OFFSET :skip;

-- name: acknowledge
-- The first acknowledgement counts.
UPDATE events SET acknowledged_at = now(), acknowledged_by = :by, version = version + 1
WHERE id = :id AND acknowledged_at IS NULL AND (:version::int IS NULL OR version = :version)
RETURNING id;

-- name: resolve
-- Only an acknowledged event is resolved; the first resolution counts.
UPDATE events SET resolved_at = now(), resolved_by = :by, resolution_notes = :notes, version = version + 1
WHERE id = :id AND acknowledged_at IS NOT NULL AND resolved_at IS NULL AND (:version::int IS NULL OR version = :version)
RETURNING id;

-- name: reopen
-- Only a resolved event is reopened; it is acknowledged again, and its history keeps how it was resolved.
UPDATE events SET resolved_at = NULL, resolved_by = NULL, resolution_notes = NULL, version = version + 1
WHERE id = :id AND resolved_at IS NOT NULL AND (:version::int IS NULL OR version = :version)
RETURNING id;

-- name: assign
-- Gives the event to a person, or to nobody; nothing if it is so already.
UPDATE events SET assigned_to = :assigned_to, assignee = :assignee, version = version + 1
WHERE id = :id AND assigned_to IS DISTINCT FROM :assigned_to::uuid AND (:version::int IS NULL OR version = :version)
RETURNING id;

-- name: snooze
-- Leaves the event alone until a moment, or no longer; nothing if it is so already.
UPDATE events SET snoozed_until = :until, version = version + 1
WHERE id = :id AND snoozed_until IS DISTINCT FROM :until::timestamptz AND (:version::int IS NULL OR version = :version)
RETURNING id;

-- name: people_of_event
-- Who may be given an event: its owner, and the members of its team as last seen.
SELECT p.user_id, m.name
FROM (SELECT :owner_id::uuid AS user_id
      UNION SELECT user_id FROM caller_memberships WHERE :team_id::uuid = ANY (team_ids) AND expires_at > now()) AS p
LEFT JOIN caller_memberships AS m USING (user_id)
ORDER BY m.name NULLS LAST, p.user_id LIMIT :limit;
