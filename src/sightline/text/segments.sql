-- name: delete_readings
-- What ocr read of a stretch of a video, both ends as given; it is about to be read again.
DELETE FROM segments
WHERE video_id = :video_id AND NOT is_merged
  AND t_start >= :from_ms AND (:until_ms::integer IS NULL OR t_start < :until_ms::integer);

-- name: insert_readings
-- Readings of a video, owned as the video is; none if the video is gone. The lock keeps it until they are in.
WITH video AS (SELECT id, owner_id, team_id FROM videos WHERE id = :video_id FOR KEY SHARE)
INSERT INTO segments (video_id, owner_id, team_id, text, normalized_text, text_hash, t_start, t_end, confidence,
                      bounding_box, language, frame_ms)
SELECT v.id, v.owner_id, v.team_id, r.text, r.normalized_text, r.text_hash, r.t_start, r.t_end, r.confidence,
       jsonb_build_object('x', r.x, 'y', r.y, 'width', r.width, 'height', r.height), r.language, r.t_start
FROM video AS v,
     unnest(:texts::text[], :normalized::text[], :hashes::text[], :starts::integer[], :ends::integer[],
            :confidences::real[], :xs::integer[], :ys::integer[], :widths::integer[], :heights::integer[],
            :languages::text[])
         AS r (text, normalized_text, text_hash, t_start, t_end, confidence, x, y, width, height, language);

-- name: read_readings
-- All that ocr read of a video, in the order of time and reading.
SELECT text, t_start, t_end, confidence, bounding_box, language
FROM segments WHERE video_id = :video_id AND NOT is_merged
ORDER BY t_start, (bounding_box ->> 'y')::numeric, (bounding_box ->> 'x')::numeric, text;
