-- name: add
-- A browser that subscribes. Of another person or with other keys, the newest subscription counts.
INSERT INTO push_devices (device_id, owner_id, endpoint, public_key, auth_secret, name)
VALUES (:device_id, :owner_id, :endpoint, :public_key, :auth_secret, :name)
ON CONFLICT (endpoint) DO UPDATE
SET owner_id = excluded.owner_id, public_key = excluded.public_key, auth_secret = excluded.auth_secret, name = excluded.name
RETURNING *;

-- name: of_owner
-- The browsers of a person, oldest first.
SELECT * FROM push_devices WHERE owner_id = :owner_id ORDER BY created_at, device_id;

-- name: get
-- One browser.
SELECT * FROM push_devices WHERE device_id = :device_id;

-- name: remove_own
-- Ends a subscription of its owner.
DELETE FROM push_devices WHERE device_id = :device_id AND owner_id = :owner_id RETURNING device_id;

-- name: remove_gone
-- Forgets a browser that its push service does not know any more, unless it has subscribed again.
DELETE FROM push_devices WHERE device_id = :device_id AND endpoint = :endpoint;

-- name: mark_sent
-- When a browser was notified last.
UPDATE push_devices SET last_sent_at = now() WHERE device_id = :device_id;
