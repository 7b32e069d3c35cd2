-- name: save_usage
-- The figures of a measurement.
INSERT INTO storage_usage (kind, bytes, objects)
SELECT * FROM unnest(:kinds::text[], :bytes::bigint[], :objects::bigint[])
ON CONFLICT (kind) DO UPDATE SET bytes = excluded.bytes, objects = excluded.objects, measured_at = now();

-- name: save_owner_usage
-- What each owner has stored today, by what it is; 0 for owners who had something and have nothing now.
WITH of_videos AS (
    SELECT v.owner_id, m.bytes, m.originals
    FROM unnest(:video_ids::uuid[], :bytes::bigint[], :originals::bigint[]) AS m (video_id, bytes, originals)
    JOIN videos AS v ON v.id = m.video_id
), found AS (
    SELECT owner_id, 'stored_originals_bytes' AS measure, sum(originals) AS amount FROM of_videos GROUP BY owner_id
    UNION ALL
    SELECT owner_id, 'stored_derived_bytes', sum(bytes - originals) FROM of_videos GROUP BY owner_id
    UNION ALL
    SELECT c.owner_id, 'stored_recordings_bytes', sum(r.bytes)
    FROM recordings AS r JOIN cameras AS c USING (camera_key) GROUP BY c.owner_id
), before AS (
    SELECT DISTINCT owner_id, measure FROM owner_usage
    WHERE day >= (now() AT TIME ZONE 'UTC')::date - 1 AND measure LIKE 'stored\_%' AND amount > 0
)
INSERT INTO owner_usage (owner_id, day, measure, amount)
SELECT owner_id, (now() AT TIME ZONE 'UTC')::date, measure, coalesce(found.amount, 0)::bigint
FROM found FULL JOIN before USING (owner_id, measure)
ORDER BY owner_id, measure
ON CONFLICT (owner_id, day, measure) DO UPDATE SET amount = excluded.amount
RETURNING owner_id, measure;

-- name: move_stored
-- Bytes of a video that gets another owner, from what was measured last of one to the other; nothing before the first measurement.
WITH change AS (
    SELECT o.owner_id, b.measure, o.sign * b.bytes AS bytes
    FROM (VALUES (:from_owner::uuid, -1), (:to_owner::uuid, 1)) AS o (owner_id, sign)
    CROSS JOIN (VALUES ('stored_originals_bytes', :originals_bytes::bigint), ('stored_derived_bytes', :derived_bytes::bigint)) AS b (measure, bytes)
    WHERE b.bytes > 0
      AND EXISTS (SELECT FROM owner_usage AS m
                  WHERE m.owner_id = :from_owner AND m.measure = b.measure AND m.day >= (now() AT TIME ZONE 'UTC')::date - 1)
)
INSERT INTO owner_usage AS u (owner_id, day, measure, amount)
SELECT c.owner_id, (now() AT TIME ZONE 'UTC')::date, c.measure, greatest(0, coalesce(
    (SELECT m.amount FROM owner_usage AS m
     WHERE m.owner_id = c.owner_id AND m.measure = c.measure AND m.day >= (now() AT TIME ZONE 'UTC')::date - 1
     ORDER BY m.day DESC LIMIT 1), 0) + c.bytes)
FROM change AS c
ORDER BY c.owner_id, c.measure
ON CONFLICT (owner_id, day, measure) DO UPDATE
    SET amount = greatest(0, u.amount + (SELECT c.bytes FROM change AS c WHERE c.owner_id = u.owner_id AND c.measure = u.measure));

-- name: load_usage
-- The figures of the last measurement.
SELECT kind, bytes, objects, measured_at FROM storage_usage;

-- name: database_bytes
-- What this database takes on the disk of its server.
SELECT pg_database_size(current_database());
