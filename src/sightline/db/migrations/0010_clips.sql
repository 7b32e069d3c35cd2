-- Clips: pieces of videos that people asked for, kept for a while.

CREATE TYPE clip_status AS ENUM ('queued', 'processing', 'done', 'failed', 'expired');

CREATE TABLE clips (
    id text PRIMARY KEY CHECK (id ~ '^[A-Za-z0-9._-]{1,200}$'),
    video_id uuid NOT NULL REFERENCES videos (id) ON DELETE CASCADE,
    status clip_status NOT NULL DEFAULT 'queued',
    t_start bigint NOT NULL CHECK (t_start >= 0),
    t_end bigint NOT NULL,
    padding_ms bigint NOT NULL CHECK (padding_ms >= 0),
    start_ms bigint CHECK (start_ms >= 0),
    end_ms bigint,
    s3_path text,
    size_bytes bigint CHECK (size_bytes >= 0),
    error_reason text,
    created_by uuid,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz,
    CHECK (t_end > t_start),
    CHECK (end_ms > start_ms),
    CHECK (status <> 'done' OR s3_path IS NOT NULL AND start_ms IS NOT NULL AND end_ms IS NOT NULL AND expires_at IS NOT NULL)
);
COMMENT ON TABLE clips IS 'Moves: queued → processing → done or failed; failed → processing when the job is retried; done → expired.';
COMMENT ON COLUMN clips.id IS 'A UUID where the platform made it; other producers of jobs may use any name.';
COMMENT ON COLUMN clips.t_start IS 'As asked for, in ms of media time; so are t_end and padding_ms.';
COMMENT ON COLUMN clips.start_ms IS 'What the clip covers, with padding and within the video; NULL until the job has begun.';
COMMENT ON COLUMN clips.expires_at IS 'When the stored clip is removed.';

CREATE INDEX clips_of_video ON clips (video_id, created_at);
CREATE INDEX clips_to_expire ON clips (expires_at) WHERE status = 'done';

SELECT sightline.protect('clips');
GRANT SELECT ON clips TO sightline_user;
CREATE POLICY people_see_clips_of_their_videos ON clips FOR SELECT TO sightline_user
    USING (EXISTS (SELECT 1 FROM videos AS v WHERE v.id = clips.video_id)); -- which obeys the policies of videos
