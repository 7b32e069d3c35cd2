-- Files of watched folders that were looked at.

-- name: unhandled
-- Which of these files were not looked at in this very state.
SELECT n.name FROM unnest(:names::text[], :sizes::bigint[], :times::bigint[]) AS n (name, size_bytes, modified_ns)
WHERE NOT EXISTS (
    SELECT 1 FROM camera_files AS f
    WHERE f.camera_key = :camera_key AND f.name = n.name AND f.size_bytes = n.size_bytes AND f.modified_ns = n.modified_ns
);

-- name: record_file
-- A file was looked at or set aside. Nothing if its camera was deleted in the meantime.
INSERT INTO camera_files (camera_key, name, size_bytes, modified_ns, outcome, reason, sightings)
SELECT c.camera_key, :name, :size_bytes, :modified_ns, :outcome, :reason, :sightings
FROM cameras AS c WHERE c.camera_key = :camera_key
ON CONFLICT (camera_key, name) DO UPDATE SET
    size_bytes = excluded.size_bytes, modified_ns = excluded.modified_ns, outcome = excluded.outcome,
    reason = excluded.reason, sightings = excluded.sightings, handled_at = now();

-- name: old_files
-- Records of files that were looked at before a moment, page by page.
SELECT name, size_bytes, modified_ns FROM camera_files
WHERE camera_key = :camera_key AND handled_at < :before AND name > :after ORDER BY name LIMIT :limit;

-- name: forget_files
-- Records of files that are gone.
DELETE FROM camera_files WHERE camera_key = :camera_key AND name = ANY(:names::text[]);
