-- name: due
-- Jobs that other programs changed and that are to be looked at now.
SELECT job_id FROM sightline.external_jobs WHERE look_at <= now() ORDER BY look_at LIMIT 200;

-- name: next_look
-- Time until the next job is to be looked at.
SELECT min(look_at) - now() FROM sightline.external_jobs;

-- name: lock
-- One of them, locked. No row if it was removed, or if another process has it locked at the moment.
SELECT j.id, j.video_id, j.job_type::text, j.status::text, j.retry_count, j.priority, j.context::text, j.error,
       (CASE WHEN j.status = 'failed' THEN coalesce(j.payload -> 'original_payload', j.payload) ELSE j.payload END)::text AS payload,
       j.created_at, j.started_at, j.finished_at, j.run_after, j.locked_by, j.locked_until,
       now() AS now, e.claimed_at IS NOT DISTINCT FROM j.started_at AS is_held_elsewhere
FROM jobs AS j JOIN sightline.external_jobs AS e ON e.job_id = j.id
WHERE j.id = :id
FOR NO KEY UPDATE OF j SKIP LOCKED;

-- name: limit_waiting
-- Lets a statement of this transaction wait only shortly for a lock: other programs lock jobs and videos in either order, and this
-- service gives way before the server finds a deadlock and ends one of the two.
SELECT set_config('lock_timeout', '500ms', true);

-- name: look_again
-- When to look at the job next.
UPDATE sightline.external_jobs SET look_at = :at WHERE job_id = :id;

-- name: forget
-- The job was followed.
DELETE FROM sightline.external_jobs WHERE job_id = :id;

-- name: forget_removed
-- Clears rows of jobs that were removed.
DELETE FROM sightline.external_jobs AS e WHERE NOT EXISTS (SELECT FROM jobs AS j WHERE j.id = e.job_id);

-- name: wait_for_retry
-- Sets when a failed job is queued again.
UPDATE jobs SET run_after = :at WHERE id = :id AND status = 'failed' AND run_after IS NULL;

-- name: queue_again
-- Queues a failed job whose delay is over.
UPDATE jobs SET status = 'queued', retry_count = retry_count + 1, run_after = NULL
WHERE id = :id AND status = 'failed' AND retry_count < :max_retries
RETURNING id;

-- name: has_successor
-- Whether a job of this type was enqueued for the video since this job was.
SELECT EXISTS (SELECT FROM jobs WHERE video_id = :video_id AND job_type = :job_type::text::job_type AND created_at >= :since);
