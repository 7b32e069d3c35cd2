-- API keys: what detectors and scripts sign in with instead of a person's token.

CREATE TABLE api_keys (
    key_id text COLLATE "C" PRIMARY KEY CHECK (key_id ~ '^[A-Z2-7]{16}$'),
    secret_hash bytea NOT NULL CHECK (length(secret_hash) = 32),
    name text NOT NULL CHECK (name <> ''),
    scopes text[] NOT NULL CHECK (cardinality(scopes) > 0),
    owner_id uuid NOT NULL,
    owner_email text,
    team_ids uuid[] NOT NULL DEFAULT '{}',
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz,
    last_used_at timestamptz,
    revoked_at timestamptz,
    revoked_by uuid
);
COMMENT ON TABLE api_keys IS 'One row per key. A revoked key keeps its row, so that records that name it can be explained.';
COMMENT ON COLUMN api_keys.key_id IS 'The public half of a key: shown in lists, and what a key is looked up by.';
COMMENT ON COLUMN api_keys.secret_hash IS 'SHA-256 of the secret half, which has 256 random bits and is stored nowhere.';
COMMENT ON COLUMN api_keys.team_ids IS 'Teams whose rows the key sees besides its owner''s: those that its owner had and chose when it was created.';
COMMENT ON COLUMN api_keys.last_used_at IS 'Written in groups, up to a minute late.';
CREATE INDEX api_keys_owner_newest ON api_keys (owner_id, created_at DESC, key_id DESC);
CREATE INDEX api_keys_newest ON api_keys (created_at DESC, key_id DESC);

SELECT sightline.protect('api_keys');
-- The hash is not for people, not even their own.
GRANT SELECT (key_id, name, scopes, owner_id, owner_email, team_ids, created_at, expires_at, last_used_at, revoked_at)
    ON api_keys TO sightline_user;
CREATE POLICY people_see_their_own ON api_keys FOR SELECT TO sightline_user USING (owner_id = (SELECT auth.uid()));
