-- name: adopt
-- Gives messages of fair queues that have no lane the common one.
UPDATE sightline.bus_messages SET lane = '' WHERE queue_id = ANY (:queue_ids::integer[]) AND lane IS NULL;

-- name: add_messages
-- Adds messages for any queues in one statement, and notifies the listeners of each queue.
WITH added AS (
    INSERT INTO sightline.bus_messages (queue_id, message_id, topic, subject, body, attributes, context, parked_until, lane, is_urgent,
                                        system_attributes)
    SELECT new.queue_id, new.message_id, new.topic, new.subject, new.body, new.attributes, new.context,
           CASE WHEN new.delay_s > 0 THEN now() + make_interval(secs => new.delay_s) END,
           new.lane, new.is_urgent, new.system_attributes
    FROM unnest(:queue_ids::integer[], :message_ids::uuid[], :topics::text[], :subjects::text[], :bodies::text[],
                :attributes::text[], :contexts::text[], :delays::float8[], :lanes::text[], :urgent::boolean[],
                :system_attributes::text[])
        AS new (queue_id, message_id, topic, subject, body, attributes, context, delay_s, lane, is_urgent, system_attributes)
)
SELECT pg_notify('sightline_bus', name) FROM unnest(:queues::text[]) AS name;

-- name: claim
-- Claims the oldest visible messages and hides them; those received too often go to the dead-letter queue instead. One UPDATE
-- does both: a message that stays in its queue is updated in place, without touching an index. The search starts at `floor`, so
-- that it skips the index entries of deleted rows that are not vacuumed yet. Times are returned only `with_times`, or where they are
-- part of a notification, and as bytes that the receiver reads when it needs them: two times made by the driver cost it as much as the
-- rest of the row.
UPDATE sightline.bus_messages
SET receive_count = receive_count + (receive_count < :max_receives)::integer,
    visible_at = CASE WHEN receive_count < :max_receives THEN now() + make_interval(secs => :visibility_s::float8) ELSE now() END,
    claimed_at = now(),
    first_received_at = coalesce(first_received_at, now()),
    queue_id = CASE WHEN receive_count < :max_receives THEN queue_id ELSE :dead_letter_queue_id END,
    source_queue_id = CASE WHEN receive_count < :max_receives THEN source_queue_id ELSE queue_id END,
    entered_at = CASE WHEN receive_count < :max_receives OR :keeps_age THEN entered_at ELSE now() END,
    dead_reason = CASE WHEN receive_count < :max_receives THEN dead_reason
                       ELSE coalesce(dead_reason, 'received ' || receive_count || ' times without being deleted') END
WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM sightline.bus_messages
    WHERE queue_id = :queue_id AND parked_until IS NULL AND seq >= :floor AND visible_at <= now()
    ORDER BY seq
    LIMIT :limit
    FOR UPDATE SKIP LOCKED))
RETURNING queue_id, seq, receive_count, message_id, CASE WHEN :with_times OR topic IS NOT NULL THEN timestamptz_send(sent_at) END AS sent_at,
          CASE WHEN :with_times THEN timestamptz_send(first_received_at) END AS first_received_at, source_queue_id, dead_reason,
          topic, subject, body, attributes, context, lane, system_attributes;

