-- Videos that were indexed before there were blocks, passages and values of numbers are indexed again, after everything else. Until
-- then they are found as before.
INSERT INTO jobs (video_id, job_type, priority, payload)
SELECT v.id, 'segment_index', -10, jsonb_build_object('video_id', v.id)
FROM videos AS v
WHERE v.status = 'COMPLETED' AND EXISTS (SELECT FROM segments AS s WHERE s.video_id = v.id AND s.is_merged)
ORDER BY v.id
ON CONFLICT (video_id, job_type) WHERE open AND job_type IN ('transcode', 'sample', 'ocr', 'segment_index') DO NOTHING;
