-- Fair queues: messages of one owner are a lane, and lanes take turns (ADR 0034).

ALTER TABLE sightline.bus_messages
    ADD COLUMN lane text,
    ADD COLUMN is_urgent boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN sightline.bus_messages.lane IS 'Whose message it is, in a fair queue; empty for messages of no owner, NULL in other queues.';
COMMENT ON COLUMN sightline.bus_messages.is_urgent IS 'Alarms: received before everything else in a fair queue.';

-- Holds rows of fair queues only, so that other queues do not pay for it. No receive changes its columns: claims stay HOT updates.
CREATE INDEX bus_messages_lanes ON sightline.bus_messages (queue_id, is_urgent, lane, seq)
    WHERE parked_until IS NULL AND lane IS NOT NULL;
