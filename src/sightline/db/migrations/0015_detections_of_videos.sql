-- A detector that looks at a video names it in the detection's attributes: video_id, and t_ms of the video's time.
CREATE INDEX detections_of_video ON detections ((attributes ->> 'video_id'), id) WHERE attributes ? 'video_id';
