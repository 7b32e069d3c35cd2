-- name: start
-- Starts a task unless one runs for the same source.
INSERT INTO sightline.bus_move_tasks (task_id, account_id, source_arn, destination_arn, max_per_second, to_move)
SELECT :task_id, :account_id, :source_arn, :destination_arn, :max_per_second, count(*)
FROM sightline.bus_messages WHERE queue_id = :queue_id
ON CONFLICT (source_arn) WHERE status IN ('RUNNING', 'CANCELLING') DO NOTHING
RETURNING task_id;

-- name: notify
-- Wakes the process that works off the tasks.
SELECT pg_notify('sightline_bus_moves', '');

-- name: newest
-- The newest tasks of a source.
SELECT * FROM sightline.bus_move_tasks WHERE source_arn = :source_arn AND account_id = :account_id
ORDER BY started_at DESC LIMIT :limit;

-- name: cancel
-- Asks a running task to stop; returns how many messages it has moved.
UPDATE sightline.bus_move_tasks SET status = 'CANCELLED'
WHERE task_id = :task_id AND account_id = :account_id AND status = 'RUNNING'
RETURNING moved;

-- name: exists
-- Whether the account has such a task.
SELECT EXISTS (SELECT FROM sightline.bus_move_tasks WHERE task_id = :task_id AND account_id = :account_id);

-- name: claim
-- Claims the tasks that run and that no other process works on.
UPDATE sightline.bus_move_tasks SET run_until = now() + make_interval(secs => :lease_s::float8)
WHERE task_id IN (SELECT task_id FROM sightline.bus_move_tasks
                  WHERE status = 'RUNNING' AND (run_until IS NULL OR run_until < now())
                  FOR UPDATE SKIP LOCKED)
RETURNING *;

-- name: move
-- Moves the oldest visible dead letters as new messages: to the destination, or each to the queue that it came from if that still
-- exists. Returns the queues that got some.
UPDATE sightline.bus_messages AS m
SET queue_id = coalesce(:destination_id::integer, m.source_queue_id), source_queue_id = NULL, seq = DEFAULT,
    message_id = gen_random_uuid(), receive_count = 0, redrive_count = m.redrive_count + 1, sent_at = now(), entered_at = now(),
    visible_at = now(), parked_until = NULL, claimed_at = NULL, first_received_at = NULL, dead_reason = NULL
WHERE m.ctid = ANY (ARRAY(
    SELECT c.ctid FROM sightline.bus_messages AS c
    WHERE c.queue_id = :queue_id AND c.parked_until IS NULL AND c.visible_at <= now()
      AND (:destination_id::integer IS NOT NULL OR EXISTS (SELECT FROM sightline.bus_queues AS q WHERE q.id = c.source_queue_id))
    ORDER BY c.seq
    LIMIT :limit
    FOR UPDATE SKIP LOCKED))
RETURNING m.queue_id;

-- name: has_sourceless
-- Whether dead letters are left that came from no queue, or from one that was deleted.
SELECT EXISTS (SELECT FROM sightline.bus_messages AS m WHERE m.queue_id = :queue_id AND m.parked_until IS NULL AND m.visible_at <= now()
    AND NOT EXISTS (SELECT FROM sightline.bus_queues AS q WHERE q.id = m.source_queue_id));

-- name: progress
-- Counts what was moved and keeps the claim; nothing is returned if the task was cancelled.
UPDATE sightline.bus_move_tasks SET moved = moved + :moved, run_until = now() + make_interval(secs => :lease_s::float8)
WHERE task_id = :task_id
RETURNING status;

-- name: finish
-- Ends a task that runs.
UPDATE sightline.bus_move_tasks SET status = :status, failure_reason = :reason, run_until = NULL
WHERE task_id = :task_id AND status = 'RUNNING';

-- name: forget
-- Forgets tasks that ended long ago.
DELETE FROM sightline.bus_move_tasks WHERE status NOT IN ('RUNNING', 'CANCELLING') AND started_at < now() - interval '7 days';
