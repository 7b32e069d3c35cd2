-- name: insert
-- A new key. The owner's active keys are counted in the same statement, under the caller's lock.
INSERT INTO api_keys (key_id, secret_hash, name, scopes, owner_id, owner_email, team_ids, expires_at)
SELECT :key_id, :secret_hash, :name, :scopes, :owner_id, :owner_email, :team_ids, :expires_at
WHERE (SELECT count(*) FROM api_keys
       WHERE owner_id = :owner_id AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())) < :max_keys
RETURNING key_id, name, scopes, owner_id, owner_email, team_ids, created_at, expires_at, last_used_at, revoked_at;

-- name: lock_owner
-- One creation per owner at a time, so that the limit on keys holds.
SELECT pg_advisory_xact_lock(hashtextextended('api_keys:' || :owner_id::uuid::text, 0));

-- name: of_ids
-- Keys with their hashes, to check what clients sent, with those of their teams that their owner still belongs to, and with the
-- owner's teams of here.
SELECT key_id, secret_hash, name, scopes, owner_id, owner_email, sightline.memberships_of(owner_id) AS memberships,
       array(SELECT team FROM unnest(team_ids) AS team WHERE sightline.is_member(owner_id, team)) AS team_ids, created_at, expires_at, last_used_at, revoked_at
FROM api_keys WHERE key_id = ANY(:key_ids);

-- name: page
-- Keys, newest first, after a cursor; of one owner or of everyone, and with revoked ones if wanted.
SELECT key_id, name, scopes, owner_id, owner_email, team_ids, created_at, expires_at, last_used_at, revoked_at
FROM api_keys
WHERE (:owner_id::uuid IS NULL OR owner_id = :owner_id)
  AND (:with_revoked OR revoked_at IS NULL)
  AND (:after_at::timestamptz IS NULL OR (created_at, key_id) < (:after_at, :after_id))
ORDER BY created_at DESC, key_id DESC
LIMIT :limit;

-- name: revoke
-- Ends a key, of the owner or of anyone; a key that was revoked before keeps its time.
UPDATE api_keys
SET revoked_at = coalesce(revoked_at, now()), revoked_by = coalesce(revoked_by, :by)
WHERE key_id = :key_id AND (:owner_id::uuid IS NULL OR owner_id = :owner_id)
RETURNING key_id, name, scopes, owner_id, owner_email, team_ids, created_at, expires_at, last_used_at, revoked_at;

-- name: note_uses
-- When keys were last used, many at once; a later time of another process stays.
UPDATE api_keys AS k
SET last_used_at = used.at
FROM unnest(:key_ids::text[], :times::timestamptz[]) AS used (key_id, at)
WHERE k.key_id = used.key_id AND (k.last_used_at IS NULL OR k.last_used_at < used.at);

-- name: active_ids
-- Which of these keys are neither revoked nor expired.
SELECT key_id FROM api_keys
WHERE key_id = ANY(:key_ids) AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now());
