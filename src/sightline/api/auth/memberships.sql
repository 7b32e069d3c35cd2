-- name: record
-- The teams that a token names, unless a newer token was seen.
INSERT INTO caller_memberships AS known (user_id, team_ids, name, issued_at, expires_at)
VALUES (:user_id, :team_ids, :name, :issued_at, now() + make_interval(days => :days))
ON CONFLICT (user_id) DO UPDATE
SET team_ids = excluded.team_ids, name = excluded.name, issued_at = excluded.issued_at, seen_at = now(), expires_at = excluded.expires_at
WHERE known.issued_at <= excluded.issued_at;
