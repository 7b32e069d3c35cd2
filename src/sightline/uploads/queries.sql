-- name: insert_upload
-- The upload of a new video.
INSERT INTO uploads (video_id, store_upload_id, total_size, part_size, total_parts, context)
VALUES (:video_id, :store_upload_id, :total_size, :part_size, :total_parts, :context);

-- name: get_upload
-- The upload of a video, if the transaction's role may see it.
SELECT * FROM uploads WHERE video_id = :video_id;

-- name: lock_upload
-- The upload of a video, locked until the transaction ends.
SELECT * FROM uploads WHERE video_id = :video_id FOR NO KEY UPDATE;

-- name: upload_by_store_id
-- The upload with this id in the store.
SELECT * FROM uploads WHERE store_upload_id = :store_upload_id;

-- name: list_resumable
-- Open uploads that the transaction's role may see, latest first, with the parts that have arrived; those to a team only for who
-- began them. A part that was only reported has the size that the plan gives it.
SELECT u.video_id, v.name, v.status, u.total_size, u.part_size, u.total_parts, u.created_at,
       coalesce(p.parts, 0) AS uploaded_parts, coalesce(p.bytes, 0) AS uploaded_bytes,
       greatest(u.touched_at, p.last_at) AS active_at
FROM uploads AS u
JOIN videos AS v ON v.id = u.video_id
LEFT JOIN LATERAL (
    SELECT count(*) AS parts, max(uploaded_at) AS last_at,
           sum(coalesce(size, least(u.part_size, u.total_size - u.part_size * (number - 1))))::bigint AS bytes
    FROM upload_parts WHERE video_id = u.video_id
) AS p ON true
WHERE u.state = 'open' AND (v.owner_id IS DISTINCT FROM v.team_id OR v.uploaded_by = auth.uid())
ORDER BY active_at DESC, u.video_id
LIMIT :limit;

-- name: issue_next
-- Reserves the next parts for one caller; two callers never get the same. No row unless the upload is open.
WITH before AS (
    SELECT video_id, next_part FROM uploads WHERE video_id = :video_id AND state = 'open' FOR NO KEY UPDATE
)
UPDATE uploads AS u
SET next_part = least(before.next_part + :limit, coalesce(u.total_parts, 10000) + 1), touched_at = now()
FROM before
WHERE u.video_id = before.video_id
RETURNING before.next_part AS first, u.next_part AS following;

-- name: touch
-- Records that the client is active.
UPDATE uploads SET touched_at = now() WHERE video_id = :video_id AND state = 'open';

-- name: report_parts
-- Parts that clients report; a newer report replaces an older one and the size that the store listed for it. No row unless the upload is
-- open. Rows are written in one order, so that two processes with several common parts do not deadlock.
INSERT INTO upload_parts (video_id, number, etag)
SELECT u.video_id, new.number, new.etag
FROM unnest(:video_ids::uuid[], :numbers::integer[], :etags::text[]) AS new (video_id, number, etag)
JOIN uploads AS u ON u.video_id = new.video_id
WHERE u.state = 'open' AND (u.total_parts IS NULL OR new.number <= u.total_parts)
ORDER BY u.video_id, new.number
ON CONFLICT (video_id, number) DO UPDATE
    SET etag = excluded.etag, uploaded_at = now(),
        size = CASE WHEN upload_parts.etag = excluded.etag THEN upload_parts.size END
RETURNING video_id, number, etag, size, uploaded_at,
    (SELECT v.status = 'CREATED' FROM videos AS v WHERE v.id = upload_parts.video_id) AS is_first;

-- name: save_parts
-- Parts as the store lists them. A part that is known with the same bytes keeps its time.
INSERT INTO upload_parts (video_id, number, etag, size, uploaded_at)
SELECT :video_id, part.number, part.etag, part.size, part.at
FROM unnest(:numbers::integer[], :etags::text[], :sizes::bigint[], :times::timestamptz[]) AS part (number, etag, size, at)
ON CONFLICT (video_id, number) DO UPDATE
    SET etag = excluded.etag, size = excluded.size,
        uploaded_at = CASE WHEN upload_parts.etag = excluded.etag THEN upload_parts.uploaded_at ELSE excluded.uploaded_at END
    WHERE (upload_parts.etag, upload_parts.size) IS DISTINCT FROM (excluded.etag, excluded.size);

-- name: drop_parts
-- Parts that differ from what was reported and have to be sent again.
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
-- Ends the upload if it is in an expected state.
UPDATE uploads
SET state = :state::text::upload_state, etag = :etag, ended_at = now(),
    total_size = coalesce(:total_size::bigint, total_size), part_size = coalesce(:part_size::bigint, part_size),
    total_parts = coalesce(:total_parts::integer, total_parts)
