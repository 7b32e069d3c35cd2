-- The video: one id everywhere, one status everywhere.

CREATE TYPE video_status AS ENUM (
    'CREATED', 'UPLOADING', 'UPLOADED', 'PROCESSING', 'SPLITTING', 'PRINTING', 'COMPLETED', 'FAILED'
);

CREATE FUNCTION sightline.index_status(status video_status) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
    SELECT CASE status
        WHEN 'CREATED'::video_status THEN 'new'
        WHEN 'UPLOADING'::video_status THEN 'new'
        WHEN 'UPLOADED'::video_status THEN 'new'
        WHEN 'COMPLETED'::video_status THEN 'ready'
        WHEN 'FAILED'::video_status THEN 'failed'
        ELSE 'processing'
    END
$$;
COMMENT ON FUNCTION sightline.index_status(video_status) IS 'The words of the job contract for the one video status.';

CREATE TABLE videos (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    owner_id uuid NOT NULL,
    team_id uuid,
    name text NOT NULL CHECK (name <> ''),
    status video_status NOT NULL DEFAULT 'CREATED',
    index_status text NOT NULL GENERATED ALWAYS AS (sightline.index_status(status)) STORED,
    error_reason text,
    size_bytes bigint CHECK (size_bytes >= 0),
    duration_ms bigint CHECK (duration_ms >= 0),
    fps double precision CHECK (fps > 0),
    width integer CHECK (width > 0),
    height integer CHECK (height > 0),
    s3_original_path text NOT NULL GENERATED ALWAYS AS ('videos/original/' || id::text || '/master.mp4') STORED,
    s3_proxy_path text,
    s3_thumb_path text,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    CHECK (error_reason IS NULL OR status = 'FAILED')
);
COMMENT ON TABLE videos IS 'One row per video; status is moved only by videos.move.';

CREATE INDEX videos_owner_newest ON videos (owner_id, created_at DESC, id);
CREATE INDEX videos_team_newest ON videos (team_id, created_at DESC, id) WHERE team_id IS NOT NULL;

SELECT sightline.protect('videos');
GRANT SELECT ON videos TO sightline_user;
CREATE POLICY people_see_their_own ON videos FOR SELECT TO sightline_user
    USING (sightline.caller_may_see(owner_id, team_id));
