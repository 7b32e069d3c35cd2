-- name: snooze_camera
-- A person is not alerted by a camera until then.
INSERT INTO camera_snoozes (camera_key, person_id, until, lets_critical)
VALUES (:camera_key, :person_id, :until, :lets_critical)
ON CONFLICT (camera_key, person_id) DO UPDATE SET until = excluded.until, lets_critical = excluded.lets_critical;

-- name: end_snooze
-- The person is alerted again.
DELETE FROM camera_snoozes WHERE camera_key = :camera_key AND person_id = :person_id;

-- name: get_snooze
-- The snooze of a person for a camera that has not ended.
SELECT until, lets_critical FROM camera_snoozes
WHERE camera_key = :camera_key AND person_id = :person_id AND until > now();

-- name: snoozers
-- The people who are not alerted by a camera at present, and whether critical events reach them.
SELECT s.person_id, s.lets_critical FROM camera_snoozes AS s JOIN cameras AS c USING (camera_key)
WHERE c.owner_id = :owner_id AND c.camera_id = :camera_id AND s.until > now();
