-- name: lock_owner
-- One creation per owner at a time, so that the limit on links holds.
SELECT pg_advisory_xact_lock(hashtextextended('shares:' || :owner_id::uuid::text, 0));

-- name: insert
-- A new link. The owner's active links are counted in the same statement, under the caller's lock.
INSERT INTO shares (token_hash, sealed_token, video_id, clip_id, owner_id, created_by, title, start_ms, end_ms, with_text,
                    embed_origins, expires_at)
SELECT :token_hash, :sealed_token, :video_id, :clip_id::text, :owner_id, :created_by, :title, :start_ms::bigint, :end_ms::bigint,
       :with_text, :embed_origins, :expires_at
WHERE (SELECT count(*) FROM shares WHERE owner_id = :owner_id AND revoked_at IS NULL AND expires_at > now()) < :max_shares
RETURNING id, video_id, clip_id, owner_id, created_by, title, start_ms, end_ms, with_text, embed_origins, created_at, expires_at,
          revoked_at, views, last_viewed_at;

-- name: find
-- The link with this hash, if it is neither revoked nor expired.
SELECT id, video_id, clip_id, owner_id, created_by, title, start_ms, end_ms, with_text, embed_origins, created_at, expires_at,
       revoked_at, views, last_viewed_at
FROM shares WHERE token_hash = :token_hash AND revoked_at IS NULL AND expires_at > now();

-- name: page
-- Links, newest first, after a cursor, that the transaction's role may see; those that have ended only if wanted.
SELECT id, video_id, clip_id, owner_id, created_by, title, start_ms, end_ms, with_text, embed_origins, created_at, expires_at,
       revoked_at, views, last_viewed_at
FROM shares
WHERE (:video_id::uuid IS NULL OR video_id = :video_id)
  AND (:owner_ids::uuid[] IS NULL OR owner_id = ANY (:owner_ids))
  AND (:with_ended OR revoked_at IS NULL AND expires_at > now())
  AND (:before_at::timestamptz IS NULL OR (created_at, id) < (:before_at, :before_id::uuid))
ORDER BY created_at DESC, id DESC
LIMIT :limit;

-- name: sealed_tokens
-- The sealed tokens of links.
SELECT id, sealed_token FROM shares WHERE id = ANY (:ids::uuid[]);

-- name: revoke
-- Ends a link, of these owners or of anyone; one that was revoked before keeps its time.
UPDATE shares SET revoked_at = coalesce(revoked_at, now()), revoked_by = coalesce(revoked_by, :by)
WHERE id = :id AND (:owner_ids::uuid[] IS NULL OR owner_id = ANY (:owner_ids))
RETURNING id, video_id, clip_id, owner_id, created_by, title, start_ms, end_ms, with_text, embed_origins, created_at, expires_at,
          revoked_at, views, last_viewed_at;

-- name: count_view
-- Counts one more time that a link was played.
UPDATE shares SET views = views + 1, last_viewed_at = now() WHERE id = :id;
