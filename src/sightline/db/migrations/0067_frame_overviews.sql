-- The overview of a video: which of its sampled frames show something new.

CREATE TABLE frame_overviews (
    video_id uuid PRIMARY KEY REFERENCES videos (id) ON DELETE CASCADE,
    times_ms integer[] NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE frame_overviews IS
    'Times of the sampled frames that show something new: slides and scenes. A video without a row shows all its frames.';

SELECT sightline.protect('frame_overviews');
GRANT SELECT ON frame_overviews TO sightline_user;
CREATE POLICY people_see_those_of_their_videos ON frame_overviews FOR SELECT TO sightline_user
    USING (EXISTS (SELECT 1 FROM videos AS v WHERE v.id = frame_overviews.video_id)); -- which obeys the policies of videos
