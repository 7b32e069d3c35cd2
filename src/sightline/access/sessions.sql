-- name: insert
-- A browser that signed in.
INSERT INTO page_sessions (secret_hash, user_id, email, team_ids, roles, is_email_verified, expires_at, sealed_id_token)
VALUES (:secret_hash, :user_id, :email, :team_ids, :roles, :is_email_verified, :expires_at, :sealed_id_token)
RETURNING session_id, expires_at;

-- name: of_hashes
-- Sessions that have not ended, by the hashes of their cookies, with what their people may do now.
SELECT session_id, secret_hash, user_id, email, team_ids, roles, is_email_verified, expires_at,
       sightline.memberships_of(user_id) AS memberships,
       EXISTS (SELECT FROM operator_grants AS g WHERE g.user_id = page_sessions.user_id) AS is_granted_operator
FROM page_sessions WHERE secret_hash = ANY(:hashes) AND expires_at > :now;

-- name: end_one
-- A browser that signs out, with what its issuer needs for signing out there too.
DELETE FROM page_sessions WHERE secret_hash = :secret_hash RETURNING sealed_id_token;

-- name: remove_expired
-- Sessions whose time is over.
DELETE FROM page_sessions WHERE expires_at <= :now;

-- name: open_ids
-- Which of these sessions have not ended.
SELECT session_id FROM page_sessions WHERE session_id = ANY(:session_ids) AND expires_at > now();
