-- name: get
-- The preferences of people who changed any.
SELECT owner_id, preferences FROM notification_preferences WHERE owner_id = ANY (:owner_ids::uuid[]);

-- name: put
-- Replaces a person's preferences.
INSERT INTO notification_preferences (owner_id, preferences) VALUES (:owner_id, :preferences)
ON CONFLICT (owner_id) DO UPDATE SET preferences = excluded.preferences, updated_at = now();
