-- name: lock_changes
-- Lets one change of the topology happen at a time, in all processes, until the transaction ends.
SELECT pg_advisory_xact_lock(hashtext('sightline.bus_topology'));

-- name: changes
-- What changed after a version, in the order in which it happened.
SELECT 'queue' AS kind, version, to_jsonb(q) AS content FROM sightline.bus_queues AS q WHERE version > :version
UNION ALL SELECT 'topic', version, to_jsonb(t) FROM sightline.bus_topics AS t WHERE version > :version
UNION ALL SELECT 'subscription', version, to_jsonb(s) FROM sightline.bus_subscriptions AS s WHERE version > :version
UNION ALL SELECT 'event_bus', version, to_jsonb(e) FROM sightline.bus_event_buses AS e WHERE version > :version
UNION ALL SELECT 'rule', version, to_jsonb(r) FROM sightline.bus_rules AS r WHERE version > :version
UNION ALL SELECT 'archive', version, to_jsonb(a) FROM sightline.bus_archives AS a WHERE version > :version
UNION ALL SELECT 'removal', version, to_jsonb(x) FROM sightline.bus_removals AS x WHERE version > :version
ORDER BY version;

-- name: put_queue
-- Creates a queue, or changes the one of this name.
INSERT INTO sightline.bus_queues (name, account_id, is_declared, is_dead_letter, is_fifo, keeps_age, retention_s, attributes, tags, purged_at)
VALUES (:name, :account_id, :is_declared, :is_dead_letter, :is_fifo, :keeps_age, :retention_s, :attributes, :tags, :purged_at)
ON CONFLICT (name) DO UPDATE
SET account_id = excluded.account_id, is_declared = excluded.is_declared, is_dead_letter = excluded.is_dead_letter,
    is_fifo = excluded.is_fifo, keeps_age = excluded.keeps_age, retention_s = excluded.retention_s,
    attributes = excluded.attributes, tags = excluded.tags, purged_at = excluded.purged_at,
    changed_at = CASE WHEN bus_queues.attributes = excluded.attributes THEN bus_queues.changed_at ELSE now() END,
    version = nextval('sightline.bus_version');

-- name: put_topic
-- Creates a topic, or changes the one of this name.
INSERT INTO sightline.bus_topics (name, account_id, is_declared, is_fifo, attributes, tags)
VALUES (:name, :account_id, :is_declared, :is_fifo, :attributes, :tags)
ON CONFLICT (name) DO UPDATE
SET account_id = excluded.account_id, is_declared = excluded.is_declared, is_fifo = excluded.is_fifo,
    attributes = excluded.attributes, tags = excluded.tags, version = nextval('sightline.bus_version');

-- name: put_subscription
-- Creates a subscription, or changes the one of this id.
INSERT INTO sightline.bus_subscriptions (subscription_id, topic, account_id, is_declared, protocol, endpoint, is_confirmed,
    filter_policy, filter_scope, is_raw, dead_letter_arn, attributes)
VALUES (:subscription_id, :topic, :account_id, :is_declared, :protocol, :endpoint, :is_confirmed,
    :filter_policy, :filter_scope, :is_raw, :dead_letter_arn, :attributes)
ON CONFLICT (subscription_id) DO UPDATE
SET is_confirmed = excluded.is_confirmed, filter_policy = excluded.filter_policy, filter_scope = excluded.filter_scope,
    is_raw = excluded.is_raw, dead_letter_arn = excluded.dead_letter_arn, attributes = excluded.attributes,
    account_id = excluded.account_id, version = nextval('sightline.bus_version');

-- name: put_event_bus
-- Creates an event bus, or changes the one of this name.
INSERT INTO sightline.bus_event_buses (name, account_id, is_declared, attributes, tags)
VALUES (:name, :account_id, :is_declared, :attributes, :tags)
ON CONFLICT (name) DO UPDATE
SET account_id = excluded.account_id, is_declared = excluded.is_declared, attributes = excluded.attributes, tags = excluded.tags,
    version = nextval('sightline.bus_version');

