-- EventBridge and EventBridge Scheduler for clients: archives and replays, connections and destinations, the clock of rules, schedules (ADR 0057).
-- keeps: the constraint allows more kinds than before

CREATE TABLE sightline.bus_archives (
    name text PRIMARY KEY,
    archive_id uuid NOT NULL UNIQUE,
    account_id text NOT NULL,
    is_declared boolean NOT NULL DEFAULT false,
    event_bus text NOT NULL,
    pattern text,
    retention_days integer NOT NULL DEFAULT 0 CHECK (retention_days >= 0),
    attributes jsonb NOT NULL DEFAULT '{}',
    created_at timestamptz NOT NULL DEFAULT now(),
    version bigint NOT NULL DEFAULT nextval('sightline.bus_version')
);
CREATE INDEX bus_archives_changed ON sightline.bus_archives (version);
COMMENT ON COLUMN sightline.bus_archives.name IS 'The plain name in the platform''s account, "account/name" in others.';
COMMENT ON COLUMN sightline.bus_archives.retention_days IS '0 keeps events for as long as the archive exists.';

ALTER TABLE sightline.bus_removals DROP CONSTRAINT bus_removals_kind_check;
ALTER TABLE sightline.bus_removals ADD CONSTRAINT bus_removals_kind_check
    CHECK (kind IN ('queue', 'topic', 'subscription', 'event_bus', 'rule', 'archive'));

CREATE TABLE sightline.bus_archived_events (
    archive_id uuid NOT NULL,
    seq bigint GENERATED ALWAYS AS IDENTITY,
    event_time timestamptz NOT NULL,
    event text NOT NULL,
    PRIMARY KEY (archive_id, event_time, seq)
);
COMMENT ON TABLE sightline.bus_archived_events IS 'Events of archives, written in the transaction that put them on their event bus.';

CREATE TABLE sightline.bus_replays (
    account_id text NOT NULL,
    name text NOT NULL,
    archive text NOT NULL,
    archive_id uuid NOT NULL,
    event_bus text NOT NULL,
    rule_arns text[] NOT NULL DEFAULT '{}',
    description text,
    starts_at timestamptz NOT NULL,
    ends_at timestamptz NOT NULL,
    state text NOT NULL DEFAULT 'STARTING' CHECK (state IN ('STARTING', 'RUNNING', 'CANCELLING', 'COMPLETED', 'CANCELLED', 'FAILED')),
    state_reason text,
    replayed_until timestamptz,
    last_seq bigint NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL DEFAULT now(),
    ended_at timestamptz,
    PRIMARY KEY (account_id, name)
);
CREATE INDEX bus_replays_unfinished ON sightline.bus_replays (created_at) WHERE state IN ('STARTING', 'RUNNING', 'CANCELLING');
COMMENT ON COLUMN sightline.bus_replays.replayed_until IS 'Time of the last event that was replayed; with last_seq, where the replay goes on.';

CREATE TABLE sightline.bus_connections (
    account_id text NOT NULL,
    name text NOT NULL,
    connection_id uuid NOT NULL,
    description text,
    authorization_type text NOT NULL CHECK (authorization_type IN ('BASIC', 'API_KEY', 'OAUTH_CLIENT_CREDENTIALS')),
    shown_parameters jsonb NOT NULL,
    sealed_parameters bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    changed_at timestamptz NOT NULL DEFAULT now(),
    authorized_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (account_id, name)
);
COMMENT ON COLUMN sightline.bus_connections.shown_parameters IS 'Authorization parameters without secrets.';
COMMENT ON COLUMN sightline.bus_connections.sealed_parameters IS 'All authorization parameters, encrypted under a secret of the installation.';

CREATE TABLE sightline.bus_api_destinations (
    account_id text NOT NULL,
    name text NOT NULL,
    destination_id uuid NOT NULL,
    description text,
    connection_arn text NOT NULL,
    endpoint text NOT NULL,
    method text NOT NULL,
    rate_limit integer NOT NULL DEFAULT 300,
    created_at timestamptz NOT NULL DEFAULT now(),
    changed_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (account_id, name)
);

CREATE TABLE sightline.bus_rule_clocks (
    event_bus text NOT NULL,
    rule text NOT NULL,
    expression text NOT NULL,
    anchor timestamptz NOT NULL,
    next_tick timestamptz,
    PRIMARY KEY (event_bus, rule),
    FOREIGN KEY (event_bus, rule) REFERENCES sightline.bus_rules (event_bus, name) ON DELETE CASCADE
);
CREATE INDEX bus_rule_clocks_due ON sightline.bus_rule_clocks (next_tick);
COMMENT ON TABLE sightline.bus_rule_clocks IS 'When the rules with a schedule are due. A row that is locked by one process is skipped by others.';

CREATE TABLE sightline.bus_schedule_groups (
    account_id text NOT NULL,
    name text NOT NULL,
    tags jsonb NOT NULL DEFAULT '{}',
    client_token text,
    created_at timestamptz NOT NULL DEFAULT now(),
    changed_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (account_id, name)
);

CREATE TABLE sightline.bus_schedules (
    account_id text NOT NULL,
    group_name text NOT NULL,
    name text NOT NULL,
    expression text NOT NULL,
    zone text NOT NULL DEFAULT 'UTC',
    description text,
    is_enabled boolean NOT NULL DEFAULT true,
    starts_at timestamptz,
    ends_at timestamptz,
    window_minutes integer NOT NULL DEFAULT 0 CHECK (window_minutes BETWEEN 0 AND 1440),
    deletes_itself boolean NOT NULL DEFAULT false,
    target jsonb NOT NULL,
    kms_key_arn text,
    client_token text,
    request_digest text,
    anchor timestamptz NOT NULL,
    next_tick timestamptz,
    fires_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    changed_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (account_id, group_name, name),
    FOREIGN KEY (account_id, group_name) REFERENCES sightline.bus_schedule_groups (account_id, name) ON DELETE CASCADE
);
CREATE INDEX bus_schedules_due ON sightline.bus_schedules (fires_at) WHERE fires_at IS NOT NULL;
COMMENT ON COLUMN sightline.bus_schedules.anchor IS 'What rate() counts from.';
COMMENT ON COLUMN sightline.bus_schedules.next_tick IS 'The next scheduled time; NULL when there is none or the schedule is disabled.';
COMMENT ON COLUMN sightline.bus_schedules.fires_at IS 'When it is invoked for next_tick: later than that by a random part of its flexible time window.';
COMMENT ON COLUMN sightline.bus_schedules.target IS 'The target as Scheduler shows it.';

GRANT SELECT, INSERT, UPDATE, DELETE ON sightline.bus_archives, sightline.bus_archived_events, sightline.bus_replays, sightline.bus_connections,
    sightline.bus_api_destinations, sightline.bus_rule_clocks, sightline.bus_schedule_groups, sightline.bus_schedules TO sightline_worker;
