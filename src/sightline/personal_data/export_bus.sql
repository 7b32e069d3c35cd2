-- name: bus_accounts
-- The person's account at the AWS endpoint.
SELECT (to_jsonb(t))::text AS item FROM sightline.bus_accounts AS t
WHERE t.owner_id = :person;

-- name: bus_queues
-- Queues. Of the person's account.
SELECT (to_jsonb(t))::text AS item FROM sightline.bus_queues AS t
WHERE t.account_id IN (SELECT account_id FROM sightline.bus_accounts WHERE owner_id = :person);

-- name: bus_topics
-- Topics. Of the person's account.
SELECT (to_jsonb(t))::text AS item FROM sightline.bus_topics AS t
WHERE t.account_id IN (SELECT account_id FROM sightline.bus_accounts WHERE owner_id = :person);

-- name: bus_subscriptions
-- Subscriptions. Of the person's account.
SELECT (to_jsonb(t))::text AS item FROM sightline.bus_subscriptions AS t
WHERE t.account_id IN (SELECT account_id FROM sightline.bus_accounts WHERE owner_id = :person);

-- name: bus_event_buses
-- Event buses. Of the person's account.
SELECT (to_jsonb(t))::text AS item FROM sightline.bus_event_buses AS t
WHERE t.account_id IN (SELECT account_id FROM sightline.bus_accounts WHERE owner_id = :person);

-- name: bus_rules
-- Rules. Of the person's account.
SELECT (to_jsonb(t))::text AS item FROM sightline.bus_rules AS t
WHERE t.account_id IN (SELECT account_id FROM sightline.bus_accounts WHERE owner_id = :person);

-- name: bus_archives
-- Archives of events. Of the person's account.
SELECT (to_jsonb(t))::text AS item FROM sightline.bus_archives AS t
WHERE t.account_id IN (SELECT account_id FROM sightline.bus_accounts WHERE owner_id = :person);

-- name: bus_replays
-- Replays of archives. Of the person's account.
SELECT (to_jsonb(t))::text AS item FROM sightline.bus_replays AS t
WHERE t.account_id IN (SELECT account_id FROM sightline.bus_accounts WHERE owner_id = :person);

-- name: bus_move_tasks
-- Moves of dead letters. Of the person's account.
SELECT (to_jsonb(t))::text AS item FROM sightline.bus_move_tasks AS t
WHERE t.account_id IN (SELECT account_id FROM sightline.bus_accounts WHERE owner_id = :person);

-- name: bus_connections
-- Connections to other services, without secrets. Of the person's account.
SELECT (to_jsonb(t) - 'sealed_parameters')::text AS item FROM sightline.bus_connections AS t
WHERE t.account_id IN (SELECT account_id FROM sightline.bus_accounts WHERE owner_id = :person);

-- name: bus_api_destinations
-- Destinations of events. Of the person's account.
SELECT (to_jsonb(t))::text AS item FROM sightline.bus_api_destinations AS t
WHERE t.account_id IN (SELECT account_id FROM sightline.bus_accounts WHERE owner_id = :person);

-- name: bus_schedule_groups
-- Groups of schedules. Of the person's account.
SELECT (to_jsonb(t))::text AS item FROM sightline.bus_schedule_groups AS t
WHERE t.account_id IN (SELECT account_id FROM sightline.bus_accounts WHERE owner_id = :person);

-- name: bus_schedules
-- Schedules. Of the person's account.
SELECT (to_jsonb(t))::text AS item FROM sightline.bus_schedules AS t
WHERE t.account_id IN (SELECT account_id FROM sightline.bus_accounts WHERE owner_id = :person);

-- name: bus_rule_clocks
-- When scheduled rules of the person's account are due.
SELECT (to_jsonb(t))::text AS item FROM sightline.bus_rule_clocks AS t
WHERE (t.event_bus, t.rule) IN (SELECT event_bus, name FROM sightline.bus_rules WHERE account_id IN (SELECT account_id FROM sightline.bus_accounts WHERE owner_id = :person));

-- name: bus_messages
-- Messages in queues of the person's account.
SELECT (to_jsonb(t))::text AS item FROM sightline.bus_messages AS t
WHERE t.queue_id IN (SELECT id FROM sightline.bus_queues WHERE account_id IN (SELECT account_id FROM sightline.bus_accounts WHERE owner_id = :person));

-- name: bus_archived_events
-- Events in archives of the person's account.
SELECT (to_jsonb(t))::text AS item FROM sightline.bus_archived_events AS t
WHERE t.archive_id IN (SELECT archive_id FROM sightline.bus_archives WHERE account_id IN (SELECT account_id FROM sightline.bus_accounts WHERE owner_id = :person));
