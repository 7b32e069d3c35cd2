-- name: add_entries
-- Adds entries in one statement and notifies the relays.
WITH added AS (
    INSERT INTO bus_outbox (message_id, kind, target, subject, body, attributes, context, delay_s, publication)
    SELECT new.message_id, :kind, new.target, new.subject, new.body, new.attributes, new.context, new.delay_s, new.publication
    FROM unnest(:message_ids::uuid[], :targets::text[], :subjects::text[], :bodies::text[], :attributes::text[],
                :contexts::text[], :delays::integer[], :publications::text[])
        AS new (message_id, target, subject, body, attributes, context, delay_s, publication)
)
SELECT pg_notify('sightline_outbox', '');

-- name: claim_entries
-- Claims due entries, oldest first; other relays skip them until this transaction ends.
SELECT id, message_id, kind, target, subject, body, attributes, context, delay_s, attempts, publication,
       extract(epoch FROM now() - created_at)::float8 AS age_s
FROM bus_outbox
WHERE state = 'pending' AND next_try_at <= now()
ORDER BY next_try_at, id
LIMIT :limit
FOR UPDATE SKIP LOCKED;

-- name: delete_sent
-- Deletes entries that AWS has accepted.
DELETE FROM bus_outbox WHERE id = ANY (:ids::bigint[]);

-- name: postpone
-- Postpones entries that AWS did not accept this time.
UPDATE bus_outbox AS o
SET attempts = o.attempts + 1, next_try_at = clock_timestamp() + make_interval(secs => late.delay_s), last_error = late.error
FROM unnest(:ids::bigint[], :delays::float8[], :errors::text[]) AS late (id, delay_s, error)
WHERE o.id = late.id;

-- name: fail
-- Marks entries as failed; they stay for inspection.
UPDATE bus_outbox AS o
SET state = 'failed', attempts = o.attempts + 1, last_error = dead.error
FROM unnest(:ids::bigint[], :errors::text[]) AS dead (id, error)
WHERE o.id = dead.id AND o.state = 'pending';

-- name: next_due
-- Seconds until the next entry becomes due; null if no entry waits.
SELECT extract(epoch FROM min(next_try_at) - now())::float8 FROM bus_outbox WHERE state = 'pending' AND next_try_at > now();

-- name: measure
-- Counts pending and failed entries, and returns the age of the oldest pending one.
SELECT count(*) FILTER (WHERE state = 'pending') AS pending,
       count(*) FILTER (WHERE state = 'failed') AS failed,
       coalesce(extract(epoch FROM now() - min(created_at) FILTER (WHERE state = 'pending')), 0)::float8 AS oldest_age_s
FROM bus_outbox;

-- name: state_of_publication
-- How many entries of a publication AWS has not accepted, and why it refused one for good, if it did.
SELECT count(*) AS waiting, min(last_error) FILTER (WHERE state = 'failed') AS refusal FROM bus_outbox WHERE publication = :publication;

-- name: retry_publication
-- Makes the failed entries of a publication pending again.
WITH again AS (
    UPDATE bus_outbox SET state = 'pending', attempts = 0, next_try_at = now()
    WHERE publication = :publication AND state = 'failed' RETURNING 1
), notified AS (
    SELECT pg_notify('sightline_outbox', '')
)
SELECT (SELECT count(*) FROM again) AS again, (SELECT count(*) FROM notified) AS notified;

-- name: retry_failed
-- Makes failed entries pending again, with all attempts left.
WITH again AS (
    UPDATE bus_outbox SET state = 'pending', attempts = 0, next_try_at = now() WHERE state = 'failed' RETURNING 1
), notified AS (
    SELECT pg_notify('sightline_outbox', '')
)
SELECT (SELECT count(*) FROM again) AS again, (SELECT count(*) FROM notified) AS notified;
