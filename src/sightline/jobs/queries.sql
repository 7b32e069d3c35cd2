-- name: enqueue
-- Adds jobs in one statement and notifies the workers of their types (rows without an id). Skips a pipeline job of which one is active already.
WITH added AS (
INSERT INTO jobs (id, video_id, job_type, priority, depends_on, run_after, payload, context)
SELECT new.id, new.video_id, new.job_type::job_type, new.priority, new.depends_on, new.run_after, new.payload::jsonb, :context::jsonb
FROM unnest(:ids::uuid[], :video_ids::uuid[], :job_types::text[], :priorities::integer[], :depends_on::uuid[],
            :run_after::timestamptz[], :payloads::text[])
    AS new (id, video_id, job_type, priority, depends_on, run_after, payload)
-- Pipeline jobs are inserted in one order, so that two callers with several common jobs do not deadlock.
ORDER BY CASE WHEN new.job_type IN ('transcode', 'sample', 'ocr', 'segment_index') THEN new.video_id END, new.job_type, new.id
ON CONFLICT (video_id, job_type) WHERE open AND job_type IN ('transcode', 'sample', 'ocr', 'segment_index') DO NOTHING
RETURNING id
)
SELECT id FROM added
UNION ALL
SELECT NULL FROM (SELECT pg_notify('sightline_jobs', name) FROM unnest(:notified_types::text[]) AS name) AS notified_types;

-- name: enqueue_other
-- Adds jobs of which none is a pipeline job, so that none can be active already: half of the cost of `enqueue` for many rows.
WITH added AS (
INSERT INTO jobs (id, video_id, job_type, priority, depends_on, run_after, payload, context)
SELECT new.id, new.video_id, new.job_type::job_type, new.priority, new.depends_on, new.run_after, new.payload::jsonb, :context::jsonb
FROM unnest(:ids::uuid[], :video_ids::uuid[], :job_types::text[], :priorities::integer[], :depends_on::uuid[],
            :run_after::timestamptz[], :payloads::text[])
    AS new (id, video_id, job_type, priority, depends_on, run_after, payload)
)
SELECT pg_notify('sightline_jobs', name) FROM unnest(:notified_types::text[]) AS name;

-- name: active_pipeline_job
-- The active job that prevents a second one.
SELECT id FROM jobs
WHERE video_id = :video_id AND job_type = :job_type::text::job_type AND open
  AND job_type IN ('transcode', 'sample', 'ocr', 'segment_index');

-- name: notify
-- Notifies the workers of these job types.
SELECT pg_notify('sightline_jobs', name) FROM unnest(:job_types::text[]) AS name;

-- name: claim
-- Claims due jobs of a type by priority and age, and jobs whose lease has expired. Progress starts at 0 or is kept. The history is
-- written here and not by the guard (migration 0103).
UPDATE jobs
SET status = 'processing', locked_by = :worker::text, locked_until = now() + make_interval(secs => :lease_s::float8),
    started_at = now(), updated_at = now(), progress_message = NULL,
    progress = CASE WHEN :keep_progress::boolean THEN progress ELSE 0 END,
    retry_count = retry_count + (status = 'processing')::integer,
    moves = CASE WHEN status = 'queued' THEN moves || ROW('processing', now(), :worker::text, NULL)::sightline.job_move
                 -- Taken over from a worker whose lease ran out: an attempt that failed, and the next one.
                 ELSE moves || ARRAY[ROW('failed', now(), locked_by, 'lease expired')::sightline.job_move,
                                     ROW('queued', now(), :worker::text, NULL)::sightline.job_move,
                                     ROW('processing', now(), :worker::text, NULL)::sightline.job_move] END
WHERE ctid = ANY (ARRAY(
    SELECT j.ctid FROM jobs AS j
    WHERE j.job_type = :job_type::text::job_type AND j.open AND j.run_after IS NULL
      AND (j.status = 'queued' OR j.status = 'processing' AND j.locked_until < now() AND j.retry_count < :max_retries)
      AND (j.depends_on IS NULL OR (SELECT d.status FROM jobs AS d WHERE d.id = j.depends_on) = 'done')
    -- job_type is one and the same here, but without it the planner does not see that the index has this order: for enums it
    -- does not draw the conclusion, and sorts all that wait.
    ORDER BY j.job_type, j.priority DESC, j.created_at, j.id
    LIMIT :limit
    FOR NO KEY UPDATE OF j SKIP LOCKED)) -- a stronger lock would skip a job that a new job is just made to depend on
RETURNING id, video_id, job_type::text, retry_count, priority, payload::text, context::text, created_at, started_at;

-- name: wake_due
-- Makes jobs due whose delay has passed.
UPDATE jobs SET run_after = NULL
WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM jobs
    WHERE job_type = :job_type::text::job_type AND open AND run_after <= now()
    ORDER BY job_type, run_after -- as in `claim`
    LIMIT 1000
    FOR NO KEY UPDATE SKIP LOCKED));