-- name: claim_in_turn
-- Claims as `claim` does, but alarms first, and lane by lane, beginning with the lane after the one that had the last turn: at most
-- `per_lane` of each, and no more than `left` of a lane in `lanes`. Lanes are found by jumps in the index, and only as many as it
-- takes to find `limit` messages: however many messages a lane has waiting, it costs one jump. The comparison of the lane from both
-- sides and the order by lane keep the planner from the index of the whole queue, which is in the order of seq too and would read the
-- whole backlog.
WITH RECURSIVE urgent_later AS (
    (SELECT lane FROM sightline.bus_messages
     WHERE queue_id = :queue_id AND is_urgent = true AND parked_until IS NULL AND lane > :after_urgent
     ORDER BY lane LIMIT 1)
    UNION ALL
    SELECT (SELECT m.lane FROM sightline.bus_messages AS m
            WHERE m.queue_id = :queue_id AND m.is_urgent = true AND m.parked_until IS NULL AND m.lane > urgent_later.lane
            ORDER BY m.lane LIMIT 1)
    FROM urgent_later WHERE urgent_later.lane IS NOT NULL
), urgent_earlier AS (
    (SELECT lane FROM sightline.bus_messages
     WHERE queue_id = :queue_id AND is_urgent = true AND parked_until IS NULL AND lane IS NOT NULL AND lane <= :after_urgent
     ORDER BY lane LIMIT 1)
    UNION ALL
    SELECT (SELECT m.lane FROM sightline.bus_messages AS m
            WHERE m.queue_id = :queue_id AND m.is_urgent = true AND m.parked_until IS NULL
                AND m.lane > urgent_earlier.lane AND m.lane <= :after_urgent
            ORDER BY m.lane LIMIT 1)
    FROM urgent_earlier WHERE urgent_earlier.lane IS NOT NULL
), later AS (
    (SELECT lane FROM sightline.bus_messages
     WHERE queue_id = :queue_id AND is_urgent = false AND parked_until IS NULL AND lane > :after
     ORDER BY lane LIMIT 1)
    UNION ALL
    SELECT (SELECT m.lane FROM sightline.bus_messages AS m
            WHERE m.queue_id = :queue_id AND m.is_urgent = false AND m.parked_until IS NULL AND m.lane > later.lane
            ORDER BY m.lane LIMIT 1)
    FROM later WHERE later.lane IS NOT NULL
), earlier AS (
    (SELECT lane FROM sightline.bus_messages
     WHERE queue_id = :queue_id AND is_urgent = false AND parked_until IS NULL AND lane IS NOT NULL AND lane <= :after
     ORDER BY lane LIMIT 1)
    UNION ALL
    SELECT (SELECT m.lane FROM sightline.bus_messages AS m
            WHERE m.queue_id = :queue_id AND m.is_urgent = false AND m.parked_until IS NULL
                AND m.lane > earlier.lane AND m.lane <= :after
            ORDER BY m.lane LIMIT 1)
    FROM earlier WHERE earlier.lane IS NOT NULL
)
UPDATE sightline.bus_messages
SET receive_count = receive_count + (receive_count < :max_receives)::integer,
    visible_at = CASE WHEN receive_count < :max_receives THEN now() + make_interval(secs => :visibility_s::float8) ELSE now() END,
    claimed_at = now(),
    first_received_at = coalesce(first_received_at, now()),
    queue_id = CASE WHEN receive_count < :max_receives THEN queue_id ELSE :dead_letter_queue_id END,
    source_queue_id = CASE WHEN receive_count < :max_receives THEN source_queue_id ELSE queue_id END,
    entered_at = CASE WHEN receive_count < :max_receives OR :keeps_age THEN entered_at ELSE now() END,
    dead_reason = CASE WHEN receive_count < :max_receives THEN dead_reason
                       ELSE coalesce(dead_reason, 'received ' || receive_count || ' times without being deleted') END
WHERE ctid = ANY (ARRAY(
    SELECT next.ctid
    FROM (
        SELECT true AS is_urgent, lane FROM urgent_later UNION ALL SELECT true, lane FROM urgent_earlier
        UNION ALL SELECT false, lane FROM later UNION ALL SELECT false, lane FROM earlier
    ) AS turn
    CROSS JOIN LATERAL (
        SELECT m.ctid FROM sightline.bus_messages AS m
        WHERE m.queue_id = :queue_id AND m.is_urgent = turn.is_urgent AND m.parked_until IS NULL
            AND m.lane >= turn.lane AND m.lane <= turn.lane
            AND m.visible_at <= now() AND m.seq <> ALL (:claimed::bigint[])  -- a claim may take several statements, and hide nothing
        ORDER BY m.lane, m.seq
        LIMIT greatest(0, least(:per_lane::integer, coalesce(
            (SELECT busy.left FROM unnest(:lanes::text[], :left::integer[]) AS busy (lane, "left") WHERE busy.lane = turn.lane),
            :per_lane::integer))
            -- Alarms of the lane, which this statement claims too.
            - CASE WHEN turn.is_urgent THEN 0 ELSE (SELECT count(*) FROM (
                SELECT FROM sightline.bus_messages AS a
                WHERE a.queue_id = :queue_id AND a.is_urgent = true AND a.parked_until IS NULL
                    AND a.lane >= turn.lane AND a.lane <= turn.lane AND a.visible_at <= now()
                ORDER BY a.lane, a.seq
                LIMIT :limit) AS alarms) END)
        FOR UPDATE SKIP LOCKED
    ) AS next
    LIMIT :limit))
