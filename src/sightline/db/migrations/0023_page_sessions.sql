-- Sessions of the page: what the browser's cookie stands for, so that no script of the page holds a token.

CREATE TABLE page_sessions (
    session_id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    secret_hash bytea NOT NULL UNIQUE CHECK (length(secret_hash) = 32),
    user_id uuid NOT NULL,
    email text,
    team_ids uuid[] NOT NULL,
    roles text[] NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL CHECK (expires_at > created_at)
);
COMMENT ON TABLE page_sessions IS 'One row per signed-in browser. Signing out removes it; it never outlives the token it began with.';
COMMENT ON COLUMN page_sessions.secret_hash IS 'SHA-256 of the cookie, which is stored nowhere.';
CREATE INDEX page_sessions_expiry ON page_sessions (expires_at);
SELECT sightline.protect('page_sessions');
