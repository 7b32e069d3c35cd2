-- Share links: who holds one may watch a video, a part of it or a clip, without signing in (ADR 0077).

CREATE TABLE shares (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    token_hash bytea NOT NULL UNIQUE CHECK (length(token_hash) = 32),
    sealed_token bytea NOT NULL,
    video_id uuid NOT NULL REFERENCES videos (id) ON DELETE CASCADE,
    clip_id text REFERENCES clips (id) ON DELETE CASCADE,
    owner_id uuid NOT NULL,
    created_by uuid NOT NULL,
    title text NOT NULL CHECK (title <> ''),
    start_ms bigint CHECK (start_ms >= 0),
    end_ms bigint CHECK (end_ms > start_ms),
    with_text boolean NOT NULL,
    embed_origins text[] NOT NULL DEFAULT '{}',
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    revoked_at timestamptz,
    revoked_by uuid,
    views bigint NOT NULL DEFAULT 0 CHECK (views >= 0),
    last_viewed_at timestamptz,
    CHECK ((start_ms IS NULL) = (end_ms IS NULL)),
    CHECK (clip_id IS NULL OR start_ms IS NULL)
);
COMMENT ON TABLE shares IS 'One row per link. It ends at expires_at, when it is revoked, and with its video or clip.';
COMMENT ON COLUMN shares.token_hash IS 'SHA-256 of the token in the link, which has 256 random bits.';
COMMENT ON COLUMN shares.sealed_token IS
    'The token, encrypted under a secret that is not in the database, so that its owner can copy the link again.';
COMMENT ON COLUMN shares.owner_id IS 'The owner of the video.';
COMMENT ON COLUMN shares.start_ms IS 'Of a moment: what may be watched, in ms of the video''s time. NULL: the whole video, or a clip.';
COMMENT ON COLUMN shares.embed_origins IS 'Origins whose pages may show the player in a frame; * is any, none is no page.';
CREATE INDEX shares_of_owner ON shares (owner_id, created_at DESC, id DESC);
CREATE INDEX shares_of_video ON shares (video_id, created_at DESC, id DESC);
CREATE INDEX shares_of_clip ON shares (clip_id) WHERE clip_id IS NOT NULL;

SELECT sightline.protect('shares');
-- Neither the hash nor the sealed token is for people.
GRANT SELECT (id, video_id, clip_id, owner_id, created_by, title, start_ms, end_ms, with_text, embed_origins, created_at, expires_at,
              revoked_at, revoked_by, views, last_viewed_at)
    ON shares TO sightline_user;
CREATE POLICY people_see_those_of_their_videos ON shares FOR SELECT TO sightline_user USING (owner_id = (SELECT auth.uid()));
