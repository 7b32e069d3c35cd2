-- name: remove_tracks
-- Removes all tracks of a video, before a new run stores its own.
DELETE FROM video_tracks WHERE video_id = :video_id;

-- name: insert_track
-- One track of a video; nothing if the video has been deleted meanwhile.
INSERT INTO video_tracks (track_id, video_id, camera_key, label, label_share, score, t_start, t_end, best_ms, looks, boxes,
                          direction, behaviours, thumbnail_key)
SELECT :track_id, v.id, (SELECT camera_key FROM cameras WHERE camera_key = :camera_key::uuid), :label, :label_share, :score,
       :t_start, :t_end, :best_ms, :looks, :boxes, :direction, :behaviours, :thumbnail_key
FROM videos AS v WHERE v.id = :video_id;

-- name: tracks_of_video
-- The tracks of a video that the caller may see, in the order of time.
SELECT track_id, video_id, label, label_share, score, t_start, t_end, best_ms, looks, boxes, direction, behaviours, thumbnail_key
FROM video_tracks
WHERE video_id = :video_id AND (t_start, track_id) > (:after_ms::integer, :after_id::uuid)
ORDER BY t_start, track_id LIMIT :limit;
