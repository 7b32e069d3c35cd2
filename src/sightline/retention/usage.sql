-- name: save_usage
-- The figures of a measurement.
INSERT INTO storage_usage (kind, bytes, objects)
SELECT * FROM unnest(:kinds::text[], :bytes::bigint[], :objects::bigint[])
ON CONFLICT (kind) DO UPDATE SET bytes = excluded.bytes, objects = excluded.objects, measured_at = now();

-- name: load_usage
-- The figures of the last measurement.
SELECT kind, bytes, objects, measured_at FROM storage_usage;

-- name: database_bytes
-- What this database takes on the disk of its server.
SELECT pg_database_size(current_database());
