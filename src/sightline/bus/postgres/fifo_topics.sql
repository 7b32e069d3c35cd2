-- name: lock_topic
-- Lets one publication to a FIFO topic happen at a time, until the transaction ends: that is what keeps the order.
SELECT pg_advisory_xact_lock(:namespace, hashtext(:topic));

-- name: number
-- Numbers new messages of a FIFO topic in the given order and returns, for each, its id and number. A message whose deduplication id
-- was seen within five minutes gets the id and number of the first.
WITH new AS (
    SELECT * FROM unnest(:message_ids::uuid[], :scopes::text[], :deduplication_ids::text[])
        WITH ORDINALITY AS new (message_id, scope, deduplication_id, position)
), present AS (
    SELECT d.scope, d.deduplication_id, d.message_id, d.seq
    FROM (SELECT DISTINCT scope, deduplication_id FROM new) AS key
    JOIN sightline.bus_topic_deduplications AS d USING (scope, deduplication_id)
    WHERE d.topic = :topic AND d.until > now()
), added AS (
    INSERT INTO sightline.bus_topic_deduplications (topic, scope, deduplication_id, message_id, seq, until)
    SELECT :topic, scope, deduplication_id, message_id, nextval('sightline.bus_topic_seq'), now() + interval '5 minutes'
    FROM (SELECT * FROM (SELECT DISTINCT ON (scope, deduplication_id) * FROM new ORDER BY scope, deduplication_id, position) AS first
          WHERE NOT EXISTS (SELECT FROM present AS p WHERE p.scope = first.scope AND p.deduplication_id = first.deduplication_id)
          ORDER BY position) AS first
    ON CONFLICT (topic, scope, deduplication_id) DO UPDATE
    SET message_id = excluded.message_id, seq = excluded.seq, until = excluded.until
    RETURNING scope, deduplication_id, message_id, seq
)
SELECT known.message_id, known.seq
FROM new JOIN (SELECT * FROM present UNION ALL SELECT * FROM added) AS known USING (scope, deduplication_id)
ORDER BY new.position;

-- name: forget
-- Forgets deduplication ids that are older than five minutes.
DELETE FROM sightline.bus_topic_deduplications WHERE until < now();