RETURNING queue_id, seq, receive_count, message_id, timestamptz_send(sent_at) AS sent_at,
          timestamptz_send(first_received_at) AS first_received_at, source_queue_id, dead_reason,
          topic, subject, body, attributes, context, lane, is_urgent, system_attributes;

-- name: unpark_due
-- Makes parked messages visible whose delay has ended.
UPDATE sightline.bus_messages SET parked_until = NULL, visible_at = now()
WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM sightline.bus_messages
    WHERE queue_id = :queue_id AND parked_until <= now()
    ORDER BY parked_until
    LIMIT 1000
    FOR UPDATE SKIP LOCKED));

-- name: next_due
-- Time until the next hidden or parked message of a queue becomes receivable.
SELECT least(
    (SELECT min(parked_until) FROM sightline.bus_messages WHERE queue_id = :queue_id AND parked_until IS NOT NULL),
    (SELECT min(visible_at) FROM sightline.bus_messages WHERE queue_id = :queue_id AND parked_until IS NULL)
) - now();

-- name: next_parked
-- Time until the next parked message of a queue is due.
SELECT min(parked_until) - now() FROM sightline.bus_messages WHERE queue_id = :queue_id AND parked_until IS NOT NULL;

-- name: delete_received
-- Deletes messages whose receive count is still that of the receipt.
DELETE FROM sightline.bus_messages
WHERE queue_id = :queue_id AND parked_until IS NULL AND seq = ANY (:seqs::bigint[]) AND receive_count = :receive_count
RETURNING seq;

-- name: find_stale
-- Returns messages that another consumer has received since the receipt.
SELECT seq FROM sightline.bus_messages
WHERE queue_id = :queue_id AND parked_until IS NULL AND seq = ANY (:seqs::bigint[]) AND receive_count > :receive_count;

-- name: change_visibility
-- Hides messages from now on; an old receipt is accepted too. Returns those that exist.
UPDATE sightline.bus_messages
SET visible_at = now() + make_interval(secs => :visibility_s::float8)
WHERE queue_id = :queue_id AND parked_until IS NULL AND seq = ANY (:seqs::bigint[])
RETURNING seq, claimed_at;

-- name: extend
-- Extends the visibility of messages whose receive count is still that of the receipt. Returns those still held.
UPDATE sightline.bus_messages
SET visible_at = now() + make_interval(secs => :visibility_s::float8)
WHERE queue_id = :queue_id AND parked_until IS NULL AND seq = ANY (:seqs::bigint[]) AND receive_count = :receive_count
RETURNING seq;

-- name: release
-- Releases a message with the reason of the failure; a delay parks it.
UPDATE sightline.bus_messages
SET visible_at = now(), dead_reason = coalesce(:reason::text, dead_reason),
    parked_until = CASE WHEN :delay_s::float8 > 0 THEN now() + make_interval(secs => :delay_s::float8) END
WHERE queue_id = :queue_id AND parked_until IS NULL AND seq = :seq AND receive_count = :receive_count;

-- name: return_unprocessed
-- Returns an unprocessed message: visible at once, and the receive is not counted.
UPDATE sightline.bus_messages SET visible_at = now(), receive_count = receive_count - 1
WHERE queue_id = :queue_id AND parked_until IS NULL AND seq = :seq AND receive_count = :receive_count;

-- name: bury
-- Moves a message to the dead-letter queue with the reason.
UPDATE sightline.bus_messages
SET queue_id = :dead_letter_queue_id, source_queue_id = queue_id, entered_at = now(), visible_at = now(), dead_reason = :reason
WHERE queue_id = :queue_id AND parked_until IS NULL AND seq = :seq AND receive_count = :receive_count;

