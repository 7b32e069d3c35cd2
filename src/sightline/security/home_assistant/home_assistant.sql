-- name: claim
-- Makes this process the one that publishes, for a while. Nothing if another one is. The first begins with what happens from now on.
INSERT INTO home_assistant_publisher AS known (sequence, held_by, held_until)
VALUES (:top, :holder, now() + make_interval(secs => :lease_s::float8))
ON CONFLICT (id) DO UPDATE SET held_by = excluded.held_by, held_until = excluded.held_until
WHERE known.held_by = excluded.held_by OR known.held_until < now()
RETURNING sequence;

-- name: release
-- Another process may publish at once.
UPDATE home_assistant_publisher SET held_until = now() WHERE held_by = :holder;

-- name: save_sequence
-- Messages of the live feed up to this one are published.
UPDATE home_assistant_publisher SET sequence = :sequence WHERE held_by = :holder;

-- name: occupied
-- What cameras reported within the last seconds, of things that just happened.
SELECT DISTINCT camera_key, object_type AS label FROM detections
WHERE created_at > now() - make_interval(secs => :within_s::float8) AND detected_at > now() - interval '5 minutes';

-- name: entities
-- What Home Assistant was told of; without a name, the camera was deleted.
SELECT e.camera_key, e.label, c.camera_id, c.name FROM home_assistant_entities AS e LEFT JOIN cameras AS c USING (camera_key);

-- name: names
-- Cameras by their key.
SELECT camera_key, camera_id, name FROM cameras WHERE camera_key = ANY(:camera_keys::uuid[]);

-- name: add_entity
-- Home Assistant was told of it.
INSERT INTO home_assistant_entities (camera_key, label) VALUES (:camera_key, :label) ON CONFLICT DO NOTHING;

-- name: remove_entity
-- Home Assistant was told that it is gone.
DELETE FROM home_assistant_entities WHERE camera_key = :camera_key AND label = :label;