-- name: next_due
-- Time until the next delayed job of these types is due.
SELECT min(next.run_after) - now()
FROM unnest(:job_types::text[]) AS name,
     LATERAL (SELECT run_after FROM jobs
              WHERE job_type = name::job_type AND open AND run_after IS NOT NULL
              ORDER BY job_type, run_after LIMIT 1) AS next;

-- name: look
-- Whether a worker of this type would find something to claim or to make due, and the time until its next delayed job is due.
SELECT EXISTS (
        SELECT FROM jobs AS j
        WHERE j.job_type = :job_type::text::job_type AND j.open AND j.run_after IS NULL
          AND (j.status = 'queued' OR j.status = 'processing' AND j.locked_until < now() AND j.retry_count < :max_retries)
          AND (j.depends_on IS NULL OR (SELECT d.status FROM jobs AS d WHERE d.id = j.depends_on) = 'done')
    ) AS is_waiting,
    (SELECT run_after FROM jobs
     WHERE job_type = :job_type::text::job_type AND open AND run_after IS NOT NULL
     ORDER BY job_type, run_after LIMIT 1) - now() AS next_due;

-- name: finish
-- Marks jobs done that are still leased to this worker, with their history (migration 0103), and notifies the workers of the jobs that
-- depend on them (rows without an id).
WITH ended AS (
UPDATE jobs
SET status = 'done', finished_at = now(), updated_at = now(), locked_until = NULL, progress = 1, error = NULL,
    moves = moves || ROW('done', now(), :worker::text, NULL)::sightline.job_move
WHERE id = ANY (:ids::uuid[]) AND status = 'processing' AND locked_by = :worker::text
RETURNING id
)
SELECT id FROM ended
UNION ALL
SELECT NULL FROM (
    SELECT pg_notify('sightline_jobs', name)
    FROM (SELECT DISTINCT job_type::text AS name FROM jobs WHERE depends_on = ANY (:ids::uuid[]) AND open) AS waiting
) AS notified;

-- name: waiting_types
-- The types of the jobs that depend on these.
SELECT DISTINCT job_type::text FROM jobs WHERE depends_on = ANY (:ids::uuid[]) AND open;

-- name: set_result
-- Stores the result of a job.
UPDATE jobs SET result = :result::jsonb WHERE id = :id AND status = 'processing' AND locked_by = :worker;

-- name: retry_later
-- Queues a job again after a failed attempt with retries left, due after the delay.
UPDATE jobs
SET status = 'queued', retry_count = retry_count + 1, run_after = now() + make_interval(secs => :delay_s::float8),
    locked_by = NULL, locked_until = NULL, error = :error::jsonb
WHERE id = :id AND status = 'processing' AND locked_by = :worker
RETURNING id;

-- name: fail
-- Fails a job for good; the payload takes the form of the contract.
UPDATE jobs
SET status = 'failed', finished_at = now(), locked_until = NULL, error = :error::jsonb,
    payload = jsonb_build_object('error', :error::jsonb, 'original_payload', payload)
WHERE id = :id AND status = 'processing' AND locked_by = :worker
RETURNING id;

-- name: release
-- Releases jobs of a worker that stops, without using an attempt.
UPDATE jobs
SET status = 'queued', locked_by = NULL, locked_until = NULL, error = :error::jsonb
WHERE id = ANY (:ids::uuid[]) AND status = 'processing' AND locked_by = :worker
RETURNING id;

-- name: heartbeat
-- Extends the leases of a worker; returns the jobs that are still leased to it.
UPDATE jobs SET locked_until = now() + make_interval(secs => :lease_s::float8)
WHERE id = ANY (:ids::uuid[]) AND status = 'processing' AND locked_by = :worker
RETURNING id;

-- name: report_progress
-- Stores progress, which never decreases; returns it if the job is still leased to this worker.
UPDATE jobs SET progress = greatest(progress, :progress::real), progress_message = coalesce(:message::text, progress_message)
WHERE id = :id AND status = 'processing' AND locked_by = :worker
RETURNING progress;

-- name: expired_for_good
-- Claims jobs whose worker vanished on their last attempt, to be failed.
UPDATE jobs SET locked_by = :worker, locked_until = now() + make_interval(secs => :lease_s::float8)
WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM jobs
    WHERE job_type = :job_type::text::job_type AND open AND run_after IS NULL
      AND status = 'processing' AND locked_until < now() AND retry_count >= :max_retries
    LIMIT 100
    FOR NO KEY UPDATE SKIP LOCKED))
RETURNING id, video_id, job_type::text, retry_count, priority, payload::text, context::text, created_at, started_at;

-- name: retry_by_hand
-- Queues failed jobs again with a retry counter of 0; their history stays.
UPDATE jobs
SET status = 'queued', retry_count = 0, run_after = NULL, locked_by = NULL, locked_until = NULL, finished_at = NULL,
    error = NULL, progress = 0, progress_message = NULL, payload = coalesce(payload -> 'original_payload', payload)
WHERE id = ANY (:ids::uuid[]) AND status = 'failed'
RETURNING id, job_type::text;

