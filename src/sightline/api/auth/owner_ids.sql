-- name: find
-- The ids of some subjects of an issuer, as far as they are recorded.
SELECT i.kind, i.subject, i.owner_id
FROM unnest(:kinds::text[], :subjects::text[]) AS asked (kind, subject)
JOIN owner_identities AS i ON i.issuer = :issuer AND i.kind = asked.kind AND i.subject = asked.subject;

-- name: claim
-- Records ids for subjects that have none. A subject whose id belongs to another issuer's subject stays without.
INSERT INTO owner_identities (issuer, kind, subject, owner_id)
SELECT :issuer, kind, subject, owner_id
FROM unnest(:kinds::text[], :subjects::text[], :owner_ids::uuid[]) AS new (kind, subject, owner_id)
ORDER BY kind, subject -- one order for all processes: they would wait for each other otherwise
ON CONFLICT DO NOTHING;

-- name: made_here
-- Which of these are ids of teams that people made here.
SELECT owner_id FROM owner_identities WHERE issuer = 'urn:sightline:teams' AND kind = 'team' AND owner_id = ANY (:owner_ids::uuid[]);
