-- People and objects in videos: one row for each object that the job `detect` followed (ADR 0060).

CREATE TABLE video_tracks (
    track_id uuid PRIMARY KEY,
    video_id uuid NOT NULL REFERENCES videos (id) ON DELETE CASCADE,
    camera_key uuid REFERENCES cameras (camera_key) ON DELETE SET NULL,
    label text NOT NULL CHECK (label <> ''),
    label_share real NOT NULL CHECK (label_share > 0 AND label_share <= 1),
    score real NOT NULL CHECK (score BETWEEN 0 AND 1),
    t_start integer NOT NULL CHECK (t_start >= 0),
    t_end integer NOT NULL CHECK (t_end >= t_start),
    best_ms integer NOT NULL CHECK (best_ms BETWEEN t_start AND t_end),
    looks integer NOT NULL CHECK (looks > 0),
    boxes jsonb NOT NULL CHECK (jsonb_typeof(boxes) = 'array'),
    direction text,
    behaviours jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(behaviours) = 'array'),
    thumbnail_key text,
    created_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE video_tracks IS
    'Objects in a video, from their first to their last picture. The job detect replaces all of a video in one transaction.';
COMMENT ON COLUMN video_tracks.camera_key IS 'The camera as whose recording the video was looked at, if any.';
COMMENT ON COLUMN video_tracks.score IS 'The best score of all looks.';
COMMENT ON COLUMN video_tracks.t_start IS 'Media time in ms at which it is first seen.';
COMMENT ON COLUMN video_tracks.best_ms IS 'Media time in ms at which it is seen best: the moment of the thumbnail.';
COMMENT ON COLUMN video_tracks.boxes IS
    'Where it was: [ms, x, y, width, height], from 0 to 1 of the picture; between two of them it moves evenly.';
CREATE INDEX video_tracks_of_video ON video_tracks (video_id, t_start, track_id);

SELECT sightline.protect('video_tracks');
GRANT SELECT ON video_tracks TO sightline_user;
CREATE POLICY people_see_those_of_their_videos ON video_tracks FOR SELECT TO sightline_user
    USING (EXISTS (SELECT 1 FROM videos AS v WHERE v.id = video_tracks.video_id)); -- which obeys the policies of videos
