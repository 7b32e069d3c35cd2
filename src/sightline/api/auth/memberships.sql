-- name: record
-- The teams and the role that a token names, unless a newer token was seen.
INSERT INTO caller_memberships AS known (user_id, team_ids, name, is_operator, issued_at, expires_at)
VALUES (:user_id, :team_ids, :name, :is_operator, :issued_at, now() + make_interval(days => :days))
ON CONFLICT (user_id) DO UPDATE
SET team_ids = excluded.team_ids, name = excluded.name, is_operator = excluded.is_operator, issued_at = excluded.issued_at,
    seen_at = now(), expires_at = excluded.expires_at
WHERE known.issued_at <= excluded.issued_at;

-- name: people
-- Everybody who has signed in, the last first.
SELECT user_id, name, team_ids || ARRAY(SELECT m.team_id FROM team_members AS m WHERE m.user_id = c.user_id) AS team_ids, is_operator,
       EXISTS (SELECT FROM operator_grants AS g WHERE g.user_id = c.user_id) AS is_granted_operator, seen_at
FROM caller_memberships AS c
WHERE CAST(:seen_at AS timestamptz) IS NULL OR (seen_at, user_id) < (:seen_at, :user_id)
ORDER BY seen_at DESC, user_id DESC LIMIT :limit;
