-- name: begin
-- Notes what is to be published for a job; nothing if that was noted already.
INSERT INTO technique_publications (job_id, video_id, topic, total, result_key)
VALUES (:job_id, :video_id, :topic, :total, :result_key)
ON CONFLICT (job_id) DO NOTHING;

-- name: get
-- How far the publication of a job is.
SELECT job_id, video_id, topic, total, published, result_key, completed_at FROM technique_publications WHERE job_id = :job_id;

-- name: advance
-- Moves on by so many events, if nobody else has moved on meanwhile.
UPDATE technique_publications SET published = published + :count
WHERE job_id = :job_id AND published = :expected;

-- name: complete
-- The completion was said too; only once, and only after all events.
UPDATE technique_publications SET completed_at = now()
WHERE job_id = :job_id AND published = total AND completed_at IS NULL;

-- name: of_videos
-- The jobs that publish, or published, techniques of these videos.
SELECT video_id, job_id::text FROM technique_publications WHERE video_id = ANY (:video_ids::uuid[]);
