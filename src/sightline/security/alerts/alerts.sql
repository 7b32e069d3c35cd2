-- name: insert_rule
-- A new rule; nothing if its owner has one of that name.
INSERT INTO alert_rules (owner_id, owner_email, team_id, name, is_enabled, severity, conditions, cooldown_s, escalate_after_s,
                         escalation, quiet_hours, quiet_lets_critical)
VALUES (:owner_id, :owner_email, :team_id, :name, :is_enabled, :severity, :conditions, :cooldown_s, :escalate_after_s,
        :escalation, :quiet_hours, :quiet_lets_critical)
ON CONFLICT (owner_id, name) DO NOTHING
RETURNING *, team_id IS NOT NULL AND NOT sightline.is_member(owner_id, team_id) AS is_paused;

-- name: update_rule
-- Replaces what a rule says.
UPDATE alert_rules SET name = :name, is_enabled = :is_enabled, severity = :severity, conditions = :conditions,
    cooldown_s = :cooldown_s, escalate_after_s = :escalate_after_s, team_id = :team_id, escalation = :escalation,
    quiet_hours = :quiet_hours, quiet_lets_critical = :quiet_lets_critical
WHERE rule_id = :rule_id AND owner_id = :owner_id
RETURNING *, team_id IS NOT NULL AND NOT sightline.is_member(owner_id, team_id) AS is_paused;

-- name: get_rule
-- One rule, if the caller may see it.
SELECT *, team_id IS NOT NULL AND NOT sightline.is_member(owner_id, team_id) AS is_paused
FROM alert_rules WHERE rule_id = :rule_id;

-- name: list_rules
-- The rules that the caller may see.
SELECT *, team_id IS NOT NULL AND NOT sightline.is_member(owner_id, team_id) AS is_paused
FROM alert_rules ORDER BY created_at, rule_id LIMIT :limit;

-- name: snooze_rule
-- The rule raises no alerts until then; null ends that.
UPDATE alert_rules SET snoozed_until = :until WHERE rule_id = :rule_id AND owner_id = :owner_id
RETURNING *, team_id IS NOT NULL AND NOT sightline.is_member(owner_id, team_id) AS is_paused;

-- name: members_of
-- Which of these people belong to a team, by the claims last seen of them.
SELECT person FROM unnest(:people::uuid[]) AS person WHERE sightline.is_member(person, :team_id::uuid);

-- name: team_people
-- The members of these teams as last seen, with their names.
SELECT team_id, user_id, name FROM caller_memberships CROSS JOIN unnest(team_ids) AS team_id
WHERE team_id = ANY (:team_ids::uuid[]) AND expires_at > now()
ORDER BY team_id, name NULLS LAST, user_id LIMIT :limit;

-- name: delete_rule
-- Removes a rule with its alerts.
DELETE FROM alert_rules WHERE rule_id = :rule_id AND owner_id = :owner_id;

-- name: rules_for
-- The enabled rules of those who may see an event now (its owner, and members of its team as last seen), but for those that it
-- has matched already. Locked, so that two events of a moment do not both find no recent alert.
SELECT *, team_id IS NOT NULL AND NOT sightline.is_member(owner_id, team_id) AS is_paused FROM alert_rules AS r
WHERE is_enabled AND (snoozed_until IS NULL OR snoozed_until <= now()) AND (owner_id = :owner_id OR team_id = :team_id AND sightline.is_member(owner_id, team_id))
  AND NOT EXISTS (SELECT FROM event_alert_rules AS m WHERE m.event_id = :event_id AND m.rule_id = r.rule_id)
ORDER BY rule_id FOR UPDATE;

-- name: recent_alert
-- The alert for a key that has not cooled down yet.
SELECT alert_id FROM alerts
WHERE dedup_key = :dedup_key AND created_at > now() - make_interval(secs => :cooldown_s)
ORDER BY created_at DESC LIMIT 1;

-- name: insert_alert
-- Creates an alert, with the time at which it escalates unless a client has received the event by then, or with that of the first step
-- that is taken unless a person has acknowledged it.
INSERT INTO alerts (rule_id, event_id, owner_id, dedup_key, severity, escalate_at, next_step_at)
VALUES (:rule_id, :event_id, :owner_id, :dedup_key, :severity, now() + make_interval(secs => :escalate_after_s),
        now() + make_interval(secs => :first_step_s))
RETURNING alert_id;

-- name: note_match
-- Links an event that matched a rule to its alert.
INSERT INTO event_alert_rules (event_id, rule_id, alert_id) VALUES (:event_id, :rule_id, :alert_id) ON CONFLICT DO NOTHING;

-- name: rules_of_event
-- The rules of a person that an event met, with the alert of each.
SELECT r.rule_id, r.name, r.severity, m.alert_id, a.event_id <> m.event_id AS is_cooled_down
FROM event_alert_rules AS m JOIN alert_rules AS r USING (rule_id) JOIN alerts AS a USING (alert_id)
WHERE m.event_id = :event_id AND r.owner_id = :owner_id ORDER BY r.created_at, r.rule_id;

-- name: get_alert
-- One alert, if the caller may see it.
SELECT alert_id, rule_id, event_id, owner_id, dedup_key, severity, state, created_at, delivered_at, escalated_at, settled_at, settled_by
FROM alerts WHERE alert_id = :alert_id;

-- name: list_alerts
-- The newest alerts that the caller may see.
SELECT alert_id, rule_id, event_id, owner_id, dedup_key, severity, state, created_at, delivered_at, escalated_at, settled_at, settled_by
FROM alerts
WHERE (:state::text IS NULL OR state = :state)
  AND (:before::bigint IS NULL
       OR (created_at, alert_id) < (SELECT b.created_at, b.alert_id FROM alerts AS b WHERE b.alert_id = :before))
ORDER BY created_at DESC, alert_id DESC LIMIT :limit;

-- name: settle_alert
-- A person acknowledges or dismisses an alert that is pending or delivered.
UPDATE alerts SET state = :state, settled_at = now(), settled_by = :by
WHERE alert_id = :alert_id AND state IN ('pending', 'delivered')
RETURNING alert_id;

-- name: pending_alerts
-- Due alerts whose event no client has confirmed; rows that another process has locked are skipped. `is_member` is whether the
-- rule's owner still belongs to its team.
SELECT a.alert_id, a.rule_id, a.event_id, a.owner_id, r.owner_email, r.name AS rule_name,
       a.escalated_at IS NULL AND a.escalate_at <= now() AS is_overdue,
       r.team_id IS NOT NULL AND sightline.is_member(r.owner_id, r.team_id) AS is_member
FROM alerts AS a JOIN alert_rules AS r USING (rule_id)
WHERE a.state = 'pending'
  AND (a.escalated_at IS NULL AND (r.team_id IS NULL OR sightline.is_member(r.owner_id, r.team_id))
       OR a.created_at > now() - interval '1 day')
ORDER BY a.created_at, a.alert_id LIMIT :limit FOR UPDATE OF a SKIP LOCKED;

-- name: mark_delivered
-- Somebody has the event.
UPDATE alerts SET state = 'delivered', delivered_at = now() WHERE alert_id = :alert_id AND state = 'pending';

-- name: mark_escalated
-- Nobody had the event in time; said once.
UPDATE alerts SET escalated_at = now() WHERE alert_id = :alert_id AND state = 'pending' AND escalated_at IS NULL;
