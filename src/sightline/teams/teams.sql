-- name: lock_person
-- One team more for a person at a time, so that the limit holds.
SELECT pg_advisory_xact_lock(hashtextextended('sightline.teams/' || :user_id::uuid::text, 0));

-- name: count_of_person
-- How many teams a person belongs to.
SELECT count(*) FROM team_members WHERE user_id = :user_id;

-- name: insert_team
-- A new team without members yet. Its id is taken for issuers too, so that no subject that looks like it becomes the team.
WITH made AS (INSERT INTO teams (name) VALUES (:name) RETURNING id),
taken AS (
    INSERT INTO owner_identities (issuer, kind, subject, owner_id)
    SELECT 'urn:sightline:teams', kind, made.id::text, made.id FROM made, unnest(ARRAY['person', 'team']) AS kind
)
SELECT id FROM made;

-- name: insert_member
-- A new member; one who is one already keeps their role.
INSERT INTO team_members (team_id, user_id, role) VALUES (:team_id, :user_id, :role)
ON CONFLICT (team_id, user_id) DO NOTHING
RETURNING role;

-- name: lock_team
-- A team, whose members change one after another.
SELECT id FROM teams WHERE id = :team_id FOR UPDATE;

-- name: role_of
-- A person's role, which stays until the transaction ends.
SELECT role FROM team_members WHERE team_id = :team_id AND user_id = :user_id FOR SHARE;

-- name: count_owners
-- How many owners a team has.
SELECT count(*) FROM team_members WHERE team_id = :team_id AND role = 'owner';

-- name: count_members
-- How many members a team has.
SELECT count(*) FROM team_members WHERE team_id = :team_id;

-- name: rename
-- Another name.
UPDATE teams SET name = :name WHERE id = :team_id;

-- name: set_role
-- Another role for a member who has this one.
UPDATE team_members SET role = :role WHERE team_id = :team_id AND user_id = :user_id AND role = :expected;

-- name: remove_member
-- A member who leaves or is removed.
DELETE FROM team_members WHERE team_id = :team_id AND user_id = :user_id;

-- name: forget_uploader
-- Videos that they uploaded stay with the team; they are no longer notified of them.
UPDATE videos SET uploaded_by = NULL, owner_email = NULL WHERE uploaded_by = :user_id AND owner_id = :team_id;

-- name: count_videos
-- How many videos a team has, in the trash too.
SELECT count(*) FROM videos WHERE owner_id = :team_id;

-- name: delete_team
-- The team with its members and invitations.
DELETE FROM teams WHERE id = :team_id;

-- name: teams
-- Teams of a person, or all of them, by name.
SELECT t.id, t.name, t.created_at, own.role, (SELECT count(*) FROM team_members AS m WHERE m.team_id = t.id) AS members
FROM teams AS t LEFT JOIN team_members AS own ON own.team_id = t.id AND own.user_id = :user_id::uuid
WHERE (:of_everyone OR own.role IS NOT NULL) AND (:team_id::uuid IS NULL OR t.id = :team_id)
ORDER BY lower(t.name), t.id
LIMIT :limit;

-- name: members
-- The members of a team, owners first, with the addresses of their newest tokens.
SELECT m.user_id, known.name, m.role, m.joined_at
FROM team_members AS m LEFT JOIN caller_memberships AS known ON known.user_id = m.user_id
WHERE m.team_id = :team_id
ORDER BY CASE m.role WHEN 'owner' THEN 1 WHEN 'editor' THEN 2 ELSE 3 END, m.joined_at, m.user_id;
