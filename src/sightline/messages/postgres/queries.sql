-- name: add
-- Inserts messages that do not exist yet and returns their ids. The fixed order keeps two writers of the same messages from a
-- deadlock.
INSERT INTO messages (
    message_id, message_type, stage, source, created_by, owner_id, correlation_id, payload, notification, created_date,
    updated_date, history, ttl
)
SELECT new.message_id, new.message_type, new.stage, new.source, new.created_by, new.owner_id, new.correlation_id, new.payload,
    new.notification, new.created_date, new.created_date, new.history, new.ttl
FROM jsonb_to_recordset(:messages::jsonb) AS new (
    message_id text, message_type text, stage text, source text, created_by text, owner_id uuid, correlation_id text, payload jsonb,
    notification jsonb, created_date timestamptz, history jsonb, ttl bigint
)
ORDER BY new.message_id
ON CONFLICT (message_id) DO NOTHING
RETURNING message_id;

-- name: get
-- One message that has not expired.
SELECT * FROM messages WHERE message_id = :message_id AND ttl > extract(epoch FROM now());

-- name: find
-- The newest messages that match, after the cursor.
SELECT * FROM messages
WHERE ttl > extract(epoch FROM now())
    AND (:status::message_status IS NULL OR status = :status)
    AND (:stage::text IS NULL OR stage = :stage)
    AND (:message_type::text IS NULL OR message_type = :message_type)
    AND (:created_by::text IS NULL OR created_by = :created_by)
    AND (:owner_id::uuid IS NULL OR owner_id = :owner_id)
    AND (:created_after::timestamptz IS NULL OR created_date >= :created_after)
    AND (:created_before::timestamptz IS NULL OR created_date < :created_before)
    AND (:before_at::timestamptz IS NULL OR (created_date, message_id) < (:before_at, :before_id::text))
ORDER BY created_date DESC, message_id DESC
LIMIT :limit;

-- name: find_unsent
-- As `find`, among messages without a notification: all but completed ones. They are few and have an index of their own.
SELECT * FROM messages
WHERE ttl > extract(epoch FROM now())
    AND notification_id IS NULL
    AND status = :status::message_status
    AND (:stage::text IS NULL OR stage = :stage)
    AND (:message_type::text IS NULL OR message_type = :message_type)
    AND (:created_by::text IS NULL OR created_by = :created_by)
    AND (:owner_id::uuid IS NULL OR owner_id = :owner_id)
    AND (:created_after::timestamptz IS NULL OR created_date >= :created_after)
    AND (:created_before::timestamptz IS NULL OR created_date < :created_before)
    AND (:before_at::timestamptz IS NULL OR (created_date, message_id) < (:before_at, :before_id::text))
ORDER BY created_date DESC, message_id DESC
LIMIT :limit;

-- name: claim
-- Claims messages that are waiting, failed, or left by a processor whose lease ended; never one that was sent.
-- The ids come in order, which keeps two processors that claim the same messages from a deadlock. Each is looked up for itself: a join
-- would read the whole table in the order of its key.
WITH claimable AS (
    SELECT found.message_id, a.by, a.lease
    FROM unnest(:message_ids::text[], :by::text[], :leases::interval[]) AS a (message_id, by, lease)
    CROSS JOIN LATERAL (
        SELECT m.message_id
        FROM messages AS m
        WHERE m.message_id = a.message_id AND m.notification_id IS NULL
            AND (m.status IN ('created', 'queued', 'failed') OR m.status = 'processing' AND m.lease_until < now())
        FOR UPDATE
    ) AS found
)
UPDATE messages AS m
SET status = 'processing', attempts = attempts + 1, processing_started_at = now(), updated_date = now(),
    lease_until = now() + w.lease,
    history = history || jsonb_build_array(jsonb_strip_nulls(jsonb_build_object(
        'status', 'processing', 'at', sightline.iso_utc(now()), 'by', w.by,
        'note', CASE WHEN status = 'processing' THEN :taken_over::text END)))
FROM claimable AS w
WHERE m.message_id = w.message_id
RETURNING m.*;

-- name: complete
-- The notifications were sent. Only the attempt that holds a message may complete it; returns the completed ones.
WITH sent AS (
    SELECT found.message_id, a.notification_id, a.by
    FROM unnest(:message_ids::text[], :attempts::integer[], :notification_ids::text[], :by::text[])
        AS a (message_id, attempt, notification_id, by)
    CROSS JOIN LATERAL (
        SELECT m.message_id
        FROM messages AS m
        WHERE m.message_id = a.message_id AND m.status = 'processing' AND m.attempts = a.attempt
        FOR UPDATE
    ) AS found
)
UPDATE messages AS m
SET status = 'completed', notification_id = t.notification_id, error_message = NULL, lease_until = NULL, updated_date = now(),
    processing_completed_at = now(),
    history = history || jsonb_build_array(jsonb_build_object(
        'status', 'completed', 'at', sightline.iso_utc(now()), 'by', t.by))
FROM sent AS t
WHERE m.message_id = t.message_id
RETURNING m.message_id;

-- name: fail
-- The attempt that holds it failed.
UPDATE messages
SET status = 'failed', error_message = :error, retry_count = retry_count + 1, lease_until = NULL, updated_date = now(),
    processing_completed_at = now(),
    history = history || jsonb_build_array(jsonb_build_object(
        'status', 'failed', 'at', sightline.iso_utc(now()), 'by', :by::text, 'note', :error::text))
WHERE message_id = :message_id AND status = 'processing' AND attempts = :attempt;

-- name: postpone
-- The attempt that holds it postpones it, which does not count as a failure.
UPDATE messages
SET status = 'queued', error_message = :reason, lease_until = NULL, updated_date = now(),
    history = history || jsonb_build_array(jsonb_build_object(
        'status', 'queued', 'at', sightline.iso_utc(now()), 'by', :by::text, 'note', :reason::text))
WHERE message_id = :message_id AND status = 'processing' AND attempts = :attempt;

-- name: requeue
-- Queues a failed message, or one whose processor died, again.
UPDATE messages
SET status = 'queued', lease_until = NULL, updated_date = now(),
    history = history || jsonb_build_array(jsonb_build_object(
        'status', 'queued', 'at', sightline.iso_utc(now()), 'by', :by::text, 'note', 'given another chance'))
WHERE message_id = :message_id AND notification_id IS NULL
    AND (status IN ('failed', 'queued') OR status = 'processing' AND lease_until < now())
RETURNING *;

-- name: statistics
-- The number of messages in each status since a time, and how long the completed ones took.
SELECT status, count(*) AS messages,
    avg(extract(epoch FROM processing_completed_at - processing_started_at)) FILTER (WHERE status = 'completed')::float8
        AS average_s
FROM messages
WHERE created_date >= :since AND stage = :stage
GROUP BY status;

-- name: sweep
-- Removes a batch of expired messages.
DELETE FROM messages
WHERE message_id IN (
    SELECT message_id FROM messages WHERE ttl <= extract(epoch FROM now())::bigint LIMIT :limit
);

-- name: check
-- Fails if the table cannot be read.
SELECT 1 FROM messages LIMIT 1;