WHERE video_id = :video_id AND state = ANY (:expected::text[]::upload_state[])
RETURNING video_id;

-- name: idle
-- Uploads without activity for so long, as far as the database knows.
SELECT w.* FROM uploads AS w
WHERE w.state = 'open' AND w.touched_at < now() - make_interval(secs => :idle_s::float8)
  AND NOT EXISTS (SELECT 1 FROM upload_parts AS p
                  WHERE p.video_id = w.video_id AND p.uploaded_at >= now() - make_interval(secs => :idle_s::float8))
ORDER BY w.touched_at
LIMIT 100;

-- name: fully_reported
-- Uploads of which all parts are known and that were idle for so long: the client is gone, and only `complete` is missing.
SELECT u.* FROM uploads AS u
CROSS JOIN LATERAL (SELECT count(*) AS parts, max(uploaded_at) AS last_at FROM upload_parts WHERE video_id = u.video_id) AS p
WHERE u.state = 'open' AND p.parts = u.total_parts
  AND greatest(u.touched_at, p.last_at) < now() - make_interval(secs => :idle_s::float8)
ORDER BY u.touched_at
LIMIT 100;

-- name: start_abort
-- Parts can no longer be added. With a time, only if the upload was idle for so long.
UPDATE uploads AS u SET state = 'aborting'
WHERE u.video_id = :video_id
  AND (u.state = 'aborting' OR u.state = 'open' AND (:idle_s::float8 IS NULL
       OR u.touched_at < now() - make_interval(secs => :idle_s)
          AND NOT EXISTS (SELECT 1 FROM upload_parts AS p
                          WHERE p.video_id = u.video_id AND p.uploaded_at >= now() - make_interval(secs => :idle_s))))
RETURNING u.*;

-- name: known_store_ids
-- Which of these upload ids of the store have a row.
SELECT store_upload_id FROM uploads WHERE store_upload_id = ANY (:ids::text[]);

-- name: unfinished_aborts
-- Uploads whose abort did not finish, because the process ended first.
SELECT * FROM uploads WHERE state = 'aborting' ORDER BY touched_at LIMIT 100;

-- name: unfinished_uploads
-- Which of these videos have an upload that has not ended.
SELECT video_id FROM uploads WHERE video_id = ANY (:ids::uuid[]) AND state IN ('open', 'aborting');

-- name: lock_admission
-- Admissions of uploads, one at a time.
SELECT pg_advisory_xact_lock(hashtextextended('sightline.upload_admission', 0));

-- name: usage_of_owner
-- What counts towards the quotas of an owner. A video whose upload was aborted has no bytes and does not count. Recordings of cameras
-- count as they were measured last: they are too many to be added up for each upload.
SELECT coalesce(sum(v.size_bytes) FILTER (WHERE v.original_removed_at IS NULL), 0)::bigint
         + coalesce((SELECT amount FROM owner_usage
                     WHERE owner_id = :owner_id AND measure = 'stored_recordings_bytes' AND day >= (now() AT TIME ZONE 'UTC')::date - 1
                     ORDER BY day DESC LIMIT 1), 0) AS stored_bytes,
       count(*) AS videos,
       count(*) FILTER (WHERE u.state IN ('open', 'aborting')) AS open_uploads
FROM videos AS v
LEFT JOIN uploads AS u ON u.video_id = v.id
WHERE v.owner_id = :owner_id AND (u.state IS NULL OR u.state <> 'aborted' OR u.etag IS NOT NULL);

-- name: use_of_video
-- What one video counts for, as in `usage_of_owner`; no row if it does not count.
SELECT CASE WHEN v.original_removed_at IS NULL THEN coalesce(v.size_bytes, 0) ELSE 0 END AS stored_bytes,
       u.state IS NOT NULL AND u.state IN ('open', 'aborting') AS is_open
FROM videos AS v
LEFT JOIN uploads AS u ON u.video_id = v.id
WHERE v.id = :video_id AND (u.state IS NULL OR u.state <> 'aborted' OR u.etag IS NOT NULL);

-- name: announced_bytes
-- What unfinished uploads have announced, without the parts that arrived. The size of a part that only the client reported
-- follows from the plan.
SELECT coalesce(sum(greatest(0, u.total_size - coalesce(arrived.bytes, 0))), 0)::bigint
FROM uploads AS u
LEFT JOIN LATERAL (
    SELECT sum(coalesce(p.size, least(u.part_size, u.total_size - (p.number - 1) * u.part_size))) AS bytes
    FROM upload_parts AS p WHERE p.video_id = u.video_id
) AS arrived ON true
WHERE u.state = 'open' AND u.total_size IS NOT NULL;
