-- name: rights_of
-- The teams of people that were made here, and whether an operator made them operators.
SELECT p.user_id, sightline.memberships_of(p.user_id) AS memberships,
       EXISTS (SELECT FROM operator_grants AS g WHERE g.user_id = p.user_id) AS is_granted_operator
FROM unnest(:user_ids::uuid[]) AS p (user_id);

-- name: lock_operators
-- One change of operators at a time.
SELECT pg_advisory_xact_lock(hashtextextended('sightline.operators', 0));

-- name: grant_operator
-- Makes a person an operator; one who was made one before stays so.
INSERT INTO operator_grants (user_id, granted_by) VALUES (:user_id, :by) ON CONFLICT (user_id) DO NOTHING;

-- name: is_granted
-- Whether an operator made a person one.
SELECT EXISTS (SELECT FROM operator_grants WHERE user_id = :user_id);

-- name: end_grant
-- Takes it back.
DELETE FROM operator_grants WHERE user_id = :user_id;

-- name: person
-- A person who has signed in, and what their newest token said.
SELECT m.is_operator AS is_operator_by_token, EXISTS (SELECT FROM operator_grants AS g WHERE g.user_id = m.user_id) AS is_granted
FROM caller_memberships AS m WHERE m.user_id = :user_id;

-- name: has_other_operator
-- Whether somebody else is an operator: by a grant, or by a token that still counts.
SELECT EXISTS (SELECT FROM operator_grants WHERE user_id <> :user_id)
    OR EXISTS (SELECT FROM caller_memberships WHERE user_id <> :user_id AND is_operator AND expires_at > now());

-- name: revoke_operator_keys
-- Ends the keys that act as operator for a person who is none any more.
UPDATE api_keys SET revoked_at = now(), revoked_by = :by
WHERE owner_id = :user_id AND :scope = ANY (scopes) AND revoked_at IS NULL;
