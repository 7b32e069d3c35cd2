-- name: files
-- Keys of everything that is stored as a file for a person: originals, clips, recordings, pictures of detections, clips of events.
SELECT s3_original_path AS key FROM videos WHERE owner_id = :person AND original_removed_at IS NULL
UNION ALL SELECT s3_path FROM clips WHERE s3_path IS NOT NULL AND video_id IN (SELECT id FROM videos WHERE owner_id = :person)
UNION ALL SELECT key FROM recordings WHERE camera_key IN (SELECT camera_key FROM cameras WHERE owner_id = :person)
UNION ALL SELECT image_key FROM detections WHERE image_key IS NOT NULL AND camera_key IN (SELECT camera_key FROM cameras WHERE owner_id = :person)
UNION ALL SELECT 'event_clips/' || event_id || '.mp4' FROM event_clips WHERE state = 'done' AND camera_key IN (SELECT camera_key FROM cameras WHERE owner_id = :person);
