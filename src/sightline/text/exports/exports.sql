-- name: segments_after
-- The next segments of a video in the order of time, after the given one; of one kind or of both, and on screen or said in a range.
SELECT id, video_id, text, normalized_text, t_start, t_end, confidence, bounding_box, language,
       coalesce(frame_ms, t_start) AS frame_ms, readings, kind, words
FROM segments
WHERE video_id = :video_id AND is_merged AND (:kind::text IS NULL OR kind = :kind::text)
  AND t_start >= :after_ms::integer AND (t_start, id) > (:after_ms::integer, :after_id::uuid)
  AND (:from_ms::integer IS NULL OR t_end > :from_ms::integer)
  AND (:until_ms::integer IS NULL OR t_start < :until_ms::integer)
ORDER BY t_start, id
LIMIT :limit;
