-- name: add
-- A message that is to be stored outside, with its event; says its id if no draft of it waits already.
INSERT INTO message_drafts (message_id, record, event) VALUES (:message_id, :record, :event)
ON CONFLICT (message_id) DO NOTHING
RETURNING message_id;

-- name: take
-- One draft, held until the transaction ends; whoever else looks passes over it.
SELECT message_id, record, event, attempts FROM message_drafts WHERE message_id = :message_id FOR UPDATE SKIP LOCKED;

-- name: due
-- Drafts that are to be tried now, oldest first.
SELECT message_id FROM message_drafts WHERE next_try_at <= now() ORDER BY next_try_at LIMIT :limit;

-- name: remove
-- The record is stored and its event said in this transaction.
DELETE FROM message_drafts WHERE message_id = :message_id;

-- name: postpone
-- It could not be stored; to be tried again.
UPDATE message_drafts
SET attempts = attempts + 1, next_try_at = now() + :delay::interval, last_error = :error
WHERE message_id = :message_id;
