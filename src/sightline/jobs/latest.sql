-- name: latest_of_videos
-- Of each of these videos the newest job of each of these types, if the transaction's role may see it.
SELECT DISTINCT ON (video_id, job_type)
       id, video_id, job_type::text, status::text, progress, progress_message, retry_count, run_after, error,
       started_at, finished_at, coalesce(payload -> 'original_payload', payload) AS payload
FROM jobs
WHERE video_id = ANY (:video_ids::uuid[]) AND job_type = ANY (:job_types::text[]::job_type[])
ORDER BY video_id, job_type, created_at DESC, id DESC;
