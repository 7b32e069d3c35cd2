-- name: get
-- One address of an owner.
SELECT * FROM notification_addresses WHERE owner_id = :owner_id AND channel = :channel AND address = :address;

-- name: of_owner
-- All addresses of an owner.
SELECT * FROM notification_addresses WHERE owner_id = :owner_id ORDER BY channel, created_at;

-- name: add
-- Adds an address, pending, unless it is known.
INSERT INTO notification_addresses (owner_id, channel, address) VALUES (:owner_id, :channel, :address)
ON CONFLICT DO NOTHING;

-- name: confirm
-- The address is proven. Proof that does not end replaces one that does; nothing else is overwritten.
INSERT INTO notification_addresses (owner_id, channel, address, confirmed_at, confirmed_by)
VALUES (:owner_id, :channel, :address, now(), :confirmed_by)
ON CONFLICT (owner_id, channel, address) DO UPDATE
SET confirmed_at = now(), confirmed_by = excluded.confirmed_by, confirmed_until = NULL, challenge = NULL, challenge_expires_at = NULL
WHERE notification_addresses.confirmed_at IS NULL OR notification_addresses.confirmed_until IS NOT NULL
    OR excluded.confirmed_by = 'identity provider';

-- name: set_challenge
-- A challenge for the address, which has to be known.
UPDATE notification_addresses
SET challenge = :challenge, challenge_expires_at = now() + :valid::interval, challenge_tries = 0
WHERE owner_id = :owner_id AND channel = :channel AND address = :address;

-- name: count_try
-- Counts a typed code before it is compared; returns the address if there are tries left.
UPDATE notification_addresses
SET challenge_tries = challenge_tries + 1
WHERE owner_id = :owner_id AND channel = :channel AND address = :address AND challenge IS NOT NULL
    AND challenge_expires_at > now() AND challenge_tries < :max_tries
RETURNING *;

-- name: lock_limits
-- One at a time counts the challenges of an address, and those of an owner, until the transaction ends.
SELECT pg_advisory_xact_lock(hashtextextended(key, 35))
FROM unnest(ARRAY[:channel::text || ' ' || :address::text, :owner_id::uuid::text]) AS key
ORDER BY key;

-- name: recent_challenges
-- When challenges were sent in the last day: to this address by anybody, and by this owner to any address.
SELECT sent_at, owner_id = :owner_id AS is_own, channel = :channel AND address = :address AS is_here, now() - sent_at AS age
FROM notification_challenges
WHERE sent_at > now() - interval '1 day' AND (owner_id = :owner_id OR channel = :channel AND address = :address)
ORDER BY sent_at DESC;

-- name: record_challenge
-- A challenge is sent; older ones than a day are of no use.
WITH old AS (DELETE FROM notification_challenges WHERE sent_at < now() - interval '1 day' AND owner_id = :owner_id)
INSERT INTO notification_challenges (owner_id, channel, address) VALUES (:owner_id, :channel, :address);

-- name: set_salt
-- A new secret; the one before stays valid for a while.
UPDATE notification_addresses
SET previous_salt = secret_salt, previous_until = CASE WHEN secret_salt IS NOT NULL THEN now() + :overlap::interval END,
    secret_salt = :salt
WHERE owner_id = :owner_id AND channel = 'webhook' AND address = :address
RETURNING *;

-- name: forget
-- Removes the addresses of an owner that its preferences no longer have. Email addresses may come from elsewhere too: from the
-- identity provider, an operator's token, or videos stored before.
DELETE FROM notification_addresses
WHERE owner_id = :owner_id AND channel = :channel AND address <> coalesce(:address, '')
    AND (channel <> 'email' OR confirmed_by IS NULL OR confirmed_by = 'link');
