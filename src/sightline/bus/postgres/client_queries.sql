-- name: lock_fifo
-- Lets one receive, delete or change of a FIFO queue happen at a time, until the transaction ends: that is what keeps the order.
SELECT pg_advisory_xact_lock(:namespace, queue_id) FROM unnest(:queue_ids::integer[]) AS queue_id ORDER BY queue_id;

-- name: add_to_fifo
-- Adds messages to FIFO queues in the given order and returns, for each, its id and sequence number. A message whose deduplication id
-- was seen within five minutes is not added; it gets the id and number of the first.
WITH new AS (
    SELECT * FROM unnest(:queue_ids::integer[], :message_ids::uuid[], :topics::text[], :subjects::text[], :bodies::text[],
                         :attributes::text[], :contexts::text[], :delays::float8[], :groups::text[], :system_attributes::text[],
                         :scopes::text[], :deduplication_ids::text[])
        WITH ORDINALITY AS new (queue_id, message_id, topic, subject, body, attributes, context, delay_s, lane, system_attributes,
                                scope, deduplication_id, position)
), present AS (
    SELECT d.queue_id, d.scope, d.deduplication_id, d.message_id, d.seq
    FROM (SELECT DISTINCT queue_id, scope, deduplication_id FROM new) AS key
    JOIN sightline.bus_deduplications AS d USING (queue_id, scope, deduplication_id)
    WHERE d.until > now()
), added AS (
    INSERT INTO sightline.bus_messages (queue_id, message_id, topic, subject, body, attributes, context, visible_at, lane, system_attributes)
    SELECT queue_id, message_id, topic, subject, body, attributes, context, now() + make_interval(secs => delay_s), lane, system_attributes
    FROM (SELECT DISTINCT ON (queue_id, scope, deduplication_id) * FROM new
          ORDER BY queue_id, scope, deduplication_id, position) AS first
    WHERE NOT EXISTS (SELECT FROM present AS p WHERE p.queue_id = first.queue_id AND p.scope = first.scope
                          AND p.deduplication_id = first.deduplication_id)
    ORDER BY position
    RETURNING queue_id, message_id, seq
), remembered AS (
    INSERT INTO sightline.bus_deduplications (queue_id, scope, deduplication_id, message_id, seq, until)
    SELECT added.queue_id, new.scope, new.deduplication_id, added.message_id, added.seq, now() + interval '5 minutes'
    FROM added JOIN new USING (queue_id, message_id)
    ON CONFLICT (queue_id, scope, deduplication_id) DO UPDATE
    SET message_id = excluded.message_id, seq = excluded.seq, until = excluded.until
    RETURNING queue_id, scope, deduplication_id, message_id, seq
), notified AS (
    SELECT pg_notify('sightline_bus', name) FROM unnest(:queues::text[]) AS name
)
SELECT known.message_id, known.seq, (SELECT count(*) FROM notified) AS notified
FROM new JOIN (SELECT * FROM present UNION ALL SELECT * FROM remembered) AS known USING (queue_id, scope, deduplication_id)
ORDER BY new.position;

-- name: claim_fifo
-- Claims from a FIFO queue, group by group, beginning with the group after `after`: of each group the oldest messages, as long as they
-- are visible. A hidden message blocks the rest of its group. Groups are found by jumps in the index of lanes. The caller has
-- locked the queue, so nothing claimed here is changed by others at the same time.
WITH RECURSIVE later AS (
    (SELECT lane FROM sightline.bus_messages
     WHERE queue_id = :queue_id AND NOT is_urgent AND parked_until IS NULL AND lane > :after
     ORDER BY lane LIMIT 1)
    UNION ALL
    SELECT (SELECT m.lane FROM sightline.bus_messages AS m
            WHERE m.queue_id = :queue_id AND NOT m.is_urgent AND m.parked_until IS NULL AND m.lane > later.lane
            ORDER BY m.lane LIMIT 1)
    FROM later WHERE later.lane IS NOT NULL
), earlier AS (
    (SELECT lane FROM sightline.bus_messages
     WHERE queue_id = :queue_id AND NOT is_urgent AND parked_until IS NULL AND lane IS NOT NULL AND lane <= :after
     ORDER BY lane LIMIT 1)
    UNION ALL
    SELECT (SELECT m.lane FROM sightline.bus_messages AS m
            WHERE m.queue_id = :queue_id AND NOT m.is_urgent AND m.parked_until IS NULL
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
    SELECT free.ctid
    FROM (SELECT lane FROM later UNION ALL SELECT lane FROM earlier) AS turn
    CROSS JOIN LATERAL (
        SELECT head.ctid, bool_and(head.visible_at <= now()) OVER (ORDER BY head.seq ROWS UNBOUNDED PRECEDING) AS is_free
        FROM (SELECT m.ctid, m.visible_at, m.seq FROM sightline.bus_messages AS m
              WHERE m.queue_id = :queue_id AND NOT m.is_urgent AND m.parked_until IS NULL
                  AND m.lane >= turn.lane AND m.lane <= turn.lane
              ORDER BY m.lane, m.seq
              LIMIT :limit) AS head
    ) AS free
    WHERE free.is_free
    LIMIT :limit))
RETURNING queue_id, seq, receive_count, message_id, timestamptz_send(sent_at) AS sent_at,
          timestamptz_send(first_received_at) AS first_received_at, source_queue_id, dead_reason,
          topic, subject, body, attributes, context, lane, system_attributes;

-- name: next_hidden
-- Time until the next hidden message of a FIFO queue is visible. Visible ones may wait behind it, and wake no receiver.
SELECT min(visible_at) - now() FROM sightline.bus_messages WHERE queue_id = :queue_id AND parked_until IS NULL AND visible_at > now();

