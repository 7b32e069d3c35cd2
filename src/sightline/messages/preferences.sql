-- name: get
-- What people chose, of those who chose anything.
SELECT owner_id, preferences FROM notification_preferences WHERE owner_id = ANY (:owner_ids::uuid[]);

-- name: put
-- A person's choice, in place of the one before.
INSERT INTO notification_preferences (owner_id, preferences) VALUES (:owner_id, :preferences)
ON CONFLICT (owner_id) DO UPDATE SET preferences = excluded.preferences, updated_at = now();
