-- name: add
-- A new request; no row if one of this kind is open for the person.
INSERT INTO person_requests (request_id, person_id, requested_by, kind, with_files, job_id, due_at)
VALUES (:request_id, :person_id, :requested_by, :kind, :with_files, :job_id, :due_at)
ON CONFLICT (person_id, kind) WHERE state IN ('waiting', 'running') DO NOTHING
RETURNING *;

-- name: newest
-- Requests for a person, newest first, if the transaction's role may see them.
SELECT * FROM person_requests WHERE person_id = :person_id ORDER BY requested_at DESC, request_id LIMIT :limit;

-- name: get
-- One request for a person, if the transaction's role may see it.
SELECT * FROM person_requests WHERE request_id = :request_id AND person_id = :person_id;

-- name: start
-- A request whose job runs, for the first time or again; no row if it is not due, was cancelled or is done.
UPDATE person_requests SET state = 'running', error = NULL
WHERE request_id = :request_id AND kind = :kind AND state IN ('waiting', 'running', 'failed') AND due_at <= now()
RETURNING *;

-- name: finish_export
-- The file is there; no row if the request is gone.
UPDATE person_requests SET state = 'done', size_bytes = :size_bytes, finished_at = now(), expires_at = now() + make_interval(secs => :keep_s::float8)
WHERE request_id = :request_id AND state = 'running'
RETURNING request_id;

-- name: fail
-- Its job failed for good; an operator can retry the job.
UPDATE person_requests SET state = 'failed', error = :error, finished_at = now()
WHERE request_id = :request_id AND state IN ('waiting', 'running');

-- name: cancel
-- Cancels what has not begun.
UPDATE person_requests SET state = 'cancelled', finished_at = now()
WHERE person_id = :person_id AND kind = 'erasure' AND state = 'waiting'
RETURNING *;

-- name: remove_job
-- The job of a cancelled request, unless it runs; then it finds the request cancelled.
DELETE FROM jobs WHERE id = :job_id AND status = 'queued';

-- name: replace
-- The file of an earlier export goes when there is to be another.
UPDATE person_requests SET expires_at = now() WHERE person_id = :person_id AND kind = 'export' AND state = 'done';

-- name: expired
-- Exports whose time is over.
SELECT request_id FROM person_requests WHERE state = 'done' AND expires_at <= now() ORDER BY expires_at LIMIT 100;

-- name: expire
-- Their files are gone.
UPDATE person_requests SET state = 'expired' WHERE request_id = ANY (:request_ids::uuid[]) AND state = 'done';

-- name: with_files
-- Which of these requests have a file, or are about to.
SELECT request_id FROM person_requests WHERE request_id = ANY (:request_ids::uuid[]) AND state IN ('running', 'done');
