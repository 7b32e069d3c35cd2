-- Client-created topology: accounts, queues, topics, subscriptions, event buses and rules beside the declared ones (ADR 0054).
-- keeps: numbers of queues are read and written as before; larger ones fit now

-- Changes of the topology are serialised by an advisory lock, so versions become visible in their order: a process that has read up to
-- a version misses nothing by reading what is above it.
CREATE SEQUENCE sightline.bus_version;

CREATE TABLE sightline.bus_accounts (
    account_id text PRIMARY KEY CHECK (account_id ~ '^[0-9]{12}$'),
    owner_id uuid NOT NULL UNIQUE,
    created_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE sightline.bus_accounts IS 'The AWS account number of each owner; operators share the one of SIGHTLINE_BUS_ACCOUNT_ID.';

-- An integer costs no more room than a smallint here: the columns beside it are aligned to four bytes.
ALTER TABLE sightline.bus_messages
    ALTER COLUMN queue_id TYPE integer,
    ALTER COLUMN source_queue_id TYPE integer,
    ADD COLUMN system_attributes text;
COMMENT ON COLUMN sightline.bus_messages.system_attributes IS 'JSON text: what SQS shows as attributes of the message itself, such as AWSTraceHeader.';
COMMENT ON COLUMN sightline.bus_messages.lane IS 'Whose message it is, in a fair queue; empty for messages of no owner. The message group in a FIFO queue. NULL in other queues.';

ALTER TABLE sightline.bus_queues
    ALTER COLUMN id TYPE integer,
    ADD COLUMN account_id text NOT NULL DEFAULT '000000000000',
    ADD COLUMN is_declared boolean NOT NULL DEFAULT true,
    ADD COLUMN is_fifo boolean NOT NULL DEFAULT false,
    ADD COLUMN keeps_age boolean NOT NULL DEFAULT false,
    ADD COLUMN attributes jsonb NOT NULL DEFAULT '{}',
    ADD COLUMN tags jsonb NOT NULL DEFAULT '{}',
    ADD COLUMN created_at timestamptz NOT NULL DEFAULT now(),
    ADD COLUMN changed_at timestamptz NOT NULL DEFAULT now(),
    ADD COLUMN purged_at timestamptz,
    ADD COLUMN version bigint NOT NULL DEFAULT nextval('sightline.bus_version');
CREATE INDEX bus_queues_changed ON sightline.bus_queues (version);
COMMENT ON TABLE sightline.bus_queues IS 'The queues that bus/topology.py declares, written at start, and those that clients create.';
COMMENT ON COLUMN sightline.bus_queues.name IS 'The plain name in the platform''s account, "account/name" in others.';
COMMENT ON COLUMN sightline.bus_queues.attributes IS 'Attributes as SQS names them, name to text, as far as they were set.';
COMMENT ON COLUMN sightline.bus_queues.keeps_age IS 'Whether a message that moves to the dead-letter queue keeps its age, as in a standard queue of SQS.';

CREATE TABLE sightline.bus_topics (
    name text PRIMARY KEY,
    account_id text NOT NULL,
    is_declared boolean NOT NULL DEFAULT false,
    is_fifo boolean NOT NULL DEFAULT false,
    attributes jsonb NOT NULL DEFAULT '{}',
    tags jsonb NOT NULL DEFAULT '{}',
    created_at timestamptz NOT NULL DEFAULT now(),
    version bigint NOT NULL DEFAULT nextval('sightline.bus_version')
);
CREATE INDEX bus_topics_changed ON sightline.bus_topics (version);
COMMENT ON COLUMN sightline.bus_topics.name IS 'The plain name in the platform''s account, "account/name" in others.';
COMMENT ON COLUMN sightline.bus_topics.attributes IS 'Attributes as SNS names them, name to text, as far as they were set.';

CREATE TABLE sightline.bus_subscriptions (
    subscription_id uuid PRIMARY KEY,
    topic text NOT NULL REFERENCES sightline.bus_topics ON DELETE CASCADE,
    account_id text NOT NULL,
    is_declared boolean NOT NULL DEFAULT false,
    protocol text NOT NULL,
    endpoint text NOT NULL,
    is_confirmed boolean NOT NULL DEFAULT true,
    filter_policy text,
    filter_scope text NOT NULL DEFAULT 'MessageAttributes' CHECK (filter_scope IN ('MessageAttributes', 'MessageBody')),
    is_raw boolean NOT NULL DEFAULT false,
    dead_letter_arn text,
    attributes jsonb NOT NULL DEFAULT '{}',
    created_at timestamptz NOT NULL DEFAULT now(),
    version bigint NOT NULL DEFAULT nextval('sightline.bus_version')
);
CREATE INDEX bus_subscriptions_of_topic ON sightline.bus_subscriptions (topic);
CREATE INDEX bus_subscriptions_changed ON sightline.bus_subscriptions (version);
COMMENT ON COLUMN sightline.bus_subscriptions.endpoint IS 'The ARN of a queue, a URL, an email address.';
COMMENT ON COLUMN sightline.bus_subscriptions.attributes IS 'Everything else that SNS keeps of a subscription, such as its DeliveryPolicy and the confirmation token.';

CREATE TABLE sightline.bus_event_buses (
    name text PRIMARY KEY,
    account_id text NOT NULL,
    is_declared boolean NOT NULL DEFAULT false,
    attributes jsonb NOT NULL DEFAULT '{}',
    tags jsonb NOT NULL DEFAULT '{}',
    created_at timestamptz NOT NULL DEFAULT now(),
    version bigint NOT NULL DEFAULT nextval('sightline.bus_version')
);
CREATE INDEX bus_event_buses_changed ON sightline.bus_event_buses (version);
COMMENT ON COLUMN sightline.bus_event_buses.name IS 'The plain name in the platform''s account, "account/name" in others.';

CREATE TABLE sightline.bus_rules (
    event_bus text NOT NULL REFERENCES sightline.bus_event_buses ON DELETE CASCADE,
    name text NOT NULL,
    account_id text NOT NULL,
    is_declared boolean NOT NULL DEFAULT false,
    is_enabled boolean NOT NULL DEFAULT true,
    pattern text,
    schedule text,
    targets jsonb NOT NULL DEFAULT '[]',
    attributes jsonb NOT NULL DEFAULT '{}',
    tags jsonb NOT NULL DEFAULT '{}',
    created_at timestamptz NOT NULL DEFAULT now(),
    version bigint NOT NULL DEFAULT nextval('sightline.bus_version'),
    PRIMARY KEY (event_bus, name),
    CHECK (pattern IS NOT NULL OR schedule IS NOT NULL)
);
CREATE INDEX bus_rules_changed ON sightline.bus_rules (version);
COMMENT ON COLUMN sightline.bus_rules.targets IS 'Targets as EventBridge shows them: Id, Arn, Input, InputPath, InputTransformer, DeadLetterConfig, RetryPolicy, …';

CREATE TABLE sightline.bus_removals (
    version bigint PRIMARY KEY DEFAULT nextval('sightline.bus_version'),
    kind text NOT NULL CHECK (kind IN ('queue', 'topic', 'subscription', 'event_bus', 'rule')),
    key text NOT NULL,
    queue_id integer,
    removed_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX bus_removals_by_key ON sightline.bus_removals (kind, key);
COMMENT ON TABLE sightline.bus_removals IS 'What was removed lately, so that every process forgets it and the messages of removed queues are deleted.';

CREATE TABLE sightline.bus_deduplications (
    queue_id integer NOT NULL,
    scope text NOT NULL,
    deduplication_id text NOT NULL,
    message_id uuid NOT NULL,
    seq bigint NOT NULL,
    until timestamptz NOT NULL,
    PRIMARY KEY (queue_id, scope, deduplication_id)
);
CREATE INDEX bus_deduplications_until ON sightline.bus_deduplications (until);
COMMENT ON TABLE sightline.bus_deduplications IS 'Deduplication ids of FIFO queues, kept for five minutes.';
COMMENT ON COLUMN sightline.bus_deduplications.scope IS 'Empty, or the message group where deduplication is per group.';

CREATE TABLE sightline.bus_move_tasks (
    task_id uuid PRIMARY KEY,
    account_id text NOT NULL,
    source_arn text NOT NULL,
    destination_arn text,
    max_per_second integer,
    status text NOT NULL DEFAULT 'RUNNING' CHECK (status IN ('RUNNING', 'COMPLETED', 'CANCELLING', 'CANCELLED', 'FAILED')),
    moved bigint NOT NULL DEFAULT 0,
    to_move bigint NOT NULL,
    failure_reason text,
    started_at timestamptz NOT NULL DEFAULT now(),
    run_until timestamptz
);
CREATE UNIQUE INDEX bus_move_tasks_running ON sightline.bus_move_tasks (source_arn) WHERE status IN ('RUNNING', 'CANCELLING');
CREATE INDEX bus_move_tasks_of_source ON sightline.bus_move_tasks (source_arn, started_at DESC);
COMMENT ON TABLE sightline.bus_move_tasks IS 'Message move tasks of SQS: dead letters on their way back.';
COMMENT ON COLUMN sightline.bus_move_tasks.run_until IS 'Until when a process has claimed the task.';

-- Nobody but the platform may look, as with the other tables of the bus.
GRANT SELECT, INSERT, UPDATE, DELETE ON sightline.bus_accounts, sightline.bus_topics, sightline.bus_subscriptions, sightline.bus_event_buses,
    sightline.bus_rules, sightline.bus_removals, sightline.bus_deduplications, sightline.bus_move_tasks TO sightline_worker;
GRANT USAGE ON SEQUENCE sightline.bus_version TO sightline_worker;
