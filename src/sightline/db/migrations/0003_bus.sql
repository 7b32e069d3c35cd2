-- The bus: queues of the embedded keeper, one row per message and queue. In the schema sightline, because Supabase
-- shows what stands in public to the world.

CREATE TABLE sightline.bus_queues (
    id smallint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text NOT NULL UNIQUE,
    is_dead_letter boolean NOT NULL,
    retention_s integer NOT NULL
);
COMMENT ON TABLE sightline.bus_queues IS 'The queues that bus/topology.py names; written at start.';

-- How a message is found, and why the columns are what they are (ADR 0008):
-- * A receive changes visible_at, receive_count and the like, and no index looks at any of them. So it is a HOT update: no index
--   is touched, no dead index entries are left, and the room it needs is on the same page (fillfactor).
-- * A message that waits for long (a delay, a retry) is parked: it leaves the index that receives scan, so that a
--   thousand of them do not slow down the rest, and stands in one ordered by time instead.
-- * There is no primary key besides: (queue_id, seq) is unique by its sequence, and every index costs each message.
CREATE TABLE sightline.bus_messages (
    queue_id smallint NOT NULL,
    receive_count integer NOT NULL DEFAULT 0,
    redrive_count integer NOT NULL DEFAULT 0,
    seq bigint GENERATED ALWAYS AS IDENTITY,
    message_id uuid NOT NULL,
    sent_at timestamptz NOT NULL DEFAULT now(),
    entered_at timestamptz NOT NULL DEFAULT now(),
    visible_at timestamptz NOT NULL DEFAULT now(),
    parked_until timestamptz,
    claimed_at timestamptz,
    first_received_at timestamptz,
    source_queue_id smallint,
    topic text,
    subject text,
    body text NOT NULL,
    attributes text,
    context text,
    dead_reason text
) WITH (
    fillfactor = 50,
    autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000,
    autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 1000000,
    autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 50000,
    autovacuum_vacuum_cost_delay = 0,
    vacuum_truncate = off
);
COMMENT ON TABLE sightline.bus_messages IS 'Messages waiting in, or received from, the queues of the embedded bus.';
COMMENT ON COLUMN sightline.bus_messages.entered_at IS 'When it came into this queue: the clock of retention, its own in a dead-letter queue.';
COMMENT ON COLUMN sightline.bus_messages.visible_at IS 'Not to be received before; moved on by each receive.';
COMMENT ON COLUMN sightline.bus_messages.parked_until IS 'Set while it waits for a delay or a retry; NULL otherwise.';
COMMENT ON COLUMN sightline.bus_messages.topic IS 'Set when the envelope of this topic belongs around the body.';
COMMENT ON COLUMN sightline.bus_messages.attributes IS 'JSON text, name to Type and Value; only read whole, so not worth a jsonb.';
COMMENT ON COLUMN sightline.bus_messages.context IS 'JSON text: correlation id and trace of the sender.';

CREATE UNIQUE INDEX bus_messages_waiting ON sightline.bus_messages (queue_id, seq) WHERE parked_until IS NULL;
CREATE INDEX bus_messages_parked ON sightline.bus_messages (queue_id, parked_until) WHERE parked_until IS NOT NULL;

-- Bodies are JSON of some hundred bytes; kept inline up to 2 kB, compressed or moved out beyond.
ALTER TABLE sightline.bus_messages ALTER COLUMN body SET COMPRESSION pglz;

-- Nobody but the platform may look, so there is nothing for row level security to decide. And it would rule out COPY.
GRANT SELECT, INSERT, UPDATE, DELETE ON sightline.bus_queues, sightline.bus_messages TO sightline_worker;
