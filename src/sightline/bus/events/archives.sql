-- name: archive_events
-- Adds events to their archives.
INSERT INTO sightline.bus_archived_events (archive_id, event_time, event)
SELECT * FROM unnest(:archive_ids::uuid[], :times::timestamptz[], :events::text[]);

-- name: sizes
-- How many events archives hold, and how many bytes.
SELECT archive_id, count(*) AS events, coalesce(sum(octet_length(event)), 0)::bigint AS bytes
FROM sightline.bus_archived_events WHERE archive_id = ANY (:archive_ids::uuid[]) GROUP BY archive_id;

-- name: next_events
-- The events of a span of time that follow a position, in their order.
SELECT event_time, seq, event FROM sightline.bus_archived_events
WHERE archive_id = :archive_id AND event_time >= :starts_at AND event_time < :ends_at
    AND (:after::timestamptz IS NULL OR (event_time, seq) > (:after::timestamptz, :after_seq::bigint))
ORDER BY event_time, seq LIMIT :limit;

-- name: expire_events
-- Deletes some events that are older than the retention of their archive.
DELETE FROM sightline.bus_archived_events WHERE ctid = ANY (ARRAY(
    SELECT e.ctid FROM sightline.bus_archives AS a JOIN sightline.bus_archived_events AS e USING (archive_id)
    WHERE a.retention_days > 0 AND e.archived_at < now() - make_interval(days => a.retention_days)
    LIMIT :limit));

-- name: remove_orphans
-- Deletes some events whose archive was deleted.
DELETE FROM sightline.bus_archived_events WHERE ctid = ANY (ARRAY(
    SELECT e.ctid FROM sightline.bus_archived_events AS e
    WHERE NOT EXISTS (SELECT FROM sightline.bus_archives AS a WHERE a.archive_id = e.archive_id)
    LIMIT :limit));

-- name: add_replay
-- Starts a replay; returns nothing if there is one of that name.
INSERT INTO sightline.bus_replays (account_id, name, archive, archive_id, event_bus, rule_arns, description, starts_at, ends_at)
VALUES (:account_id, :name, :archive, :archive_id, :event_bus, :rule_arns, :description, :starts_at, :ends_at)
ON CONFLICT DO NOTHING RETURNING *;

-- name: notify_replays
-- Wakes the processes that replay.
SELECT pg_notify('sightline_bus_replays', '');

-- name: find_replay
-- One replay.
SELECT * FROM sightline.bus_replays WHERE account_id = :account_id AND name = :name;

-- name: list_replays
-- Replays of an account by name, those after a name.
SELECT * FROM sightline.bus_replays
WHERE account_id = :account_id AND name > :after AND starts_with(name, :prefix)
    AND (:state::text IS NULL OR state = :state) AND (:archive::text IS NULL OR archive = :archive)
ORDER BY name LIMIT :limit;

-- name: count_running
-- How many replays of an account run.
SELECT count(*) FROM sightline.bus_replays WHERE account_id = :account_id AND state IN ('STARTING', 'RUNNING', 'CANCELLING');

-- name: cancel_replay
-- Ends a replay that has not ended.
UPDATE sightline.bus_replays SET state = 'CANCELLING'
WHERE account_id = :account_id AND name = :name AND state IN ('STARTING', 'RUNNING') RETURNING *;

-- name: claim_replay
-- Locks a replay until the transaction ends; other processes skip it.
SELECT * FROM sightline.bus_replays WHERE state IN ('STARTING', 'RUNNING', 'CANCELLING')
ORDER BY created_at LIMIT 1 FOR UPDATE SKIP LOCKED;

-- name: move_replay
-- Records how far a replay is.
UPDATE sightline.bus_replays
SET state = :state, state_reason = :reason, replayed_until = :until, last_seq = :last_seq,
    ended_at = CASE WHEN :has_ended THEN now() END
WHERE account_id = :account_id AND name = :name;

-- name: forget_replays
-- Forgets replays that ended long ago, as EventBridge does after 90 days.
DELETE FROM sightline.bus_replays WHERE ended_at < now() - interval '90 days';
