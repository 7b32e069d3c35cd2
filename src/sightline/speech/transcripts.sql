-- name: begin_transcript
-- The transcript of this job: continued if the job began it, else begun anew. Nothing for a removed video.
INSERT INTO transcripts AS t (video_id, job_id, model)
SELECT id, :job_id, :model FROM videos WHERE id = :video_id
ON CONFLICT (video_id) DO UPDATE
    SET job_id = excluded.job_id, model = excluded.model, language = NULL, heard_ms = 0, finished_at = NULL, created_at = now()
    WHERE t.job_id <> excluded.job_id
RETURNING heard_ms;

-- name: heard_ms
-- How far the job has heard the video.
SELECT heard_ms FROM transcripts WHERE video_id = :video_id AND job_id = :job_id;

-- name: advance_transcript
-- The job has heard the video up to a later time; nothing if another job has taken over.
UPDATE transcripts SET heard_ms = :heard_ms
WHERE video_id = :video_id AND job_id = :job_id AND heard_ms <= :heard_ms AND finished_at IS NULL;

-- name: delete_earlier_speech
-- What an earlier job heard, and this one did not replace.
DELETE FROM segments AS s USING transcripts AS t
WHERE t.video_id = :video_id AND t.job_id = :job_id AND s.video_id = t.video_id AND s.kind = 'speech' AND s.created_at < t.created_at;

-- name: letters_by_language
-- How much of what the job has heard so far is in which language, most first.
SELECT s.language, count(*) AS segments, sum(length(s.text))::integer AS letters
FROM segments AS s JOIN transcripts AS t ON t.video_id = s.video_id
WHERE t.video_id = :video_id AND t.job_id = :job_id AND s.kind = 'speech' AND s.created_at >= t.created_at
GROUP BY s.language ORDER BY letters DESC, s.language;

-- name: finish_transcript
-- The job has heard all of the video.
UPDATE transcripts SET finished_at = now(), language = :language WHERE video_id = :video_id AND job_id = :job_id;

-- name: transcript_of_video
-- How far a video was transcribed.
SELECT video_id, job_id, model, language, heard_ms, finished_at FROM transcripts WHERE video_id = :video_id;