-- name: take_for_cancel
-- Claims a queued job for an operator, to be failed in the same transaction: the contract has no way from queued to failed.
UPDATE jobs SET status = 'processing', locked_by = :worker, locked_until = now() + interval '1 minute', started_at = now()
WHERE id = :id AND status = 'queued'
RETURNING id, video_id, job_type::text, retry_count, priority, payload::text, context::text, created_at, started_at;

-- name: get_job
-- One job with its history, if the transaction's role may see it.
SELECT id, video_id, job_type::text, status::text, priority, retry_count, created_at, updated_at, started_at, finished_at,
       run_after, locked_by, locked_until, depends_on, progress, progress_message, payload, result, error, moves
FROM jobs WHERE id = :id;

-- name: list_jobs
-- Jobs by type, state and video, newest first (ids rise with time), after the given one.
SELECT id, video_id, job_type::text, status::text, priority, retry_count, created_at, updated_at, started_at, finished_at,
       run_after, locked_by, locked_until, depends_on, progress, progress_message, payload, result, error, moves
FROM jobs
WHERE (:job_type::text IS NULL OR job_type = :job_type::text::job_type)
  AND (:status::text IS NULL OR status = :status::text::job_status)
  AND (:video_id::uuid IS NULL OR video_id = :video_id)
  AND (:before_id::uuid IS NULL OR id < :before_id)
ORDER BY id DESC
LIMIT :limit;

-- name: list_open
-- Queued and running jobs, newest first, after the given one. Reads the two indexes of open jobs, as `count_open`, and no finished jobs.
SELECT id, video_id, job_type::text, status::text, priority, retry_count, created_at, updated_at, started_at, finished_at,
       run_after, locked_by, locked_until, depends_on, progress, progress_message, payload, result, error, moves
FROM jobs
WHERE id = ANY (ARRAY(
    SELECT id FROM (
        SELECT id, job_type, status, video_id FROM jobs WHERE open AND run_after IS NULL
        UNION ALL
        SELECT id, job_type, status, video_id FROM jobs WHERE open AND run_after IS NOT NULL
    ) AS waiting
    WHERE status = :status::text::job_status
      AND (:job_type::text IS NULL OR job_type = :job_type::text::job_type)
      AND (:video_id::uuid IS NULL OR video_id = :video_id)
      AND (:before_id::uuid IS NULL OR id < :before_id)
    ORDER BY id DESC
    LIMIT :limit))
ORDER BY id DESC;

-- name: list_dead
-- Jobs that failed for good, newest first, after the given one; reads no finished jobs.
SELECT id, video_id, job_type::text, status::text, priority, retry_count, created_at, updated_at, started_at, finished_at,
       run_after, locked_by, locked_until, depends_on, progress, progress_message, payload, result, error, moves
FROM jobs
WHERE dead
  AND (:job_type::text IS NULL OR job_type = :job_type::text::job_type)
  AND (:video_id::uuid IS NULL OR video_id = :video_id)
  AND (:before_id::uuid IS NULL OR id < :before_id)
ORDER BY id DESC
LIMIT :limit;

-- name: set_actor
-- Sets who the history names for the changes of this transaction.
SELECT set_config('sightline.actor', :name, true);

-- name: count_jobs
-- How many jobs there are by type and state, and how old the oldest queued one is. The page polls it every two seconds, so only
-- indexes are read: those of open jobs, and of finished jobs that of their end.
SELECT job_type::text, status::text, count(*) AS jobs,
       extract(epoch FROM now() - min(created_at) FILTER (WHERE status = 'queued'))::float8 AS oldest_age_s
FROM (
    SELECT job_type, status, created_at FROM jobs WHERE open AND run_after IS NULL
    UNION ALL
    SELECT job_type, status, created_at FROM jobs WHERE open AND run_after IS NOT NULL
) AS waiting
GROUP BY job_type, status
UNION ALL
SELECT job_type::text, CASE WHEN dead THEN 'failed' ELSE 'done' END, count(*), NULL
FROM jobs WHERE finished_at IS NOT NULL GROUP BY job_type, dead
ORDER BY 1, 2;

-- name: count_open
-- How many jobs are queued or running, by type, for the depth metrics. Reads the two indexes of open jobs and no finished jobs.
SELECT job_type::text, status::text, count(*) AS jobs, extract(epoch FROM now() - min(created_at))::float8 AS oldest_age_s
FROM (
    SELECT job_type, status, created_at FROM jobs WHERE open AND run_after IS NULL
    UNION ALL
    SELECT job_type, status, created_at FROM jobs WHERE open AND run_after IS NOT NULL
) AS waiting
GROUP BY job_type, status;

-- name: tick
-- Advances a schedule to this tick; only one scheduler succeeds.
INSERT INTO job_schedules (name, last_tick) VALUES (:name, :tick)
ON CONFLICT (name) DO UPDATE SET last_tick = excluded.last_tick WHERE job_schedules.last_tick < excluded.last_tick
RETURNING last_tick;

-- name: last_tick
-- The last tick of a schedule.
SELECT last_tick FROM job_schedules WHERE name = :name;

-- name: remove_jobs_of_video
-- Removes all jobs of a removed video; a worker that runs one of them can no longer change it.
DELETE FROM jobs WHERE video_id = :video_id;
