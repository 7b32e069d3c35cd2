-- name: record
-- Records id and context of published messages by their content; the same content again keeps its id.
INSERT INTO bus_published AS known (fingerprint, message_id, context)
SELECT * FROM unnest(:fingerprints::bytea[], :message_ids::uuid[], :contexts::text[])
ON CONFLICT (fingerprint) DO UPDATE SET context = excluded.context, published_at = now()
RETURNING fingerprint, message_id;

-- name: find
-- The messages with this content.
SELECT fingerprint, message_id, context FROM bus_published WHERE fingerprint = ANY (:fingerprints::bytea[]);

-- name: sweep
-- Forgets messages that no queue can hold any more.
DELETE FROM bus_published WHERE published_at < now() - make_interval(secs => :kept_s);
