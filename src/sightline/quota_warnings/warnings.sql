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

-- name: recipients
-- Who is notified: the owner, or the owners of the team, with its name; with the address of their newest token, if there is one.
SELECT p.user_id, p.team_name, known.name AS email
FROM (
    SELECT m.user_id, t.name AS team_name FROM teams AS t JOIN team_members AS m ON m.team_id = t.id
    WHERE t.id = :owner_id AND m.role = 'owner'
    UNION ALL
    SELECT :owner_id::uuid, NULL WHERE NOT EXISTS (SELECT FROM teams WHERE id = :owner_id)
) AS p
LEFT JOIN caller_memberships AS known ON known.user_id = p.user_id AND known.name LIKE '%@%'
ORDER BY p.user_id;
