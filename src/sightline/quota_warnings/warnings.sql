-- name: take_check
-- An owner whose check is due, taken away; others skip it until this transaction ends.
DELETE FROM owner_quota_checks
WHERE owner_id = (SELECT owner_id FROM owner_quota_checks WHERE due_at <= now() ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
RETURNING owner_id;

-- name: postpone
-- A check that failed is tried again later.
UPDATE owner_quota_checks SET due_at = now() + make_interval(secs => :seconds::float8) WHERE owner_id = :owner_id;

-- name: thresholds
-- What an owner was warned of.
SELECT quota, period, percent FROM owner_quota_warnings WHERE owner_id = :owner_id;

-- name: raise
-- A threshold that was passed. No row if the owner was warned of it already in this period.
INSERT INTO owner_quota_warnings AS w (owner_id, quota, period, percent) VALUES (:owner_id, :quota, :period, :percent)
ON CONFLICT (owner_id, quota) DO UPDATE
    SET period = excluded.period, percent = excluded.percent, warning_id = excluded.warning_id, warned_at = excluded.warned_at
    WHERE w.period <> excluded.period OR w.percent < excluded.percent
RETURNING warning_id;

-- name: lower
-- Use fell below the higher threshold, and not below this one.
UPDATE owner_quota_warnings SET percent = :percent WHERE owner_id = :owner_id AND quota = :quota AND percent > :percent;

-- name: forget
-- Use fell below every threshold.
DELETE FROM owner_quota_warnings WHERE owner_id = :owner_id AND quota = :quota;

-- name: email
-- The address of the owner's newest token; no row without one.
SELECT name FROM caller_memberships WHERE user_id = :owner_id AND name LIKE '%@%';
