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

-- name: get_camera_by_key
-- One camera by the key that names it inside.
SELECT * FROM cameras WHERE camera_key = :camera_key;

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

-- name: update_camera
-- New values of a camera; its id stays. Nothing if it is gone.
UPDATE cameras SET name = :name, zone = :zone WHERE camera_key = :camera_key RETURNING *;

-- name: delete_camera
-- Removes a camera with its zones, batches and detections. Its events stay.
DELETE FROM cameras WHERE camera_key = :camera_key;

-- name: zones_of
-- The zones of a camera of an owner, in the order in which they were added.
SELECT z.zone_id, c.camera_id, z.name, z.kind, z.polygon, z.loiter_s, z.direction
FROM camera_zones AS z JOIN cameras AS c USING (camera_key)
WHERE c.owner_id = :owner_id AND c.camera_id = :camera_id ORDER BY z.created_at, z.zone_id;

-- name: masks_of
-- The masks of cameras: nothing is looked for inside them.
SELECT camera_key, polygon FROM camera_zones WHERE kind = 'mask' AND camera_key = ANY(:camera_keys::uuid[]);

-- name: insert_zone
-- A new zone; nothing if the camera has one of that name.
INSERT INTO camera_zones (camera_key, name, kind, polygon, loiter_s, direction)
VALUES (:camera_key, :name, :kind, :polygon, :loiter_s, :direction)
ON CONFLICT (camera_key, name) DO NOTHING
RETURNING zone_id, :camera_id::text AS camera_id, name, kind, polygon, loiter_s, direction;

-- name: count_zones
-- How many zones a camera has; another request that adds one to it waits.
SELECT (SELECT count(*) FROM camera_zones AS z WHERE z.camera_key = c.camera_key)
FROM cameras AS c WHERE c.camera_key = :camera_key FOR NO KEY UPDATE;

-- name: change_zone
-- Replaces a zone of a camera; nothing if it has none of that id.
UPDATE camera_zones SET name = :name, kind = :kind, polygon = :polygon, loiter_s = :loiter_s, direction = :direction
WHERE camera_key = :camera_key AND zone_id = :zone_id
RETURNING zone_id, :camera_id::text AS camera_id, name, kind, polygon, loiter_s, direction;

-- name: delete_zone
-- Removes a zone of a camera.
DELETE FROM camera_zones WHERE camera_key = :camera_key AND zone_id = :zone_id;
