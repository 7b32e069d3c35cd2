-- name: purge_jobs
-- Removes some of the jobs that ended so many days ago, done or failed, with their history. A job that an open one depends on stays,
-- and so do all jobs of a video on which one is open: its pipeline is under way.
DELETE FROM jobs WHERE ctid = ANY (ARRAY(
    SELECT j.ctid FROM jobs AS j
    WHERE j.finished_at < now() - make_interval(secs => :days::float8 * 86400)
      AND j.open IS NULL AND (j.dead IS NOT NULL) = :failed::boolean
      AND NOT EXISTS (SELECT FROM jobs AS waiting WHERE waiting.depends_on = j.id AND waiting.open)
      AND NOT EXISTS (SELECT FROM jobs AS other WHERE other.video_id = j.video_id AND other.open)
    ORDER BY j.finished_at
    LIMIT :limit
    FOR UPDATE SKIP LOCKED));

-- name: count_purgeable
-- How many jobs `purge_jobs` would remove.
SELECT count(*) FROM jobs AS j
WHERE j.finished_at < now() - make_interval(secs => :days::float8 * 86400)
  AND j.open IS NULL AND (j.dead IS NOT NULL) = :failed::boolean
  AND NOT EXISTS (SELECT FROM jobs AS waiting WHERE waiting.depends_on = j.id AND waiting.open)
  AND NOT EXISTS (SELECT FROM jobs AS other WHERE other.video_id = j.video_id AND other.open);
