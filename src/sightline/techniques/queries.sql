-- name: lock_videos
-- One consumer at a time per video; all lock in the same order, and each sees what the one before committed.
SELECT pg_advisory_xact_lock(7, hashtext(id)) FROM (SELECT unnest(:ids::text[]) AS id ORDER BY 1) AS locked;

-- name: runs_of_videos
-- Every run of these videos, oldest first.
SELECT run_id, video_id, job_id, completion_received, finalized FROM video_analysis_status
WHERE video_id = ANY (:video_ids::uuid[]) ORDER BY run_id;

-- name: open_runs
-- New runs; those of removed videos are skipped, and not returned.
INSERT INTO video_analysis_status (video_id, job_id, total_event_count)
SELECT * FROM unnest(:video_ids::uuid[], :job_ids::text[], :totals::integer[])
RETURNING run_id, video_id, job_id;

-- name: complete_runs
-- The completion arrived. Its total counts; finalized runs do not change.
UPDATE video_analysis_status AS s
SET completion_received = true, total_event_count = c.total, result_s3_uri = c.uri, updated_at = now()
FROM unnest(:run_ids::bigint[], :totals::integer[], :uris::text[]) AS c (run_id, total, uri)
WHERE s.run_id = c.run_id AND NOT s.finalized;

-- name: run_of_stored
-- The runs that have events with these ids already.
SELECT e.id, s.job_id FROM technique_events AS e JOIN video_analysis_status AS s USING (run_id)
WHERE e.id = ANY (:ids::uuid[]) AND s.job_id IS NOT NULL;

-- name: waiting_events
-- Events of a video whose run was not named yet.
SELECT e.id, e.event_index, e.total_events, e.received_at FROM technique_events AS e WHERE e.run_id = :run_id;

-- name: record_strays
-- Records waiting events that belong to no run, with the reason.
INSERT INTO technique_strays (id, video_id, event_index, total_events, content, reason, received_at)
SELECT e.id, e.video_id, e.event_index, e.total_events,
       jsonb_build_object('start_s', e.start_s, 'end_s', e.end_s, 'event_candidates', (
           SELECT jsonb_agg(jsonb_build_object('id', c.id, 'role', c.role, 'skill_name', c.skill_name, 'category', c.category,
                                               'confidence', c.confidence) ORDER BY c.position)
           FROM technique_candidates AS c WHERE c.event_id = e.id)),
       s.reason, e.received_at
FROM technique_events AS e JOIN unnest(:ids::uuid[], :reasons::text[]) AS s (id, reason) ON s.id = e.id
ON CONFLICT DO NOTHING;

-- name: remove_strays
-- Removes recorded strays from the events that wait for a run.
WITH removed AS (
    DELETE FROM technique_events WHERE id = ANY (:ids::uuid[]) AND run_id = :run_id RETURNING 1
)
UPDATE video_analysis_status SET received_count = received_count - (SELECT count(*) FROM removed)::integer
WHERE run_id = :run_id;

-- name: known_strays
-- Which of these events were recorded as strays before.
SELECT id FROM technique_strays WHERE id = ANY (:ids::uuid[]);

-- name: claim_waiting
-- Moves waiting events to their run, and updates the counts of both runs.
WITH moved AS (
    UPDATE technique_events SET run_id = :to_run, unnamed_as = NULL WHERE id = ANY (:ids::uuid[])
    RETURNING total_events
), counted AS (
    SELECT count(*)::integer AS events, min(total_events) AS min_total, max(total_events) AS max_total FROM moved
), left_behind AS (
    UPDATE video_analysis_status SET received_count = received_count - counted.events
    FROM counted WHERE run_id = :from_run
)
UPDATE video_analysis_status
SET received_count = received_count + counted.events, told_least = least(told_least, counted.min_total),
    told_most = greatest(told_most, counted.max_total), updated_at = now()
FROM counted WHERE run_id = :to_run;

-- name: forget_if_empty
-- A run without a name and without waiting events.
DELETE FROM video_analysis_status WHERE run_id = :run_id AND job_id IS NULL AND received_count = 0;

-- name: add_events
-- New events; those whose id or index is stored already are skipped, and not returned.
INSERT INTO technique_events (id, run_id, video_id, event_index, total_events, start_s, end_s, digest, unnamed_as)
SELECT * FROM unnest(:ids::uuid[], :run_ids::bigint[], :video_ids::uuid[], :indexes::integer[], :totals::integer[],
                     :starts::integer[], :ends::integer[], :digests::bigint[], :unnamed::uuid[])
ON CONFLICT DO NOTHING
RETURNING id;

