-- Teams that people make here, beside those that an issuer's tokens name (ADR 0108).

CREATE TABLE teams (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    name text NOT NULL CHECK (name <> '' AND length(name) <= 100),
    created_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE teams IS 'What belongs to a team has the team''s id as owner_id and as team_id.';

CREATE TABLE team_members (
    team_id uuid NOT NULL REFERENCES teams ON DELETE CASCADE,
    user_id uuid NOT NULL,
    role text NOT NULL CHECK (role IN ('owner', 'editor', 'viewer')),
    joined_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (team_id, user_id)
);
COMMENT ON TABLE team_members IS 'Owners manage members, editors change what the team has, viewers look.';
CREATE INDEX team_members_of_person ON team_members (user_id) INCLUDE (team_id, role);

CREATE TABLE team_invitations (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    team_id uuid NOT NULL REFERENCES teams ON DELETE CASCADE,
    token_hash bytea NOT NULL UNIQUE CHECK (length(token_hash) = 32),
    role text NOT NULL CHECK (role IN ('editor', 'viewer')),
    max_uses integer NOT NULL CHECK (max_uses BETWEEN 1 AND 100),
    uses integer NOT NULL DEFAULT 0 CHECK (uses BETWEEN 0 AND max_uses),
    created_by uuid,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    revoked_at timestamptz
);
COMMENT ON TABLE team_invitations IS 'Links that let people join a team until they expire, are revoked or were used max_uses times.';
COMMENT ON COLUMN team_invitations.token_hash IS 'SHA-256 of the token in the link, which has 256 random bits and is stored nowhere.';
CREATE INDEX team_invitations_newest ON team_invitations (team_id, created_at DESC);

CREATE TABLE operator_grants (
    user_id uuid PRIMARY KEY,
    granted_by uuid,
    granted_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE operator_grants IS 'People whom an operator made an operator. Who is one by their token is not here.';

SELECT sightline.protect('teams');
SELECT sightline.protect('team_members');
SELECT sightline.protect('team_invitations');
SELECT sightline.protect('operator_grants');
GRANT SELECT ON teams, team_members TO sightline_user;
CREATE POLICY members_see_their_teams ON teams FOR SELECT TO sightline_user
    USING (id = ANY ((SELECT sightline.caller_teams())::uuid[]));
CREATE POLICY members_see_each_other ON team_members FOR SELECT TO sightline_user
    USING (team_id = ANY ((SELECT sightline.caller_teams())::uuid[]));

CREATE FUNCTION sightline.keep_team_owner() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog
AS $$
BEGIN
    -- The lock lets one change of a team's members in at a time: of two owners who demote each other, one is the last.
    PERFORM FROM public.teams WHERE id = OLD.team_id FOR UPDATE;
    IF FOUND AND NOT EXISTS (SELECT FROM public.team_members WHERE team_id = OLD.team_id AND role = 'owner') THEN
        RAISE EXCEPTION 'a team needs an owner' USING ERRCODE = 'check_violation', CONSTRAINT = 'team_has_an_owner';
    END IF;
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION sightline.keep_team_owner() IS 'Refuses to take the last owner out of a team that stays.';
CREATE TRIGGER keep_owner AFTER UPDATE OF role OR DELETE ON team_members
    FOR EACH ROW WHEN (OLD.role = 'owner') EXECUTE FUNCTION sightline.keep_team_owner();

CREATE FUNCTION sightline.note_rights_changed() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog
AS $$
BEGIN
    PERFORM pg_notify('sightline_rights', '');
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION sightline.note_rights_changed() IS 'Makes every API process look at once whether open connections may stay.';
CREATE TRIGGER note_changed AFTER INSERT OR UPDATE OR DELETE ON team_members
    FOR EACH STATEMENT EXECUTE FUNCTION sightline.note_rights_changed();
CREATE TRIGGER note_changed AFTER INSERT OR DELETE ON operator_grants
    FOR EACH STATEMENT EXECUTE FUNCTION sightline.note_rights_changed();

CREATE FUNCTION sightline.memberships_of(person uuid) RETURNS jsonb
LANGUAGE sql STABLE PARALLEL SAFE
RETURN (SELECT coalesce(jsonb_agg(jsonb_build_array(m.team_id, m.role) ORDER BY m.team_id), '[]')
        FROM team_members AS m WHERE m.user_id = person);
COMMENT ON FUNCTION sightline.memberships_of(uuid) IS 'A person''s teams and roles, as [[team, role], …].';

CREATE OR REPLACE FUNCTION sightline.is_member(person uuid, team uuid) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE
RETURN EXISTS (SELECT FROM caller_memberships AS m WHERE m.user_id = person AND team = ANY (m.team_ids) AND m.expires_at > now())
    OR EXISTS (SELECT FROM team_members AS m WHERE m.team_id = team AND m.user_id = person);
COMMENT ON FUNCTION sightline.is_member(uuid, uuid) IS
    'Whether a person belongs to a team, one of here or one of the claims last seen of them, for work that runs without them.';

-- Videos of a team: who uploaded one is notified of it, and the team owns it.
ALTER TABLE videos ADD COLUMN uploaded_by uuid;
COMMENT ON COLUMN videos.uploaded_by IS
    'The person who is notified of a team''s video; NULL if they have left the team. A person''s own video has none: it is the owner.';
COMMENT ON COLUMN videos.owner_id IS 'A person, or a team of the table teams; then team_id is the same.';
CREATE INDEX videos_of_team_by_uploader ON videos (uploaded_by) WHERE uploaded_by IS NOT NULL;

CREATE FUNCTION sightline.need_owning_team() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog
AS $$
BEGIN
    PERFORM FROM public.teams WHERE id = NEW.owner_id FOR KEY SHARE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'there is no team %', NEW.owner_id USING ERRCODE = 'foreign_key_violation', CONSTRAINT = 'videos_owning_team';
    END IF;
    IF NEW.uploaded_by IS NOT NULL
        AND NOT EXISTS (SELECT FROM public.team_members WHERE team_id = NEW.owner_id AND user_id = NEW.uploaded_by) THEN
        RAISE EXCEPTION '% is not a member of the team', NEW.uploaded_by
            USING ERRCODE = 'foreign_key_violation', CONSTRAINT = 'videos_uploaded_by_member';
    END IF;
    RETURN NEW;
END
$$;
COMMENT ON FUNCTION sightline.need_owning_team() IS
    'A team that owns videos exists, with the uploader as a member. The lock lets neither end at the same moment.';
CREATE TRIGGER need_owning_team BEFORE INSERT OR UPDATE OF owner_id, team_id ON videos
    FOR EACH ROW WHEN (NEW.team_id = NEW.owner_id) EXECUTE FUNCTION sightline.need_owning_team();

CREATE FUNCTION sightline.follow_video_owner() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog
AS $$
BEGIN
    UPDATE public.segments SET owner_id = NEW.owner_id, team_id = NEW.team_id WHERE video_id = NEW.id;
    UPDATE public.search_rows SET owner_id = NEW.owner_id, team_id = NEW.team_id WHERE video_id = NEW.id;
    UPDATE public.search_common_words SET owner_id = NEW.owner_id, team_id = NEW.team_id WHERE video_id = NEW.id;
    UPDATE public.search_passages SET owner_id = NEW.owner_id, team_id = NEW.team_id WHERE video_id = NEW.id;
    UPDATE public.shares SET owner_id = NEW.owner_id WHERE video_id = NEW.id;
    IF to_regclass('public.passage_vectors') IS NOT NULL THEN
        EXECUTE 'UPDATE public.passage_vectors SET owner_id = $1, team_id = $2 WHERE video_id = $3' USING NEW.owner_id, NEW.team_id, NEW.id;
    END IF;
    -- Words to suggest are counted again, and a copy for other servers is sent again.
    INSERT INTO public.search_changes (video_id) VALUES (NEW.id) ON CONFLICT (video_id) DO UPDATE SET changed_at = now();
    UPDATE public.search_projection SET generation = generation + 1, changed_at = now() WHERE video_id = NEW.id;
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION sightline.follow_video_owner() IS
    'What is computed from a video is owned as the video is. The one who changes the owner locks the row FOR UPDATE before, so that '
    'nothing is being computed for the old owner.';
CREATE TRIGGER follow_owner AFTER UPDATE OF owner_id, team_id ON videos
    FOR EACH ROW WHEN ((OLD.owner_id, OLD.team_id) IS DISTINCT FROM (NEW.owner_id, NEW.team_id))
    EXECUTE FUNCTION sightline.follow_video_owner();

-- Links to a team's videos are seen by its members; their tokens by nobody, as before.
ALTER POLICY people_see_those_of_their_videos ON shares
    USING (owner_id = (SELECT auth.uid()) OR owner_id = ANY ((SELECT sightline.caller_teams())::uuid[]));

REVOKE EXECUTE ON FUNCTION sightline.memberships_of(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION sightline.memberships_of(uuid) TO sightline_worker;
