-- name: insert_event
-- The event of a batch; nothing if it has one.
INSERT INTO events (batch_id, camera_id, owner_id, team_id, risk_score, summary, reasoning, assessor, model, object_types, started_at, ended_at)
VALUES (:batch_id, :camera_id, :owner_id, :team_id, :risk_score, :summary, :reasoning, :assessor, :model, :object_types, :started_at, :ended_at)
ON CONFLICT (batch_id) DO NOTHING
RETURNING id;

-- name: event_of_batch
-- The event that a batch became.
SELECT id, batch_id, camera_id, owner_id, team_id, risk_score, risk_level, summary, reasoning, assessor, model, object_types,
       started_at, ended_at, created_at, sequence, broadcasted_at, acknowledged_at, acknowledged_by, resolved_at, resolved_by,
       resolution_notes, version, state, archived_at
FROM known_events WHERE batch_id = :batch_id;

-- name: refine_event
-- A model's assessment in place of the rules', once, as a new version.
UPDATE events SET risk_score = :risk_score, summary = :summary, reasoning = :reasoning, assessor = :assessor, model = :model,
                  version = version + 1
WHERE id = :id AND assessor = 'rules' AND resolved_at IS NULL
RETURNING id;

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
       resolution_notes, version, state, archived_at
FROM known_events WHERE id = :id;

-- name: list_events
-- Events that the caller may see, newest first, by the given filters. Archived events only on request.
SELECT id, batch_id, camera_id, owner_id, team_id, risk_score, risk_level, summary, reasoning, assessor, model, object_types,
       started_at, ended_at, created_at, sequence, broadcasted_at, acknowledged_at, acknowledged_by, resolved_at, resolved_by,
       resolution_notes, version, state, archived_at
FROM known_events
WHERE (archived_at IS NOT NULL) = :is_archived
  AND (:camera_id::text IS NULL OR camera_id = :camera_id)
  AND (:risk_levels::text[] IS NULL OR risk_level = ANY(:risk_levels))
  AND (:states::text[] IS NULL OR state = ANY(:states))
  AND (:since::timestamptz IS NULL OR started_at >= :since)
  AND (:until::timestamptz IS NULL OR started_at < :until)
  AND (:words::text IS NULL OR words @@ websearch_to_tsquery('simple', :words))
  AND (:after_sequence::bigint IS NULL OR sequence > :after_sequence)
  AND (:before_at::timestamptz IS NULL OR (created_at, id) < (:before_at, :before_id::bigint))
ORDER BY created_at DESC, id DESC
LIMIT :limit;

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
