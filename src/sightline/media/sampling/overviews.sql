-- name: replace_overview
-- The overview of the latest sampling.
INSERT INTO frame_overviews (video_id, times_ms)
VALUES (:video_id, :times_ms::integer[])
ON CONFLICT (video_id) DO UPDATE SET times_ms = excluded.times_ms, created_at = now();

-- name: remove_overview
-- The frames were sampled elsewhere, so that nothing is known about them.
DELETE FROM frame_overviews WHERE video_id = :video_id;

-- name: get_overview
-- Times of the frames that show something new, if the transaction's role may see the video.
SELECT times_ms FROM frame_overviews WHERE video_id = :video_id;
