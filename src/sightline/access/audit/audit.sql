-- name: lock
-- One writer at a time, in every process, until its transaction ends.
SELECT pg_advisory_xact_lock(hashtextextended('audit_log', 0));

-- name: head
-- The newest entry.
SELECT * FROM audit_log ORDER BY number DESC LIMIT 1;

-- name: append
-- Entries in the order of the chain.
INSERT INTO audit_log (number, at, action, outcome, actor_id, actor, via, target, details, correlation_id, previous_hash, hash)
SELECT * FROM unnest(
    :numbers::bigint[], :times::timestamptz[], :actions::text[], :outcomes::text[], :actor_ids::uuid[], :actors::text[],
    :vias::text[], :targets::text[], :details::jsonb[], :correlation_ids::text[], :previous_hashes::bytea[], :hashes::bytea[]);

-- name: append_after
-- Entries in the order of the chain, if the newest one is still the given one. One that is added at the same time takes the same number,
-- which is an error: whether it is still the newest is known before the lock is.
INSERT INTO audit_log (number, at, action, outcome, actor_id, actor, via, target, details, correlation_id, previous_hash, hash)
SELECT new.*
FROM (SELECT pg_advisory_xact_lock(hashtextextended('audit_log', 0))) AS lock
CROSS JOIN unnest(
    :numbers::bigint[], :times::timestamptz[], :actions::text[], :outcomes::text[], :actor_ids::uuid[], :actors::text[],
    :vias::text[], :targets::text[], :details::jsonb[], :correlation_ids::text[], :previous_hashes::bytea[], :hashes::bytea[]) AS new
WHERE EXISTS (SELECT FROM audit_log WHERE number = :last AND hash = :last_hash);

-- name: oldest_first
-- Entries after a number, in the order of the chain.
SELECT * FROM audit_log
WHERE number > :after
  AND (:since::timestamptz IS NULL OR at >= :since)
  AND (:until::timestamptz IS NULL OR at < :until)
ORDER BY number
LIMIT :limit;

-- name: newest_first
-- Entries before a number, newest first, that meet all conditions given.
SELECT * FROM audit_log
WHERE (:before::bigint IS NULL OR number < :before)
  AND (:actor_id::uuid IS NULL OR actor_id = :actor_id)
  AND (:action::text IS NULL OR action = :action)
  AND (:target::text IS NULL OR target = :target)
  AND (:since::timestamptz IS NULL OR at >= :since)
  AND (:until::timestamptz IS NULL OR at < :until)
ORDER BY number DESC
LIMIT :limit;

-- name: expirable
-- The newest of the oldest entries that are all older than a time.
SELECT * FROM audit_log
WHERE number < coalesce((SELECT min(number) FROM audit_log WHERE at >= :before), 9223372036854775807)
ORDER BY number DESC
LIMIT 1;

-- name: expire
-- Removes the oldest entries, up to a number.
SELECT sightline.expire_audit_log(:through);

-- name: about_person
-- Some entries that name a person, as who did something or of whom.
SELECT * FROM audit_log
WHERE actor_id = :person OR actor = ANY (:names) OR strpos(target, :person::uuid::text) > 0 OR strpos(details::text, :person::uuid::text) > 0
ORDER BY number LIMIT :limit;

-- name: pseudonymize
-- Entries with pseudonyms in place of a person.
SELECT sightline.pseudonymize_audit_log(
    :numbers::bigint[], :actor_ids::uuid[], :actors::text[], :targets::text[], :details::jsonb[], :replaced_hashes::bytea[]);
