-- name: count_open
-- Invitations to a team that can still be accepted.
SELECT count(*) FROM team_invitations
WHERE team_id = :team_id AND revoked_at IS NULL AND expires_at > now() AND uses < max_uses;

-- name: insert
-- A new invitation.
INSERT INTO team_invitations (team_id, token_hash, role, max_uses, created_by, expires_at)
VALUES (:team_id, :token_hash, :role, :max_uses, :created_by::uuid, now() + make_interval(hours => :hours))
RETURNING id, team_id, role, max_uses, uses, created_at, expires_at;

-- name: open
-- Invitations to a team that can still be accepted, the newest first.
SELECT id, team_id, role, max_uses, uses, created_at, expires_at FROM team_invitations
WHERE team_id = :team_id AND revoked_at IS NULL AND expires_at > now() AND uses < max_uses
ORDER BY created_at DESC, id;

-- name: revoke
-- Ends an invitation; one that has ended stays ended.
UPDATE team_invitations SET revoked_at = coalesce(revoked_at, now()) WHERE id = :id AND team_id = :team_id
RETURNING id;

-- name: find
-- An invitation that can still be accepted, with its team.
SELECT i.id, i.team_id, t.name AS team_name, i.role, i.expires_at FROM team_invitations AS i JOIN teams AS t ON t.id = i.team_id
WHERE i.token_hash = :token_hash AND i.revoked_at IS NULL AND i.expires_at > now() AND i.uses < i.max_uses;

-- name: use
-- Counts one more use, if there is one left.
UPDATE team_invitations SET uses = uses + 1
WHERE id = :id AND revoked_at IS NULL AND expires_at > now() AND uses < max_uses
RETURNING role;

-- name: remove_ended
-- Invitations that ended a while ago.
DELETE FROM team_invitations
WHERE team_id = :team_id AND (coalesce(revoked_at, expires_at) < now() - interval '30 days'
                              OR uses = max_uses AND created_at < now() - interval '400 days');
