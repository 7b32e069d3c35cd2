-- name: insert_tus_upload
-- A new upload; without a video it is part of a file.
INSERT INTO tus_uploads (id, video_id, owner_id, length, part_size, metadata, sources)
VALUES (:id, :video_id, :owner_id, :length, :part_size, :metadata, :sources::uuid[]);

-- name: get_tus_upload
-- An upload with the state of its video's upload.
SELECT t.*, u.state, u.store_upload_id
FROM tus_uploads AS t
LEFT JOIN uploads AS u ON u.video_id = t.video_id
WHERE t.id = :id;

-- name: claim_writer
-- This request writes from now on, if it begins where the upload stands; a request that wrote until now no longer does.
UPDATE tus_uploads SET writer = :writer, touched_at = now() WHERE id = :id AND received = :offset RETURNING id;

-- name: advance
-- More bytes are durable, if this request is still the one that writes. No row otherwise.
UPDATE tus_uploads SET received = :received, touched_at = now()
WHERE id = :id AND writer = :writer AND received = :expected
RETURNING id;

-- name: declare_length
-- The length of an upload that was created without one.
UPDATE tus_uploads SET length = :length, touched_at = now()
WHERE id = :id AND length IS NULL AND received <= :length
RETURNING id;

-- name: declare_plan
-- The same for the upload of its video.
UPDATE uploads SET total_size = :total_size, part_size = :part_size, total_parts = :total_parts
WHERE video_id = :video_id AND state = 'open' AND total_size IS NULL;

-- name: list_pieces
-- The pieces of an upload, in order.
SELECT start, size, key FROM tus_pieces WHERE upload_id = :upload_id ORDER BY start;

-- name: insert_pieces
-- Pieces that are durable.
INSERT INTO tus_pieces (upload_id, start, size, key)
SELECT :upload_id, piece.start, piece.size, piece.key
FROM unnest(:starts::bigint[], :sizes::bigint[], :keys::text[]) AS piece (start, size, key);

-- name: delete_pieces
-- Pieces whose bytes are in a part now.
DELETE FROM tus_pieces WHERE upload_id = :upload_id AND key = ANY (:keys::text[]);

-- name: find_joined
-- The upload that an owner made of exactly these.
SELECT id FROM tus_uploads WHERE owner_id = :owner_id AND sources = :sources::uuid[];

-- name: open_parts_of_owner
-- Uploads of an owner without a video: how many, and the bytes they may have.
SELECT count(*) AS uploads, coalesce(sum(coalesce(length, received)), 0)::bigint AS bytes
FROM tus_uploads WHERE owner_id = :owner_id AND video_id IS NULL;

-- name: touch_all
-- They are in use.
UPDATE tus_uploads SET touched_at = now() WHERE id = ANY (:ids::uuid[]);

-- name: list_unfinished
-- Uploads whose bytes have all arrived, and whose completion no process has worked on for a while.
SELECT t.id FROM tus_uploads AS t
JOIN uploads AS u ON u.video_id = t.video_id
WHERE u.state = 'open' AND (t.received = t.length OR t.sources IS NOT NULL)
  AND t.touched_at < now() - make_interval(secs => :quiet_s::float8)
ORDER BY t.touched_at
LIMIT 100;

-- name: list_idle_parts
-- Uploads without a video, and without activity for so long.
SELECT id FROM tus_uploads
WHERE video_id IS NULL AND touched_at < now() - make_interval(secs => :idle_s::float8)
ORDER BY touched_at
LIMIT 100;

-- name: delete_part
-- An upload without a video.
DELETE FROM tus_uploads WHERE id = :id AND video_id IS NULL;