-- name: notify_all
-- Notifies the listeners of several queues.
SELECT pg_notify('sightline_bus', name) FROM unnest(:queues::text[]) AS name;

-- name: purge
-- Deletes everything in a queue, received or not.
DELETE FROM sightline.bus_messages WHERE queue_id = :queue_id;

-- name: sweep
-- Deletes messages older than the retention of their queue, a batch at a time.
DELETE FROM sightline.bus_messages WHERE ctid = ANY (ARRAY(
    SELECT m.ctid FROM sightline.bus_messages AS m JOIN sightline.bus_queues AS q ON q.id = m.queue_id
    WHERE m.entered_at < now() - make_interval(secs => q.retention_s::float8)
    LIMIT 5000
    FOR UPDATE OF m SKIP LOCKED));

-- name: sweep_removed_queues
-- Deletes messages of removed queues, also those that were sent by a process that did not know of it yet, a batch at a time.
DELETE FROM sightline.bus_messages WHERE ctid = ANY (ARRAY(
    SELECT m.ctid FROM sightline.bus_removals AS r JOIN sightline.bus_messages AS m ON m.queue_id = r.queue_id
    WHERE r.kind = 'queue'
    LIMIT 5000
    FOR UPDATE OF m SKIP LOCKED));

-- name: counts
-- Counts visible, in-flight and delayed messages per queue.
SELECT q.name, q.is_declared,
       count(m.seq) FILTER (WHERE coalesce(m.parked_until, m.visible_at) <= now()) AS visible,
       count(m.seq) FILTER (WHERE coalesce(m.parked_until, m.visible_at) > now() AND m.receive_count > 0) AS in_flight,
       count(m.seq) FILTER (WHERE coalesce(m.parked_until, m.visible_at) > now() AND m.receive_count = 0) AS delayed,
       extract(epoch FROM now() - min(m.entered_at) FILTER (WHERE coalesce(m.parked_until, m.visible_at) <= now()))::float8
           AS oldest_age_s
FROM sightline.bus_queues AS q LEFT JOIN sightline.bus_messages AS m ON m.queue_id = q.id
GROUP BY q.name, q.is_declared
ORDER BY q.name;

-- name: peek
-- Reads messages of a queue, oldest first, without receiving them.
SELECT m.queue_id, m.seq, m.receive_count, m.message_id, timestamptz_send(m.sent_at) AS sent_at,
       timestamptz_send(m.first_received_at) AS first_received_at, m.source_queue_id, m.dead_reason, m.topic, m.subject,
       m.body, m.attributes, m.context, m.entered_at, m.redrive_count
FROM sightline.bus_messages AS m
WHERE m.queue_id = :queue_id
  AND m.seq > coalesce((SELECT min(a.seq) FROM sightline.bus_messages AS a WHERE a.queue_id = :queue_id AND a.message_id = :after::uuid), 0)
ORDER BY m.seq
LIMIT :limit;

-- name: redrive
-- Moves dead letters back to their source queue as new messages; they keep id, body and sending time.
WITH moved AS (
    UPDATE sightline.bus_messages
    SET queue_id = source_queue_id, source_queue_id = NULL, receive_count = 0, redrive_count = redrive_count + 1,
        entered_at = now(), visible_at = now(), parked_until = NULL, claimed_at = NULL, first_received_at = NULL,
        dead_reason = NULL
    WHERE queue_id = :queue_id AND source_queue_id IS NOT NULL AND message_id = ANY (:message_ids::uuid[])
    RETURNING queue_id
), notified AS (
    SELECT pg_notify('sightline_bus', q.name) FROM sightline.bus_queues AS q WHERE q.id IN (SELECT queue_id FROM moved)
)
SELECT (SELECT count(*) FROM moved) AS moved, (SELECT count(*) FROM notified) AS notified;

-- name: discard
-- Deletes dead letters permanently.
DELETE FROM sightline.bus_messages WHERE queue_id = :queue_id AND message_id = ANY (:message_ids::uuid[]);
