-- FIFO topics: deduplication for five minutes, and the sequence numbers of their messages.

CREATE SEQUENCE sightline.bus_topic_seq;

CREATE TABLE sightline.bus_topic_deduplications (
    topic text NOT NULL REFERENCES sightline.bus_topics ON DELETE CASCADE,
    scope text NOT NULL,
    deduplication_id text NOT NULL,
    message_id uuid NOT NULL,
    seq bigint NOT NULL,
    until timestamptz NOT NULL,
    PRIMARY KEY (topic, scope, deduplication_id)
);
CREATE INDEX bus_topic_deduplications_until ON sightline.bus_topic_deduplications (until);
COMMENT ON TABLE sightline.bus_topic_deduplications IS 'Deduplication ids of FIFO topics, kept for five minutes.';
COMMENT ON COLUMN sightline.bus_topic_deduplications.scope IS 'Empty, or the message group where deduplication is per group.';
COMMENT ON COLUMN sightline.bus_messages.system_attributes IS 'JSON text: what SQS shows as attributes of the message itself, such as AWSTraceHeader; under "Envelope", what only the notification around it says.';

GRANT SELECT, INSERT, UPDATE, DELETE ON sightline.bus_topic_deduplications TO sightline_worker;
GRANT USAGE ON SEQUENCE sightline.bus_topic_seq TO sightline_worker;
