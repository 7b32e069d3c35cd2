-- name: identity
-- The key and certificate that sign notifications; the key is encrypted.
SELECT content FROM sightline.bus_signing_identity;

-- name: add_identity
-- Stores them unless another process was first.
INSERT INTO sightline.bus_signing_identity (content) VALUES (:content) ON CONFLICT DO NOTHING;
