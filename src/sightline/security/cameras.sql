-- name: insert_camera
-- A new camera; nothing if its id is taken.
INSERT INTO cameras (camera_id, name, owner_id, owner_email, team_id, zone)
VALUES (:camera_id, :name, :owner_id, :owner_email, :team_id, :zone)
ON CONFLICT (camera_id) DO NOTHING
RETURNING *;

-- name: get_camera
-- One camera, if the caller may see it.
SELECT * FROM cameras WHERE camera_id = :camera_id;

-- name: visible_cameras
-- Which of these cameras the caller may see.
SELECT camera_id FROM cameras WHERE camera_id = ANY(:camera_ids::text[]);

-- name: list_cameras
-- The caller's cameras in the order of their ids.
SELECT * FROM cameras WHERE camera_id > :after ORDER BY camera_id LIMIT :limit;

-- name: zones_of
-- The zones of a camera.
SELECT zone_id, camera_id, name, kind, polygon FROM camera_zones WHERE camera_id = :camera_id ORDER BY zone_id;

-- name: insert_zone
-- A new zone; nothing if the camera has one of that name.
INSERT INTO camera_zones (camera_id, name, kind, polygon) VALUES (:camera_id, :name, :kind, :polygon)
ON CONFLICT (camera_id, name) DO NOTHING
RETURNING zone_id, camera_id, name, kind, polygon;

-- name: delete_zone
-- Removes a zone of a camera.
DELETE FROM camera_zones WHERE camera_id = :camera_id AND zone_id = :zone_id;
