-- name: live_audiences_alone
-- How many live messages there were for the person alone.
DELETE FROM live_audiences WHERE owner_id = :person AND team_id IS NULL;

-- name: live_audiences_of_teams
-- Counts that the numbers of a team's members include: they stay, under a pseudonym.
UPDATE live_audiences SET owner_id = :pseudonym WHERE owner_id = :person;

-- name: teams
-- Teams that nobody else belongs to; their videos are gone by now.
DELETE FROM teams AS t
WHERE EXISTS (SELECT FROM team_members AS m WHERE m.team_id = t.id AND m.user_id = :person)
  AND NOT EXISTS (SELECT FROM team_members AS m WHERE m.team_id = t.id AND m.user_id <> :person)
  AND NOT EXISTS (SELECT FROM videos AS v WHERE v.owner_id = t.id);

-- name: bus_accounts
-- The account at the AWS endpoint, whose resources are gone by now.
DELETE FROM sightline.bus_accounts WHERE owner_id = :person;

-- name: caller_memberships
-- The teams that the newest token named.
DELETE FROM caller_memberships WHERE user_id = :person;

-- name: owner_identities
-- How the identity provider calls the person: late, because it is how the person is found.
DELETE FROM owner_identities WHERE kind = 'person' AND owner_id = :person;

-- name: person_requests
-- The request for this erasure: the last step, because by it the job goes on after a kill.
DELETE FROM person_requests WHERE person_id = :person;
