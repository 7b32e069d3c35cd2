-- name: all
-- Everything that is stored.
SELECT section, field, value, sealed, changed_at, changed_by FROM stored_settings;

-- name: put
-- Stores a setting, and notifies every process.
WITH stored AS (
    INSERT INTO stored_settings (section, field, value, sealed, changed_by)
    VALUES (:section, :field, :value, :sealed, :changed_by)
    ON CONFLICT (section, field) DO UPDATE
    SET value = excluded.value, sealed = excluded.sealed, changed_by = excluded.changed_by, changed_at = now()
)
SELECT pg_notify('settings_changed', '');

-- name: remove
-- Returns a setting to its default, and notifies every process.
WITH removed AS (DELETE FROM stored_settings WHERE section = :section AND field = :field)
SELECT pg_notify('settings_changed', '');

-- name: lock
-- Changes happen one after another, so that each is checked together with the one before.
LOCK TABLE stored_settings IN SHARE ROW EXCLUSIVE MODE;
