-- name: live_audiences_alone
-- How many live messages there were for the person alone.
DELETE FROM live_audiences WHERE owner_id = :person AND team_id IS NULL;

-- name: live_audiences_of_teams
-- Counts that the numbers of a team's members include: they stay, under a pseudonym.
UPDATE live_audiences SET owner_id = :pseudonym WHERE owner_id = :person;

-- name: live_messages_of_own_teams
-- Messages about videos of teams that nobody else belongs to, the oldest first, as their numbers need it.
DELETE FROM live_messages WHERE (stream, sequence) IN (
    SELECT stream, sequence FROM live_messages WHERE owner_id IN (SELECT m.team_id FROM team_members AS m WHERE m.user_id = :person
                     AND NOT EXISTS (SELECT FROM team_members AS o WHERE o.team_id = m.team_id AND o.user_id <> :person)
                     AND NOT EXISTS (SELECT FROM videos AS v WHERE v.owner_id = m.team_id))
    ORDER BY sequence LIMIT :limit);

-- name: live_audiences_of_own_teams
-- How many there were.
DELETE FROM live_audiences WHERE owner_id IN (SELECT m.team_id FROM team_members AS m WHERE m.user_id = :person
                     AND NOT EXISTS (SELECT FROM team_members AS o WHERE o.team_id = m.team_id AND o.user_id <> :person)
                     AND NOT EXISTS (SELECT FROM videos AS v WHERE v.owner_id = m.team_id));

-- name: video_words_of_own_teams
-- Words of their removed videos.
DELETE FROM video_words WHERE owner_id IN (SELECT m.team_id FROM team_members AS m WHERE m.user_id = :person
                     AND NOT EXISTS (SELECT FROM team_members AS o WHERE o.team_id = m.team_id AND o.user_id <> :person)
                     AND NOT EXISTS (SELECT FROM videos AS v WHERE v.owner_id = m.team_id));

-- name: search_vocabulary_of_own_teams
-- The same as suggestions.
DELETE FROM search_vocabulary WHERE scope IN (SELECT m.team_id FROM team_members AS m WHERE m.user_id = :person
                     AND NOT EXISTS (SELECT FROM team_members AS o WHERE o.team_id = m.team_id AND o.user_id <> :person)
                     AND NOT EXISTS (SELECT FROM videos AS v WHERE v.owner_id = m.team_id));

-- name: owner_usage_of_own_teams
-- What they used, by day.
DELETE FROM owner_usage WHERE owner_id IN (SELECT m.team_id FROM team_members AS m WHERE m.user_id = :person
                     AND NOT EXISTS (SELECT FROM team_members AS o WHERE o.team_id = m.team_id AND o.user_id <> :person)
                     AND NOT EXISTS (SELECT FROM videos AS v WHERE v.owner_id = m.team_id));

-- name: owner_usage_changes_of_own_teams
-- The same, before it is added up.
DELETE FROM owner_usage_changes WHERE owner_id IN (SELECT m.team_id FROM team_members AS m WHERE m.user_id = :person
                     AND NOT EXISTS (SELECT FROM team_members AS o WHERE o.team_id = m.team_id AND o.user_id <> :person)
                     AND NOT EXISTS (SELECT FROM videos AS v WHERE v.owner_id = m.team_id));

-- name: owner_quotas_of_own_teams
-- Quotas that were set for them.
DELETE FROM owner_quotas WHERE owner_id IN (SELECT m.team_id FROM team_members AS m WHERE m.user_id = :person
                     AND NOT EXISTS (SELECT FROM team_members AS o WHERE o.team_id = m.team_id AND o.user_id <> :person)
                     AND NOT EXISTS (SELECT FROM videos AS v WHERE v.owner_id = m.team_id));

-- name: owner_quota_warnings_of_own_teams
-- What their owners were warned of.
DELETE FROM owner_quota_warnings WHERE owner_id IN (SELECT m.team_id FROM team_members AS m WHERE m.user_id = :person
                     AND NOT EXISTS (SELECT FROM team_members AS o WHERE o.team_id = m.team_id AND o.user_id <> :person)
                     AND NOT EXISTS (SELECT FROM videos AS v WHERE v.owner_id = m.team_id));

-- name: owner_quota_checks_of_own_teams
-- That their use is to be compared with quotas next.
DELETE FROM owner_quota_checks WHERE owner_id IN (SELECT m.team_id FROM team_members AS m WHERE m.user_id = :person
                     AND NOT EXISTS (SELECT FROM team_members AS o WHERE o.team_id = m.team_id AND o.user_id <> :person)
                     AND NOT EXISTS (SELECT FROM videos AS v WHERE v.owner_id = m.team_id));

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
