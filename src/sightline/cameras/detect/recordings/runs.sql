-- name: add_run
-- A run that was requested, with its job.
INSERT INTO recording_detections (job_id, camera_key, since, until, reached_at, requested_by)
VALUES (:job_id, :camera_key, :since, :until, :since, :requested_by);

-- name: begin_run
-- How far an earlier attempt of the run came. A run that was cancelled goes on if its job was queued by hand since: that is a
-- move to queued alone, while an attempt that is repeated by itself fails and is queued at one moment.
UPDATE recording_detections AS r
SET cancelled_at = CASE WHEN NOT EXISTS (
    SELECT FROM jobs AS j, unnest(j.moves) AS queued
    WHERE j.id = r.job_id AND queued.status = 'queued' AND queued.at > r.cancelled_at
      AND NOT EXISTS (SELECT FROM unnest(j.moves) AS failed WHERE failed.status = 'failed' AND failed.at = queued.at)
) THEN r.cancelled_at END
WHERE r.job_id = :job_id
RETURNING r.reached_at, r.reported, r.known, r.left_out;

-- name: save_run
-- How far the run came; nothing if it was removed with its camera.
UPDATE recording_detections
SET reached_at = :reached_at, reported = :reported, known = :known, left_out = :left_out, updated_at = now()
WHERE job_id = :job_id;

-- name: cancelled_at
-- When the run was cancelled. No row: it was removed with its camera.
SELECT cancelled_at FROM recording_detections WHERE job_id = :job_id;

-- name: cancel_run
-- Asks the worker to end the run. One that is over stays what it is: done, or failed with its error.
UPDATE recording_detections AS r SET cancelled_at = now(), updated_at = now()
FROM jobs AS j
WHERE r.job_id = :job_id AND j.id = r.job_id AND j.status IN ('queued', 'processing')
RETURNING r.job_id;

-- name: runs_of_camera
-- The newest runs over recordings of a camera, if the transaction's role may see it.
SELECT job_id, camera_key, since, until, reached_at, reported, known, left_out, cancelled_at, created_at
FROM recording_detections WHERE camera_key = :camera_key ORDER BY created_at DESC, job_id DESC LIMIT :limit;

-- name: run_of_job
-- One run, if the transaction's role may see its camera.
SELECT job_id, camera_key, since, until, reached_at, reported, known, left_out, cancelled_at, created_at
FROM recording_detections WHERE camera_key = :camera_key AND job_id = :job_id;

-- name: active_run
-- The run of a camera that waits or is processed.
SELECT r.job_id FROM recording_detections AS r JOIN jobs AS j ON j.id = r.job_id
WHERE r.camera_key = :camera_key AND j.status IN ('queued', 'processing') LIMIT 1;

-- name: lock_camera
-- Lets two requests for one camera look for an active run one after the other.
SELECT pg_advisory_xact_lock(hashtextextended(:camera_key::text, 54));