-- name: add_candidates
-- The candidates of events.
INSERT INTO technique_candidates (event_id, id, position, role, skill_name, category, confidence)
SELECT * FROM unnest(:event_ids::uuid[], :ids::uuid[], :positions::smallint[], :roles::text[], :skills::text[],
                     :categories::text[], :confidences::float8[])
ON CONFLICT DO NOTHING;

-- name: differing
-- Events that differ from what is stored: corrected, or another event has their index.
SELECT n.id FROM unnest(:ids::uuid[], :run_ids::bigint[], :digests::bigint[]) AS n (id, run_id, digest)
LEFT JOIN technique_events AS e ON e.id = n.id
WHERE e.id IS NULL OR e.run_id <> n.run_id OR e.digest <> n.digest;

-- name: remove_replaced
-- Rows that an event replaces: its earlier version, and another event with its index in the run.
DELETE FROM technique_events
WHERE id = :id OR run_id = :run_id AND event_index = :event_index AND unnamed_as IS NOT DISTINCT FROM :unnamed
RETURNING run_id;

-- name: count_received
-- Adds to the counts of runs, and records the totals that the events reported.
UPDATE video_analysis_status AS s
SET received_count = s.received_count + n.events, told_least = least(s.told_least, n.min_total),
    told_most = greatest(s.told_most, n.max_total), updated_at = now(),
    total_event_count = CASE WHEN s.completion_received THEN s.total_event_count
                             ELSE greatest(s.told_most, n.max_total, s.total_event_count) END
FROM unnest(:run_ids::bigint[], :events::integer[], :min_totals::integer[], :max_totals::integer[]) AS n (run_id, events, min_total, max_total)
WHERE s.run_id = n.run_id;

-- name: finalize
-- Runs that are complete now. The row records it, so that each run is returned once.
UPDATE video_analysis_status SET finalized = true, finalized_at = now(), updated_at = now()
WHERE run_id = ANY (:run_ids::bigint[]) AND completion_received AND NOT finalized
  AND (received_count >= total_event_count OR NOT :sees_every_event::boolean)
RETURNING run_id, video_id, job_id, total_event_count, received_count, result_s3_uri, totals_disagree, told_least, told_most;

-- name: summarize
-- A run's techniques by category: number, seconds, mean confidence.
SELECT c.category, count(*)::integer AS techniques, sum(e.end_s - e.start_s)::bigint AS seconds, avg(c.confidence) AS confidence
FROM technique_events AS e JOIN technique_candidates AS c ON c.event_id = e.id
WHERE e.run_id = :run_id GROUP BY c.category ORDER BY c.category;

-- name: set_summary
-- Stores the summary of a run.
UPDATE video_analysis_status SET summary = :summary::jsonb WHERE run_id = :run_id;

-- name: status_of_video
-- The given run of a video, else the newest. Events that wait for a run are shown by themselves only if there is no run at all.
SELECT s.video_id, s.job_id, s.total_event_count, s.received_count, s.completion_received, s.result_s3_uri, s.finalized,
       s.created_at, s.updated_at, s.finalized_at, s.totals_disagree, s.summary, s.run_id,
       (SELECT count(*) FROM technique_strays AS t WHERE t.video_id = s.video_id)
       + (SELECT coalesce(sum(w.received_count), 0) FROM video_analysis_status AS w
          WHERE w.video_id = s.video_id AND w.job_id IS NULL AND w.run_id <> s.run_id) AS stray_events
FROM video_analysis_status AS s
WHERE s.video_id = :video_id AND (:job_id::text IS NULL OR s.job_id = :job_id)
ORDER BY s.job_id IS NULL, s.run_id DESC LIMIT 1;

-- name: list_techniques
-- Techniques of a run by time, each with its first candidate, filtered, after the given position.
SELECT e.id, e.event_index, e.start_s, e.end_s, c.id AS candidate_id, c.role, c.skill_name, c.category, c.confidence
FROM technique_events AS e JOIN technique_candidates AS c ON c.event_id = e.id
WHERE e.run_id = :run_id
  AND (:categories::text[] IS NULL OR c.category = ANY (:categories::text[]))
  AND (:role::text IS NULL OR strpos(lower(c.role), lower(:role)) > 0)
  AND (:skill::text IS NULL OR strpos(lower(c.skill_name), lower(:skill)) > 0)
  AND c.confidence >= :min_confidence::float8
  AND (:from_s::integer IS NULL OR e.end_s >= :from_s) AND (:until_s::integer IS NULL OR e.start_s <= :until_s)
  AND c.position = 1
  AND (:after_start::integer IS NULL OR (e.start_s, e.event_index) > (:after_start, :after_index::integer))
ORDER BY e.start_s, e.event_index
LIMIT :limit;
