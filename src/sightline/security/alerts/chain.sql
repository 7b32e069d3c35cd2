-- name: claim_step
-- One due step of an alert that nobody has settled, with its rule; rows that another process has locked are skipped. A snoozed event or rule
-- waits, and a rule that was disabled has no more steps.
SELECT a.alert_id, a.event_id, a.created_at, a.next_step, r.owner_id, r.owner_email, r.team_id, r.name AS rule_name,
       r.escalation, r.quiet_hours, r.quiet_lets_critical,
       r.team_id IS NOT NULL AND sightline.is_member(r.owner_id, r.team_id) AS is_member
FROM alerts AS a JOIN alert_rules AS r USING (rule_id) JOIN events AS e ON e.id = a.event_id
WHERE a.next_step_at <= now() AND a.state IN ('pending', 'delivered') AND r.is_enabled
  AND (e.snoozed_until IS NULL OR e.snoozed_until <= now()) AND (r.snoozed_until IS NULL OR r.snoozed_until <= now())
ORDER BY a.next_step_at, a.alert_id LIMIT 1 FOR UPDATE OF a SKIP LOCKED;

-- name: share_event
-- A person who acknowledges the event waits until the step is taken, or has done so before.
SELECT id FROM events WHERE id = :event_id FOR SHARE;

-- name: move_step
-- The next step of an alert and when it is due; null ends the chain.
UPDATE alerts SET next_step = :next_step, next_step_at = :due_at, escalated_at = CASE WHEN :is_taken THEN now() ELSE escalated_at END
WHERE alert_id = :alert_id;

-- name: recipient
-- The address of a person who belongs to a team, by the claims last seen of them; nothing if they do not.
SELECT name FROM caller_memberships WHERE user_id = :user_id AND sightline.is_member(user_id, :team_id);
