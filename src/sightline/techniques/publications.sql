-- name: start
-- Records what will be published for a job; nothing if that was recorded already.
INSERT INTO technique_publications (job_id, video_id, topic, total, result_key, result_bucket)
VALUES (:job_id, :video_id, :topic, :total, :result_key, :result_bucket)
ON CONFLICT (job_id) DO NOTHING;

-- name: get
-- The publication of a job.
SELECT job_id, video_id, topic, total, published, result_key, result_bucket, completed_at FROM technique_publications WHERE job_id = :job_id;

-- name: advance
-- Advances by this many events, unless another worker has advanced it.
UPDATE technique_publications SET published = published + :count
WHERE job_id = :job_id AND published = :expected;

-- name: complete
-- The completion was published; only once, and only after all events.
UPDATE technique_publications SET completed_at = now()
WHERE job_id = :job_id AND published = total AND completed_at IS NULL;

-- name: of_videos
-- The jobs that publish or published techniques of these videos.
SELECT video_id, job_id::text FROM technique_publications WHERE video_id = ANY (:video_ids::uuid[]);
