-- name: use
-- Marks a sign-in as come back; no row if it came back before. Those whose cookie is too old by now are forgotten.
WITH forgotten AS (DELETE FROM oidc_used_states WHERE expires_at <= now())
INSERT INTO oidc_used_states (state_hash, expires_at)
VALUES (:state_hash, now() + make_interval(secs => :lifetime_s))
ON CONFLICT DO NOTHING;
