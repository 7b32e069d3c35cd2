-- name: insert_upload
-- The upload of a new video.
INSERT INTO uploads (video_id, store_upload_id, total_size, part_size, total_parts)
VALUES (:video_id, :store_upload_id, :total_size, :part_size, :total_parts);

-- name: get_upload
-- The upload of a video, if the transaction's role may see it.
SELECT * FROM uploads WHERE video_id = :video_id;

-- name: lock_upload
-- The upload of a video, which nobody else changes until the transaction ends.
SELECT * FROM uploads WHERE video_id = :video_id FOR NO KEY UPDATE;

-- name: upload_by_store_id
-- The upload that the store knows by this id.
SELECT * FROM uploads WHERE store_upload_id = :store_upload_id;

-- name: list_unfinished
-- Unfinished uploads that the transaction's role may see, latest first, with what has arrived of each.
SELECT u.video_id, v.name, v.status, u.total_size, u.part_size, u.total_parts, u.created_at,
       coalesce(p.parts, 0) AS uploaded_parts, coalesce(p.bytes, 0) AS uploaded_bytes,
       greatest(u.touched_at, p.last_at) AS active_at
FROM uploads AS u
JOIN videos AS v ON v.id = u.video_id
LEFT JOIN LATERAL (
    SELECT count(*) AS parts, sum(size)::bigint AS bytes, max(uploaded_at) AS last_at
    FROM upload_parts WHERE video_id = u.video_id
) AS p ON true
WHERE u.state = 'open'
ORDER BY active_at DESC, u.video_id
LIMIT :most;

-- name: issue_next
-- Reserves the next parts for one caller; two callers never get the same. Nothing unless the upload is open.
WITH before AS (
    SELECT video_id, next_part FROM uploads WHERE video_id = :video_id AND state = 'open' FOR NO KEY UPDATE
)
UPDATE uploads AS u
SET next_part = least(before.next_part + :most, coalesce(u.total_parts, 10000) + 1), touched_at = now()
FROM before
WHERE u.video_id = before.video_id
RETURNING before.next_part AS first, u.next_part AS following;

-- name: touch
-- The client is alive.
UPDATE uploads SET touched_at = now() WHERE video_id = :video_id AND state = 'open';

-- name: report_part
-- A part that the client says arrived; the newer word wins, also over what the store said of the older bytes. Nothing unless the upload is open.
INSERT INTO upload_parts (video_id, number, etag)
SELECT u.video_id, :number, :etag
FROM uploads AS u
WHERE u.video_id = :video_id AND u.state = 'open' AND (u.total_parts IS NULL OR :number <= u.total_parts)
ON CONFLICT (video_id, number) DO UPDATE
    SET etag = excluded.etag, uploaded_at = now(),
        size = CASE WHEN upload_parts.etag = excluded.etag THEN upload_parts.size END
RETURNING number, etag, size, uploaded_at,
    (SELECT v.status = 'CREATED' FROM videos AS v WHERE v.id = upload_parts.video_id) AS is_first;

-- name: keep_parts
-- Parts as the store lists them. A part that is known with the same bytes keeps its time.
INSERT INTO upload_parts (video_id, number, etag, size, uploaded_at)
SELECT :video_id, part.number, part.etag, part.size, part.at
FROM unnest(:numbers::integer[], :etags::text[], :sizes::bigint[], :times::timestamptz[]) AS part (number, etag, size, at)
ON CONFLICT (video_id, number) DO UPDATE
    SET etag = excluded.etag, size = excluded.size,
        uploaded_at = CASE WHEN upload_parts.etag = excluded.etag THEN upload_parts.uploaded_at ELSE excluded.uploaded_at END
    WHERE (upload_parts.etag, upload_parts.size) IS DISTINCT FROM (excluded.etag, excluded.size);

-- name: drop_parts
-- Parts that turned out not to be what was reported: they have to be sent again.
DELETE FROM upload_parts WHERE video_id = :video_id AND number = ANY (:numbers::integer[]);

-- name: list_parts
-- The parts that arrived, in order.
SELECT number, etag, size, uploaded_at FROM upload_parts WHERE video_id = :video_id ORDER BY number;

-- name: part_numbers
-- Which parts arrived.
SELECT number FROM upload_parts WHERE video_id = :video_id;

-- name: count_parts
-- How many parts arrived.
SELECT count(*) FROM upload_parts WHERE video_id = :video_id;

-- name: end_upload
-- The upload is over, one way or the other, if it stands where expected.
UPDATE uploads
SET state = :state::text::upload_state, etag = :etag, ended_at = now(),
    total_size = coalesce(:total_size::bigint, total_size), part_size = coalesce(:part_size::bigint, part_size),
    total_parts = coalesce(:total_parts::integer, total_parts)
WHERE video_id = :video_id AND state = ANY (:expected::text[]::upload_state[])
RETURNING video_id;

-- name: idle
-- Uploads from which nothing was heard for so long, by the database alone.
SELECT w.* FROM uploads AS w
WHERE w.state = 'open' AND w.touched_at < now() - make_interval(secs => :idle_s::float8)
  AND NOT EXISTS (SELECT 1 FROM upload_parts AS p
                  WHERE p.video_id = w.video_id AND p.uploaded_at >= now() - make_interval(secs => :idle_s::float8))
ORDER BY w.touched_at
LIMIT 100;

-- name: start_abort
-- Nobody may add to the upload from here on. With a time, only if nothing was heard for so long.
UPDATE uploads AS u SET state = 'aborting'
WHERE u.video_id = :video_id
  AND (u.state = 'aborting' OR u.state = 'open' AND (:idle_s::float8 IS NULL
       OR u.touched_at < now() - make_interval(secs => :idle_s)
          AND NOT EXISTS (SELECT 1 FROM upload_parts AS p
                          WHERE p.video_id = u.video_id AND p.uploaded_at >= now() - make_interval(secs => :idle_s))))
RETURNING u.*;

-- name: known_store_ids
-- Which of these ids of the store are uploads of ours.
SELECT store_upload_id FROM uploads WHERE store_upload_id = ANY (:ids::text[]);

-- name: unfinished_aborts
-- Uploads that were given up, but not to the end: the process that did it ended first.
SELECT * FROM uploads WHERE state = 'aborting' ORDER BY touched_at LIMIT 100;

-- name: open_of
-- Which of these videos have an upload that is not over.
SELECT video_id FROM uploads WHERE video_id = ANY (:ids::uuid[]) AND state IN ('open', 'aborting');
