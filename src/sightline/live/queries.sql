-- name: append
-- Numbers a message, counts it for those who may see it, stores it, and notifies listeners of it. The stream's row stays locked until
-- the transaction ends, and with it the order of the counts.
WITH numbered AS (
    INSERT INTO live_streams AS known (stream, top) VALUES (:stream, 1)
    ON CONFLICT (stream) DO UPDATE SET top = known.top + 1
    RETURNING known.stream, known.top, known.epoch
), counted AS (
    INSERT INTO live_audiences AS known (stream, owner_id, team_id, top) SELECT stream, :owner_id, :team_id, 1 FROM numbered
    ON CONFLICT (stream, owner_id, team_id) DO UPDATE SET top = known.top + 1
), stored AS (
    INSERT INTO live_messages (stream, sequence, type, topic, requires_ack, data, owner_id, team_id)
    SELECT numbered.stream, numbered.top, :type, :topic, :requires_ack, :data::text::json, :owner_id, :team_id
    FROM numbered
    RETURNING stream, sequence
)
SELECT stored.sequence, sightline.notify_live(
    stored.stream, stored.sequence, numbered.epoch, :type::text, :topic::text, :requires_ack, :owner_id, :team_id, :data::text)
FROM stored JOIN numbered ON numbered.top = stored.sequence;

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

-- name: messages_after
-- Events that messages of some types after a number are about, oldest first.
SELECT sequence, type, data ->> 'event_id' AS event_id FROM live_messages
WHERE stream = :stream AND sequence > :after AND type = ANY(:types::text[])
ORDER BY sequence LIMIT :limit;

-- name: read_last
-- The newest messages of a stream up to a number, newest first.
SELECT sequence, type, topic, requires_ack, data::text AS data, owner_id, team_id, 0::float8 AS age_s
FROM live_messages
WHERE stream = :stream AND sequence <= :top
ORDER BY sequence DESC
LIMIT :limit;

-- name: caller_state
-- The stream as the caller sees it: how many messages there were for them up to a place in the stream, and how many of those
-- were removed. Row level security narrows both tables.
SELECT s.epoch, s.top,
       (SELECT coalesce(sum(a.top), 0) FROM live_audiences AS a WHERE a.stream = s.stream)::bigint
       - (SELECT count(*) FROM live_messages AS m WHERE m.stream = s.stream AND m.sequence > :up_to) AS number
FROM live_streams AS s WHERE s.stream = :stream;

-- name: sequence_at
-- The place in the stream of the caller's message that so many of the caller's messages follow, up to a place.
SELECT sequence FROM live_messages WHERE stream = :stream AND sequence <= :up_to ORDER BY sequence DESC OFFSET :newer LIMIT 1;

-- name: count_after
-- How many of the caller's messages lie between two places.
SELECT count(*) FROM live_messages WHERE stream = :stream AND sequence > :after AND sequence <= :up_to;

-- name: read_numbered
-- The caller's messages after one of the caller's numbers, oldest first, each with its number, and where the caller stands. One
-- statement: between two of them messages may come and go.
WITH state AS (
    SELECT s.epoch, coalesce(sum(a.top), 0)::bigint AS top, coalesce(sum(a.removed), 0)::bigint AS removed
    FROM live_streams AS s LEFT JOIN live_audiences AS a ON a.stream = s.stream
    WHERE s.stream = :stream
    GROUP BY s.epoch
)
SELECT state.epoch AS stream_epoch, state.top, state.removed, m.*
FROM state LEFT JOIN LATERAL (
    SELECT state.removed + row_number() OVER (ORDER BY sequence) AS number, sequence, type, topic, requires_ack, data::text AS data,
           owner_id, team_id, 0::float8 AS age_s
    FROM live_messages
    WHERE stream = :stream
    ORDER BY sequence
    OFFSET greatest(0, :after - state.removed) LIMIT :limit
) AS m ON true
ORDER BY m.sequence;

-- name: numbers_of
-- The caller's numbers of messages by their places in the stream; without those that were removed or are not for the caller.
SELECT n.sequence, n.number
FROM (SELECT sequence, (SELECT coalesce(sum(a.top), 0)::bigint FROM live_audiences AS a WHERE a.stream = :stream)
                       - row_number() OVER (ORDER BY sequence DESC) + 1 AS number
      FROM live_messages
      WHERE stream = :stream AND sequence >= (SELECT min(place) FROM unnest(:sequences::bigint[]) AS place)) AS n
WHERE n.sequence = ANY(:sequences::bigint[]);

-- name: place_of
-- The place in the stream of the caller's message with a number, or of the newest if that is lower.
SELECT sequence FROM live_messages WHERE stream = :stream ORDER BY sequence DESC
OFFSET greatest(0, (SELECT coalesce(sum(a.top), 0)::bigint FROM live_audiences AS a WHERE a.stream = :stream) - :number) LIMIT 1;

-- name: follow_as_device
-- Registers a device of the caller, which begins at a place or, if that is given, after the message that so many of the caller's
-- messages follow. Returns the number since which it acknowledges, and the messages that it has not acknowledged yet, newest first,
-- with how many of the caller's messages follow each. Row level security narrows messages and acknowledgements.
WITH device AS MATERIALIZED (
    SELECT sightline.register_live_device(:stream, :client_id, CASE WHEN :newer::bigint IS NULL THEN :up_to::bigint ELSE coalesce(
        (SELECT sequence FROM live_messages WHERE stream = :stream AND sequence <= :up_to
         ORDER BY sequence DESC OFFSET :newer LIMIT 1), 0) END) AS since
)
SELECT device.since, m.*
FROM device LEFT JOIN LATERAL (
    SELECT sequence, type, topic, requires_ack, data::text AS data, owner_id, team_id, 0::float8 AS age_s,
           (SELECT count(*) FROM live_messages AS n
            WHERE n.stream = o.stream AND n.sequence > o.sequence AND n.sequence <= :up_to) AS newer
    FROM live_messages AS o
    WHERE stream = :stream AND requires_ack AND sequence > device.since AND sequence <= :up_to
      AND NOT EXISTS (SELECT FROM live_acks AS a
                      WHERE a.stream = o.stream AND a.sequence = o.sequence
                        AND a.user_id = :user_id AND a.client_id = :client_id)
    ORDER BY sequence DESC
    LIMIT :limit
) AS m ON true
ORDER BY m.sequence DESC;

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
-- Deletes a batch of expired messages with their acknowledgements; returns the number of messages. Always the oldest of a
-- stream, so that those that are left keep their numbers.
WITH kept AS (
    SELECT s.stream, (SELECT min(sequence) FROM live_messages AS m
                      WHERE m.stream = s.stream AND m.created_at >= now() - make_interval(days => :days)) AS first
    FROM live_streams AS s
), gone AS (
    DELETE FROM live_messages
    WHERE ctid = ANY (ARRAY(
        SELECT m.ctid FROM live_messages AS m JOIN kept ON kept.stream = m.stream
        WHERE m.sequence < coalesce(kept.first, 9223372036854775807)
        ORDER BY m.stream, m.sequence
        LIMIT :limit))
    RETURNING stream, sequence
), acks AS (
    DELETE FROM live_acks AS a USING gone WHERE a.stream = gone.stream AND a.sequence = gone.sequence
)
SELECT count(*) FROM gone;

-- name: sweep_clients
-- Deletes devices that have not connected for this long.
DELETE FROM live_clients WHERE seen_at < now() - make_interval(days => :days);
