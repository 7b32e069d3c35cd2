-- name: ensure_group
-- Gives an account its default group.
INSERT INTO sightline.bus_schedule_groups (account_id, name) VALUES (:account_id, 'default') ON CONFLICT DO NOTHING;

-- name: add_group
-- Creates a group; returns nothing if there is one of that name.
INSERT INTO sightline.bus_schedule_groups (account_id, name, tags, client_token)
VALUES (:account_id, :name, :tags, :client_token) ON CONFLICT DO NOTHING RETURNING *;

-- name: find_group
-- One group.
SELECT * FROM sightline.bus_schedule_groups WHERE account_id = :account_id AND name = :name;

-- name: list_groups
-- Groups of an account by name, those after a name.
SELECT * FROM sightline.bus_schedule_groups
WHERE account_id = :account_id AND name > :after AND starts_with(name, :prefix) ORDER BY name LIMIT :limit;

-- name: tag_group
-- Sets the tags of a group.
UPDATE sightline.bus_schedule_groups SET tags = :tags, changed_at = now() WHERE account_id = :account_id AND name = :name;

-- name: remove_group
-- Deletes a group with its schedules.
DELETE FROM sightline.bus_schedule_groups WHERE account_id = :account_id AND name = :name;

-- name: count
-- How many groups and schedules an account has.
SELECT (SELECT count(*) FROM sightline.bus_schedule_groups WHERE account_id = :account_id) AS groups,
       (SELECT count(*) FROM sightline.bus_schedules WHERE account_id = :account_id) AS schedules;

-- name: add
-- Creates a schedule; returns nothing if its group has one of that name.
INSERT INTO sightline.bus_schedules (account_id, group_name, name, expression, zone, description, is_enabled, starts_at, ends_at,
    window_minutes, deletes_itself, target, kms_key_arn, anchor, next_tick, fires_at, client_token, request_digest)
VALUES (:account_id, :group_name, :name, :expression, :zone, :description, :is_enabled, :starts_at, :ends_at,
    :window_minutes, :deletes_itself, :target, :kms_key_arn, :anchor, :next_tick, :fires_at, :client_token, :request_digest)
ON CONFLICT DO NOTHING RETURNING name;

-- name: update
-- Replaces a schedule.
UPDATE sightline.bus_schedules
SET expression = :expression, zone = :zone, description = :description, is_enabled = :is_enabled, starts_at = :starts_at,
    ends_at = :ends_at, window_minutes = :window_minutes, deletes_itself = :deletes_itself, target = :target,
    kms_key_arn = :kms_key_arn, anchor = :anchor, next_tick = :next_tick, fires_at = :fires_at, changed_at = now()
WHERE account_id = :account_id AND group_name = :group_name AND name = :name;

-- name: find
-- One schedule.
SELECT * FROM sightline.bus_schedules WHERE account_id = :account_id AND group_name = :group_name AND name = :name;

-- name: list
-- Schedules of an account by group and name, those after a position.
SELECT * FROM sightline.bus_schedules
WHERE account_id = :account_id AND (group_name, name) > (:after_group, :after_name)
    AND (:group_name::text IS NULL OR group_name = :group_name) AND starts_with(name, :prefix)
    AND (:is_enabled::boolean IS NULL OR is_enabled = :is_enabled)
ORDER BY group_name, name LIMIT :limit;

-- name: remove
-- Deletes a schedule.
DELETE FROM sightline.bus_schedules WHERE account_id = :account_id AND group_name = :group_name AND name = :name;

-- name: due
-- Locks a schedule that is due until the transaction ends; other processes skip it.
SELECT * FROM sightline.bus_schedules WHERE fires_at <= :now ORDER BY fires_at LIMIT 1 FOR UPDATE SKIP LOCKED;

-- name: move
-- Sets when a schedule is due next.
UPDATE sightline.bus_schedules SET next_tick = :next_tick, fires_at = :fires_at
WHERE account_id = :account_id AND group_name = :group_name AND name = :name;

-- name: next_due
-- When the next schedule is due.
SELECT min(fires_at) FROM sightline.bus_schedules;

-- name: notify
-- Lets the clock of every process look again.
SELECT pg_notify('sightline_bus_clock', '');
