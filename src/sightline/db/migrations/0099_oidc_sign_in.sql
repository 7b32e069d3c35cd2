-- Sign-in of the page at an OpenID Connect issuer (ADR 0106).

CREATE TABLE oidc_used_states (
    state_hash bytea PRIMARY KEY CHECK (length(state_hash) = 32),
    expires_at timestamptz NOT NULL
);
COMMENT ON TABLE oidc_used_states IS 'Sign-ins that came back from the issuer, so that each comes back once. Kept while the cookie of one is valid.';
CREATE INDEX oidc_used_states_expiry ON oidc_used_states (expires_at);
SELECT sightline.protect('oidc_used_states');

ALTER TABLE page_sessions ADD COLUMN sealed_id_token bytea;
COMMENT ON COLUMN page_sessions.sealed_id_token IS 'The issuer''s ID token, encrypted, for signing out there too; NULL for a session of another token.';
