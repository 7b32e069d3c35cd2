-- Segments of a camera are numbered one after another, so that a live playlist goes on over a break of the stream.

ALTER TABLE recordings
    ADD COLUMN sequence bigint NOT NULL DEFAULT 0,
    ADD COLUMN breaks bigint NOT NULL DEFAULT 0;
COMMENT ON COLUMN recordings.sequence IS 'One more than that of the segment that was stored before; the first is the time in seconds.';
COMMENT ON COLUMN recordings.breaks IS 'How many times segments of the camera could not be joined up to this one.';
CREATE INDEX recordings_by_sequence ON recordings (camera_key, sequence DESC);
