-- Accounts of the FTP server: cameras of kind folder.

-- name: cameras_of_user
-- Cameras with this user name, or with this key as their name. Ids of cameras are not unique, so a password decides.
SELECT s.camera_key, c.camera_id, c.owner_id FROM camera_sources AS s JOIN cameras AS c USING (camera_key)
WHERE s.kind = 'folder' AND s.is_enabled AND (s.username = :username OR s.camera_key::text = :username)
ORDER BY s.camera_key LIMIT 20;
