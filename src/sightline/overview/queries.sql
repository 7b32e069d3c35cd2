-- name: uploads
-- Videos created and videos failed in each column, among what the transaction's role may see.
WITH created AS (
    SELECT date_bin(:step::interval, created_at, :first::timestamptz) AS column_at, count(*) AS videos
    FROM videos WHERE created_at >= :first GROUP BY 1
), failed AS (
    SELECT date_bin(:step, m.at, :first) AS column_at, count(DISTINCT m.video_id) AS videos
    FROM video_moves AS m WHERE m.at >= :first AND m.status = 'FAILED' GROUP BY 1
)
SELECT coalesce(created.videos, 0) AS created, coalesce(failed.videos, 0) AS failed
FROM generate_series(:first, :last::timestamptz, :step) AS column_at
LEFT JOIN created USING (column_at)
LEFT JOIN failed USING (column_at)
ORDER BY column_at;

-- name: processing
-- Of videos completed in each column: how long they took from UPLOADED on, and how long they play. A video without a known
-- duration tells nothing here.
WITH ended AS MATERIALIZED ( -- few; otherwise the planner begins with all videos of the caller
    SELECT video_id, move, at FROM video_moves WHERE at >= :first::timestamptz AND status = 'COMPLETED'
), completed AS (
    SELECT date_bin(:step::interval, ended.at, :first) AS column_at, count(*) AS videos,
           sum(extract(epoch FROM ended.at - begun.at)) AS seconds, sum(v.duration_ms) / 60000.0 AS minutes
    FROM ended
    JOIN videos AS v ON v.id = ended.video_id AND v.duration_ms > 0
    CROSS JOIN LATERAL (
        SELECT max(b.at) AS at FROM video_moves AS b
        WHERE b.video_id = ended.video_id AND b.move < ended.move AND b.status = 'UPLOADED'
    ) AS begun
    WHERE begun.at IS NOT NULL
    GROUP BY 1
)
SELECT coalesce(completed.videos, 0) AS videos, (completed.seconds / completed.minutes)::float8 AS seconds_per_minute
FROM generate_series(:first, :last::timestamptz, :step) AS column_at
LEFT JOIN completed USING (column_at)
ORDER BY column_at;

-- name: events
-- Security events raised in each column by level, live and archived, among what the transaction's role may see.
WITH raised AS (
    SELECT date_bin(:step::interval, created_at, :first::timestamptz) AS column_at,
           count(*) FILTER (WHERE risk_level = 'low') AS low,
           count(*) FILTER (WHERE risk_level = 'medium') AS medium,
           count(*) FILTER (WHERE risk_level = 'high') AS high,
           count(*) FILTER (WHERE risk_level = 'critical') AS critical
    FROM known_events WHERE created_at >= :first GROUP BY 1
)
SELECT coalesce(low, 0) AS low, coalesce(medium, 0) AS medium, coalesce(high, 0) AS high, coalesce(critical, 0) AS critical
FROM generate_series(:first, :last::timestamptz, :step) AS column_at
LEFT JOIN raised USING (column_at)
ORDER BY column_at;

-- name: jobs
-- Jobs done, and jobs failed for good, in each column, with how old they were when they ended; one row for each type that had any.
-- Only the index jobs_finished is read: `dead` says what became of a job.
WITH ended AS (
    SELECT job_type, date_bin(:step::interval, finished_at, :first::timestamptz) AS column_at,
           count(*) FILTER (WHERE dead IS NULL) AS done, count(*) FILTER (WHERE dead) AS failed,
           sum(finished_at - created_at) AS total_age, max(finished_at - created_at) AS longest_age
    FROM jobs WHERE finished_at >= :first GROUP BY 1, 2
)
SELECT types.job_type::text,
       array_agg(coalesce(ended.done, 0) ORDER BY column_at) AS done,
       array_agg(coalesce(ended.failed, 0) ORDER BY column_at) AS failed,
       array_agg(coalesce(extract(epoch FROM ended.total_age), 0)::float8 ORDER BY column_at) AS total_age_s,
       array_agg(coalesce(extract(epoch FROM ended.longest_age), 0)::float8 ORDER BY column_at) AS longest_age_s
FROM (SELECT DISTINCT job_type FROM ended) AS types
CROSS JOIN generate_series(:first, :last::timestamptz, :step) AS column_at
LEFT JOIN ended USING (job_type, column_at)
GROUP BY types.job_type
ORDER BY types.job_type;

-- name: count_videos
-- How many videos there are in each status, among what the transaction's role may see.
SELECT status::text, count(*) AS videos FROM videos GROUP BY status;

-- name: count_critical_waiting
-- Unacknowledged critical events, among what the transaction's role may see.
SELECT count(*) FROM events WHERE risk_level = 'critical' AND acknowledged_at IS NULL;

-- name: count_dead_jobs
-- How many jobs failed for good, by type.
SELECT job_type::text, count(*) AS jobs FROM jobs WHERE dead GROUP BY job_type;
