-- name: insert_camera
-- A new camera; nothing if its owner, or its team, has one of that id.
INSERT INTO cameras (camera_id, name, owner_id, owner_email, team_id, zone)
VALUES (:camera_id, :name, :owner_id, :owner_email, :team_id, :zone)
ON CONFLICT DO NOTHING
RETURNING *;

-- name: get_camera
-- The camera that the caller calls so: their own before their team's.
SELECT * FROM cameras WHERE camera_id = :camera_id ORDER BY owner_id = auth.uid() DESC, created_at, camera_key LIMIT 1;

-- name: get_camera_of
-- One camera of one owner, if the caller may see it.
SELECT * FROM cameras WHERE owner_id = :owner_id AND camera_id = :camera_id;

-- name: get_camera_of_batch
-- The camera whose detections a batch holds.
SELECT c.* FROM cameras AS c JOIN detection_batches AS b USING (camera_key) WHERE b.batch_id = :batch_id;

-- name: visible_cameras
-- Those of these cameras that the caller may see; their own before their team's.
SELECT DISTINCT ON (camera_id) camera_id, camera_key FROM cameras WHERE camera_id = ANY(:camera_ids::text[])
ORDER BY camera_id, owner_id = auth.uid() DESC, created_at, camera_key;

-- name: list_cameras
-- The caller's cameras in the order of their ids.
SELECT * FROM cameras
WHERE (camera_id, camera_key) > (:after_id::text COLLATE "C", :after_key::uuid)
ORDER BY camera_id, camera_key LIMIT :limit;

-- name: zones_of
-- The zones of a camera of an owner, in the order in which they were added.
SELECT z.zone_id, c.camera_id, z.name, z.kind, z.polygon
FROM camera_zones AS z JOIN cameras AS c USING (camera_key)
WHERE c.owner_id = :owner_id AND c.camera_id = :camera_id ORDER BY z.created_at, z.zone_id;

-- name: insert_zone
-- A new zone; nothing if the camera has one of that name.
INSERT INTO camera_zones (camera_key, name, kind, polygon) VALUES (:camera_key, :name, :kind, :polygon)
ON CONFLICT (camera_key, name) DO NOTHING
RETURNING zone_id, :camera_id::text AS camera_id, name, kind, polygon;

-- name: delete_zone
-- Removes a zone of a camera.
DELETE FROM camera_zones WHERE camera_key = :camera_key AND zone_id = :zone_id;
