-- name: known_ids
-- Which of these events exist, live or archived.
SELECT id FROM known_events WHERE id = ANY (:ids::bigint[]);
