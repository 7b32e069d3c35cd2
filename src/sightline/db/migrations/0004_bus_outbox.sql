-- The outbox: what was said in a transaction and has yet to reach AWS.

CREATE TABLE bus_outbox (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    message_id uuid NOT NULL,
    kind text NOT NULL CHECK (kind IN ('topic', 'event', 'queue')),
    target text NOT NULL,
    subject text,
    body text NOT NULL,
    attributes text,
    context text,
    delay_s integer CHECK (delay_s >= 0),
    state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'failed')),
    attempts integer NOT NULL DEFAULT 0,
    next_try_at timestamptz NOT NULL DEFAULT now(),
    created_at timestamptz NOT NULL DEFAULT now(),
    last_error text
) WITH (
    -- Every entry is deleted once it is sent, so without prompt cleaning the claim would wade through the dead.
    autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
    autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 50000,
    autovacuum_vacuum_cost_delay = 0
);
COMMENT ON TABLE bus_outbox IS 'Messages on their way to AWS; an entry is deleted when AWS has accepted it.';
COMMENT ON COLUMN bus_outbox.target IS 'Name of the topic, event bus or queue.';
COMMENT ON COLUMN bus_outbox.body IS 'The message; for an event, JSON text of source, detail-type, detail, resources and time.';
COMMENT ON COLUMN bus_outbox.attributes IS 'JSON text, name to Type and Value.';
COMMENT ON COLUMN bus_outbox.context IS 'JSON text: correlation id and trace of the sender.';
COMMENT ON COLUMN bus_outbox.state IS 'failed: AWS refused it, or it was tried too often; kept for a person to look at.';

-- Claims read only what waits; neither what was sent nor what failed lies in their way.
CREATE INDEX bus_outbox_due ON bus_outbox (next_try_at, id) WHERE state = 'pending';

SELECT sightline.protect('bus_outbox');
GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO sightline_worker;
