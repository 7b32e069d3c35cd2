-- name: begin_change
-- Counts a change of a video's marks and locks them until the transaction ends; no row if the video was removed.
-- A transaction that changes marks of several videos does so by video id, so that no two wait for each other.
INSERT INTO technique_reviews AS r (video_id, revision)
SELECT v.id, 1 FROM videos AS v WHERE v.id = :video_id FOR KEY SHARE
ON CONFLICT (video_id) DO UPDATE SET revision = r.revision + 1
RETURNING revision;

-- name: lock_review
-- The review of a video, locked until the transaction ends.
SELECT * FROM technique_reviews WHERE video_id = :video_id FOR UPDATE;

-- name: get_review
-- The review of a video.
SELECT * FROM technique_reviews WHERE video_id = :video_id;

-- name: list_marks
-- The marks of a video by time, without deleted ones.
SELECT * FROM technique_marks WHERE video_id = :video_id AND removed_at IS NULL ORDER BY start_ms, end_ms, id;

-- name: touched_marks
-- The marks of a video that a person made, decided about, changed or deleted.
SELECT * FROM technique_marks WHERE video_id = :video_id AND changed_by IS NOT NULL;

-- name: get_mark
-- One mark of a video, also a deleted one.
SELECT * FROM technique_marks WHERE id = :id AND video_id = :video_id;

-- name: add_marks
-- New marks; a candidate that the same run has already added is skipped.
INSERT INTO technique_marks (video_id, start_ms, end_ms, category, name, role, confidence, note, finished, state, analyzer, job_id,
                             event_index, original, created_by, changed_by)
SELECT :video_id, n.start_ms, n.end_ms, n.category, n.name, n.role, n.confidence, n.note, n.finished, n.state, n.analyzer, n.job_id,
       n.event_index, n.original, :by::uuid, :by::uuid
FROM unnest(:starts::bigint[], :ends::bigint[], :categories::text[], :names::text[], :roles::text[], :confidences::float8[],
            :notes::text[], :finished::boolean[], :states::text[], :analyzers::text[], :job_ids::text[], :indexes::integer[],
            :originals::jsonb[])
     AS n (start_ms, end_ms, category, name, role, confidence, note, finished, state, analyzer, job_id, event_index, original)
ON CONFLICT DO NOTHING
RETURNING *;

-- name: change_mark
-- Changes a mark that has the expected version and is not deleted.
UPDATE technique_marks
SET start_ms = :start_ms, end_ms = :end_ms, category = :category, name = :name, role = :role, confidence = :confidence, note = :note,
    finished = :finished, state = :state, version = version + 1, changed_by = :by, changed_at = now()
WHERE id = :id AND video_id = :video_id AND version = :expected AND removed_at IS NULL
RETURNING *;

-- name: set_removed
-- Deletes or restores a mark that has the expected version and is not in that state yet.
UPDATE technique_marks
SET removed_at = CASE WHEN :is_removed::boolean THEN now() END, version = version + 1, changed_by = :by, changed_at = now()
WHERE id = :id AND video_id = :video_id AND version = :expected AND (removed_at IS NOT NULL) <> :is_removed::boolean
RETURNING *;

-- name: supersede_candidates
-- A new run of an analyzer replaces its earlier candidates that no person has touched.
DELETE FROM technique_marks
WHERE video_id = :video_id AND analyzer = :analyzer AND state = 'candidate' AND changed_by IS NULL AND job_id IS DISTINCT FROM :job_id;

-- name: found_by_run
-- What a run of another producer found, by its index, with the first candidate of each event.
SELECT e.event_index, e.start_s * 1000::bigint AS start_ms, (greatest(e.end_s, e.start_s) + 1) * 1000::bigint AS end_ms, c.category,
       c.skill_name AS name, c.role, c.confidence
FROM technique_events AS e
JOIN technique_candidates AS c ON c.event_id = e.id AND c.position = 1
WHERE e.run_id = :run_id
ORDER BY e.event_index LIMIT :limit;

-- name: is_published_here
-- Whether this platform published the run of a job.
SELECT EXISTS (SELECT 1 FROM technique_publications WHERE video_id = :video_id AND job_id::text = :job_id);

-- name: record_publication
-- The accepted marks of this revision are being published by this job.
UPDATE technique_reviews
SET published_revision = :revision, published_job_id = :job_id, published_total = :total, published_at = now(), published_by = :by
WHERE video_id = :video_id AND revision = :revision;

-- name: list_corrections
-- Marks that people decided about, oldest decision first, after the given one.
SELECT * FROM technique_marks
WHERE state <> 'candidate' AND removed_at IS NULL
  AND (:analyzer::text IS NULL OR analyzer = :analyzer)
  AND (:after_at::timestamptz IS NULL OR (changed_at, id) > (:after_at, :after_id::uuid))
ORDER BY changed_at, id
LIMIT :limit;

-- name: own_names
-- Names and categories that the marks which the transaction's role may see use, most used first.
SELECT name, category, count(*) AS uses FROM technique_marks
WHERE removed_at IS NULL AND state <> 'rejected' AND changed_by IS NOT NULL
GROUP BY name, category ORDER BY count(*) DESC, name LIMIT :limit;
