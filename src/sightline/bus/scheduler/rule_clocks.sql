-- name: find
-- The clock of a rule.
SELECT expression, anchor, next_tick FROM sightline.bus_rule_clocks WHERE event_bus = :event_bus AND rule = :rule FOR UPDATE;

-- name: put
-- Starts the clock of a rule, or sets it anew.
INSERT INTO sightline.bus_rule_clocks (event_bus, rule, expression, anchor, next_tick)
VALUES (:event_bus, :rule, :expression, :anchor, :next_tick)
ON CONFLICT (event_bus, rule) DO UPDATE
SET expression = excluded.expression, anchor = excluded.anchor, next_tick = excluded.next_tick;

-- name: remove
-- Removes the clock of a rule that has no schedule any more.
DELETE FROM sightline.bus_rule_clocks WHERE event_bus = :event_bus AND rule = :rule;

-- name: due
-- Locks a clock that is due until the transaction ends; other processes skip it.
SELECT event_bus, rule, expression, anchor, next_tick FROM sightline.bus_rule_clocks
WHERE next_tick <= :now ORDER BY next_tick LIMIT 1 FOR UPDATE SKIP LOCKED;

-- name: move
-- Sets when a rule is due next.
UPDATE sightline.bus_rule_clocks SET next_tick = :next_tick WHERE event_bus = :event_bus AND rule = :rule;

-- name: next_due
-- When the next rule is due.
SELECT min(next_tick) FROM sightline.bus_rule_clocks;

-- name: notify
-- Lets the clock of every process look again.
SELECT pg_notify('sightline_bus_clock', '');