-- name: put_rule
-- Creates a rule, or changes the one of this name on this event bus.
INSERT INTO sightline.bus_rules (event_bus, name, account_id, is_declared, is_enabled, pattern, schedule, targets, attributes, tags)
VALUES (:event_bus, :name, :account_id, :is_declared, :is_enabled, :pattern, :schedule, :targets, :attributes, :tags)
ON CONFLICT (event_bus, name) DO UPDATE
SET account_id = excluded.account_id, is_declared = excluded.is_declared, is_enabled = excluded.is_enabled,
    pattern = excluded.pattern, schedule = excluded.schedule, targets = excluded.targets, attributes = excluded.attributes,
    tags = excluded.tags, version = nextval('sightline.bus_version');

-- name: put_archive
-- Creates an archive, or changes the one of this name.
INSERT INTO sightline.bus_archives (name, archive_id, account_id, is_declared, event_bus, pattern, retention_days, attributes)
VALUES (:name, :archive_id, :account_id, :is_declared, :event_bus, :pattern, :retention_days, :attributes)
ON CONFLICT (name) DO UPDATE
SET pattern = excluded.pattern, retention_days = excluded.retention_days, attributes = excluded.attributes,
    account_id = excluded.account_id, is_declared = excluded.is_declared, version = nextval('sightline.bus_version');

-- name: remove_archive
-- Removes an archive; the sweep deletes its events.
WITH removed AS (DELETE FROM sightline.bus_archives WHERE name = :key RETURNING name)
INSERT INTO sightline.bus_removals (kind, key) SELECT 'archive', name FROM removed;

-- name: remove_queue
-- Removes a queue; the sweep deletes its messages.
WITH removed AS (DELETE FROM sightline.bus_queues WHERE name = :key RETURNING name, id)
INSERT INTO sightline.bus_removals (kind, key, queue_id) SELECT 'queue', name, id FROM removed;

-- name: remove_topic
-- Removes a topic and all of its subscriptions.
WITH subscriptions AS (DELETE FROM sightline.bus_subscriptions WHERE topic = :key RETURNING subscription_id),
     topics AS (DELETE FROM sightline.bus_topics WHERE name = :key RETURNING name)
INSERT INTO sightline.bus_removals (kind, key)
SELECT 'subscription', subscription_id::text FROM subscriptions UNION ALL SELECT 'topic', name FROM topics;

-- name: remove_subscription
-- Removes a subscription.
WITH removed AS (DELETE FROM sightline.bus_subscriptions WHERE subscription_id = :key::text::uuid RETURNING subscription_id)
INSERT INTO sightline.bus_removals (kind, key) SELECT 'subscription', subscription_id::text FROM removed;

-- name: remove_event_bus
-- Removes an event bus and all of its rules.
WITH rules AS (DELETE FROM sightline.bus_rules WHERE event_bus = :key RETURNING event_bus || '|' || name AS key),
     event_buses AS (DELETE FROM sightline.bus_event_buses WHERE name = :key RETURNING name)
INSERT INTO sightline.bus_removals (kind, key) SELECT 'rule', key FROM rules UNION ALL SELECT 'event_bus', name FROM event_buses;

-- name: remove_rule
-- Removes a rule with its targets.
WITH removed AS (DELETE FROM sightline.bus_rules WHERE event_bus || '|' || name = :key RETURNING event_bus || '|' || name AS key)
INSERT INTO sightline.bus_removals (kind, key) SELECT 'rule', key FROM removed;

-- name: notify_changes
-- Lets other processes read the change as soon as it is committed.
SELECT pg_notify('sightline_bus_topology', '');

-- name: removed_at
-- When a resource of this kind and key was removed last.
SELECT max(removed_at) FROM sightline.bus_removals WHERE kind = :kind AND key = :key;

-- name: forget_removals
-- Forgets what was removed long ago; the messages of removed queues are gone by then.
DELETE FROM sightline.bus_removals WHERE removed_at < now() - make_interval(secs => :seconds::float8);

-- name: account_of_owner
-- The account of an owner.
SELECT account_id FROM sightline.bus_accounts WHERE owner_id = :owner_id;

-- name: add_account
-- Gives an owner an account; nothing is added if another process was first or the number is taken.
INSERT INTO sightline.bus_accounts (account_id, owner_id) VALUES (:account_id, :owner_id) ON CONFLICT DO NOTHING;

-- name: accounts
-- Every account and its owner.
SELECT account_id, owner_id FROM sightline.bus_accounts;
