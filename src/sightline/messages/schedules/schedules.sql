-- name: add
-- Adds a schedule; returns nothing if its owner has one of that name.
INSERT INTO message_schedules (
    name, expression, zone, message_type, payload, notification, owner_id, anchor, next_tick
)
VALUES (:name, :expression, :zone, :message_type, :payload, :notification, :owner_id, :anchor, :next_tick)
ON CONFLICT (owner_id, name) DO NOTHING
RETURNING *;

-- name: get
-- One schedule.
SELECT * FROM message_schedules WHERE schedule_id = :schedule_id;

-- name: find
-- All schedules of a person, or of everyone.
SELECT * FROM message_schedules WHERE :owner_id::uuid IS NULL OR owner_id = :owner_id ORDER BY name LIMIT :limit;

-- name: due
-- Locks a due schedule until the transaction ends; other schedulers skip it.
SELECT * FROM message_schedules WHERE state = 'active' AND next_tick <= :now ORDER BY next_tick LIMIT 1 FOR UPDATE SKIP LOCKED;

-- name: due_of
-- Locks one schedule if it is due, until the transaction ends; waits for another transaction that holds it.
SELECT * FROM message_schedules WHERE schedule_id = :schedule_id AND state = 'active' AND next_tick <= :now FOR UPDATE;

-- name: unfinished
-- All schedules that are active or paused.
SELECT * FROM message_schedules WHERE state <> 'finished' ORDER BY created_at;

-- name: next_due
-- When the next tick of any schedule is due.
SELECT min(next_tick) FROM message_schedules WHERE state = 'active';

-- name: moved_on
-- Records a created tick and the next one; without a next one the schedule is finished.
UPDATE message_schedules
SET last_tick = :tick, next_tick = :next_tick, updated_at = now(),
    state = CASE WHEN :next_tick::timestamptz IS NULL THEN 'finished' ELSE 'active' END
WHERE schedule_id = :schedule_id AND state = 'active';

-- name: pause
-- Stops a schedule until it is resumed.
UPDATE message_schedules SET state = 'paused', next_tick = NULL, updated_at = now()
WHERE schedule_id = :schedule_id AND state = 'active'
RETURNING *;

-- name: resume
-- Resumes with the next tick; those of the pause are skipped.
UPDATE message_schedules
SET next_tick = :next_tick, updated_at = now(),
    state = CASE WHEN :next_tick::timestamptz IS NULL THEN 'finished' ELSE 'active' END
WHERE schedule_id = :schedule_id AND state = 'paused'
RETURNING *;

-- name: remove
-- Deletes a schedule.
DELETE FROM message_schedules WHERE schedule_id = :schedule_id;
