-- Retention: what was removed of a video that stays, what is yet to be removed, and how much is stored.

ALTER TABLE videos
    ADD COLUMN original_removed_at timestamptz,
    ADD COLUMN frames_removed_at timestamptz;
COMMENT ON COLUMN videos.original_removed_at IS 'When a retention rule removed the original; the video stays searchable.';
COMMENT ON COLUMN videos.frames_removed_at IS 'When a retention rule removed the key frames.';

CREATE INDEX videos_oldest ON videos (created_at, id);

CREATE TABLE video_object_removals (
    video_id uuid NOT NULL,
    part text NOT NULL CHECK (part IN ('original', 'frames')),
    requested_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (video_id, part)
);
COMMENT ON TABLE video_object_removals IS
    'Objects that a rule removes while the video stays. Written with the mark on the video, deleted after the objects: a process '
    'that is killed in between leaves work for the next one, and no object that nothing names.';
SELECT sightline.protect('video_object_removals');

CREATE TABLE storage_usage (
    kind text PRIMARY KEY CHECK (kind <> ''),
    bytes bigint NOT NULL CHECK (bytes >= 0),
    objects bigint NOT NULL CHECK (objects >= 0),
    measured_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE storage_usage IS 'Stored objects by kind, as they were last measured.';
SELECT sightline.protect('storage_usage');
