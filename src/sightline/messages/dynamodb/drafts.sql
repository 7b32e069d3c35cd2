-- name: add
-- Adds a message to store in DynamoDB, with its event; returns its id unless there is a draft of it.
INSERT INTO message_drafts (message_id, record, event) VALUES (:message_id, :record, :event)
ON CONFLICT (message_id) DO NOTHING
RETURNING message_id;

-- name: take
-- Locks one draft until the transaction ends; other relays skip it.
SELECT message_id, record, event, attempts FROM message_drafts WHERE message_id = :message_id FOR UPDATE SKIP LOCKED;

-- name: due
-- Drafts that are due, oldest first.
SELECT message_id FROM message_drafts WHERE next_try_at <= now() ORDER BY next_try_at LIMIT :limit;

-- name: remove
-- The record is stored, and its event is published in this transaction.
DELETE FROM message_drafts WHERE message_id = :message_id;

-- name: postpone
-- It could not be stored; the relay tries again later.
UPDATE message_drafts
SET attempts = attempts + 1, next_try_at = now() + :delay::interval, last_error = :error
WHERE message_id = :message_id;
