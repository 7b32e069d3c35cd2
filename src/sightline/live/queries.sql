-- name: append
-- Numbers a message, stores it, and notifies listeners of its number. The stream's row stays locked until the transaction ends.
WITH numbered AS (
    INSERT INTO live_streams AS known (stream, top) VALUES (:stream, 1)
    ON CONFLICT (stream) DO UPDATE SET top = known.top + 1
    RETURNING known.stream, known.top
), stored AS (
    INSERT INTO live_messages (stream, sequence, type, topic, requires_ack, data, owner_id, team_id)
    SELECT numbered.stream, numbered.top, :type, :topic, :requires_ack, :data::text::json, :owner_id, :team_id
    FROM numbered
    RETURNING stream, sequence
)
SELECT sequence, pg_notify('sightline_live', stream || ' ' || sequence) FROM stored;

-- name: ensure_streams
-- Creates the rows of streams without messages, which have an epoch too.
INSERT INTO live_streams (stream) SELECT unnest(:streams::text[]) ON CONFLICT DO NOTHING;

-- name: stream_state
-- The epoch and last number of a stream, and the number of its oldest stored message (one past the last if there is none).
SELECT epoch, top,
       coalesce((SELECT sequence FROM live_messages AS m WHERE m.stream = s.stream ORDER BY sequence LIMIT 1), top + 1) AS oldest
FROM live_streams AS s
WHERE stream = :stream;

-- name: read_new
-- Messages of each stream after the given numbers, oldest first; a stream without new messages has one row with its epoch and last number.
SELECT s.stream, s.epoch, s.top, m.*
FROM unnest(:streams::text[], :cursors::bigint[]) AS c (stream, cursor)
JOIN live_streams AS s ON s.stream = c.stream
LEFT JOIN LATERAL (
    SELECT sequence, type, topic, requires_ack, data::text AS data, owner_id, team_id,
           extract(epoch FROM clock_timestamp() - created_at)::float8 AS age_s
    FROM live_messages
    WHERE stream = c.stream AND sequence > c.cursor
    ORDER BY sequence
    LIMIT :limit
) AS m ON true
ORDER BY s.stream, m.sequence;

-- name: read_last
-- The newest messages of a stream up to a number, newest first.
SELECT sequence, type, topic, requires_ack, data::text AS data, owner_id, team_id, 0::float8 AS age_s
FROM live_messages
WHERE stream = :stream AND sequence <= :top
ORDER BY sequence DESC
LIMIT :limit;

-- name: read_after
-- Messages after one number and up to another, oldest first. Row level security narrows what a person sees.
SELECT sequence, type, topic, requires_ack, data::text AS data, owner_id, team_id, 0::float8 AS age_s, created_at
FROM live_messages
WHERE stream = :stream AND sequence > :after AND sequence <= :top
ORDER BY sequence
LIMIT :limit;

-- name: read_unacknowledged
-- Messages that a device has not acknowledged yet, newest first. Row level security narrows messages and acknowledgements.
SELECT sequence, type, topic, requires_ack, data::text AS data, owner_id, team_id, 0::float8 AS age_s
FROM live_messages AS m
WHERE stream = :stream AND requires_ack AND sequence > :since AND sequence <= :top
  AND NOT EXISTS (SELECT FROM live_acks AS a
                  WHERE a.stream = m.stream AND a.sequence = m.sequence
                    AND a.user_id = :user_id AND a.client_id = :client_id)
ORDER BY sequence DESC
LIMIT :limit;

-- name: register_client
-- Registers a device; returns the number from which on it has to acknowledge messages, set by its first connection.
INSERT INTO live_clients (stream, user_id, client_id, since) VALUES (:stream, :user_id, :client_id, :since)
ON CONFLICT (stream, user_id, client_id) DO UPDATE SET seen_at = now()
RETURNING since;

-- name: acknowledge
-- Stores acknowledgements of several devices, of messages that are still stored; returns each device's highest number, which never falls.
WITH given AS (
    SELECT * FROM unnest(:streams::text[], :sequences::bigint[], :user_ids::uuid[], :client_ids::text[], :since::bigint[])
        AS s (stream, sequence, user_id, client_id, since)
), stored AS (
    INSERT INTO live_acks (stream, sequence, user_id, client_id)
    SELECT DISTINCT given.stream, given.sequence, given.user_id, given.client_id
    FROM given JOIN live_messages AS m ON m.stream = given.stream AND m.sequence = given.sequence
    ORDER BY 1, 2, 3, 4
    ON CONFLICT DO NOTHING
)
INSERT INTO live_clients AS known (stream, user_id, client_id, since, mark)
SELECT stream, user_id, client_id, min(since), max(sequence) FROM given
GROUP BY stream, user_id, client_id
ORDER BY stream, user_id, client_id -- the same order in every process, so that two never deadlock
ON CONFLICT (stream, user_id, client_id) DO UPDATE SET mark = greatest(known.mark, excluded.mark), seen_at = now()
RETURNING stream, user_id, client_id, mark;

-- name: read_acks
-- The devices that acknowledged a message, and when.
SELECT user_id, client_id, acked_at FROM live_acks WHERE stream = :stream AND sequence = :sequence ORDER BY acked_at;

-- name: sweep_messages
-- Deletes a batch of expired messages with their acknowledgements; returns the number of messages.
WITH gone AS (
    DELETE FROM live_messages
    WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM live_messages
        WHERE created_at < now() - make_interval(days => :days)
        ORDER BY created_at
        LIMIT :limit))
    RETURNING stream, sequence
), acks AS (
    DELETE FROM live_acks AS a USING gone WHERE a.stream = gone.stream AND a.sequence = gone.sequence
)
SELECT count(*) FROM gone;

-- name: sweep_clients
-- Deletes devices that have not connected for this long.
DELETE FROM live_clients WHERE seen_at < now() - make_interval(days => :days);