-- name: add_and_delete
-- Adds messages that are nothing but a body, at a third of what `add_messages` costs the client, and notifies the listeners of their
-- queues. Deletes received messages of any queues whose receive count is still that of the receipt, and returns how many. Each is
-- looked up by itself: as a plain join, the planner reads the whole backlog when its statistics are of a time at which the queues were
-- nearly empty. A row that changes while its lock is waited for is locked in its new version, which this statement cannot see: it is
-- left, and a second statement of the same transaction deletes it.
WITH added AS (
    INSERT INTO sightline.bus_messages (queue_id, message_id, body)
    SELECT new.queue_id, new.message_id, new.body
    FROM unnest(:new_queue_ids::integer[], :message_ids::uuid[], :bodies::text[]) AS new (queue_id, message_id, body)
), deleted AS (
    DELETE FROM sightline.bus_messages WHERE ctid = ANY (ARRAY(
        SELECT found.ctid
        FROM unnest(:queue_ids::integer[], :seqs::bigint[], :receive_counts::integer[]) AS given (queue_id, seq, receive_count)
        CROSS JOIN LATERAL (
            SELECT m.ctid FROM sightline.bus_messages AS m
            WHERE m.queue_id = given.queue_id AND m.seq = given.seq AND m.parked_until IS NULL AND m.receive_count = given.receive_count
            LIMIT 1
            FOR UPDATE
        ) AS found))
    RETURNING 1
), notified AS (
    SELECT pg_notify('sightline_bus', name) FROM unnest(:queues::text[]) AS name
)
SELECT (SELECT count(*) FROM deleted) AS deleted, (SELECT count(*) FROM notified) AS notified;

-- name: delete_from_fifo
-- Deletes received messages of a FIFO queue whose visibility has not ended. Returns those that are left; as with `add_and_delete`,
-- a second statement decides about them.
WITH deleted AS (
    DELETE FROM sightline.bus_messages WHERE ctid = ANY (ARRAY(
        SELECT found.ctid
        FROM unnest(:seqs::bigint[], :receive_counts::integer[]) AS given (seq, receive_count)
        CROSS JOIN LATERAL (
            SELECT m.ctid FROM sightline.bus_messages AS m
            WHERE m.queue_id = :queue_id AND m.seq = given.seq AND m.parked_until IS NULL AND m.receive_count = given.receive_count
                AND m.visible_at > now()
            LIMIT 1
            FOR UPDATE
        ) AS found))
    RETURNING seq
)
SELECT m.seq FROM sightline.bus_messages AS m
WHERE m.queue_id = :queue_id AND m.parked_until IS NULL AND m.seq = ANY (:seqs::bigint[]) AND m.seq NOT IN (SELECT seq FROM deleted);

-- name: hide_many
-- Hides received messages for new times from now on, unless that is beyond twelve hours after the receive. Returns those that changed;
-- as with `add_and_delete`, a second statement decides about the rest.
UPDATE sightline.bus_messages AS m
SET visible_at = now() + make_interval(secs => found.visibility_s)
FROM (
    SELECT held.ctid, given.visibility_s
    FROM unnest(:queue_ids::integer[], :seqs::bigint[], :receive_counts::integer[], :visibilities::float8[])
        AS given (queue_id, seq, receive_count, visibility_s)
    CROSS JOIN LATERAL (
        SELECT m.ctid FROM sightline.bus_messages AS m
        WHERE m.queue_id = given.queue_id AND m.seq = given.seq AND m.parked_until IS NULL
            AND (NOT :is_fifo OR (m.receive_count = given.receive_count AND m.visible_at > now()))
            AND now() + make_interval(secs => given.visibility_s)
                <= coalesce(m.claimed_at, now()) + make_interval(secs => :max_s::float8 + 1)
        LIMIT 1
        FOR UPDATE
    ) AS held
) AS found
WHERE m.ctid = found.ctid
RETURNING m.queue_id, m.seq;

-- name: existing
-- Which of these messages exist.
SELECT found.queue_id, found.seq
FROM unnest(:queue_ids::integer[], :seqs::bigint[]) AS given (queue_id, seq)
CROSS JOIN LATERAL (
    SELECT m.queue_id, m.seq FROM sightline.bus_messages AS m
    WHERE m.queue_id = given.queue_id AND m.seq = given.seq AND m.parked_until IS NULL
    LIMIT 1
) AS found;

-- name: counts_of_queue
-- Visible, in-flight and delayed messages of one queue.
SELECT count(*) FILTER (WHERE coalesce(parked_until, visible_at) <= now()) AS visible,
       count(*) FILTER (WHERE coalesce(parked_until, visible_at) > now() AND receive_count > 0) AS in_flight,
       count(*) FILTER (WHERE coalesce(parked_until, visible_at) > now() AND receive_count = 0) AS delayed
FROM sightline.bus_messages WHERE queue_id = :queue_id;

-- name: stored_by_account
-- Messages and bytes that the queues of clients hold, by account.
SELECT q.account_id, count(*) AS messages, coalesce(sum(octet_length(m.body)), 0)::bigint AS bytes
FROM sightline.bus_messages AS m JOIN sightline.bus_queues AS q ON q.id = m.queue_id
WHERE NOT q.is_declared
GROUP BY q.account_id;

-- name: forget_deduplications
-- Forgets deduplication ids that are older than five minutes.
DELETE FROM sightline.bus_deduplications WHERE until < now();

-- name: forget_deduplications_of_queue
-- Forgets the deduplication ids of one queue.
DELETE FROM sightline.bus_deduplications WHERE queue_id = :queue_id;
