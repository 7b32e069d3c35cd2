-- Who may see what: two roles, and the claims of the caller as Supabase sets them.
--
-- sightline_user    what a request of a person runs as; row level security binds it
-- sightline_worker  what the platform's own work runs as; each protected table has a policy that lets it pass

DO $$
DECLARE
    wanted text;
BEGIN
    FOREACH wanted IN ARRAY ARRAY['sightline_user', 'sightline_worker'] LOOP
        BEGIN
            EXECUTE format('CREATE ROLE %I NOLOGIN', wanted);
        EXCEPTION
            -- Roles belong to the whole server, so another database of it may have made them already, or this moment.
            WHEN duplicate_object OR unique_violation THEN NULL;
        END;
    END LOOP;
END
$$;

-- A platform that connects as the owner of the tables must be able to become its caller. A superuser can anyway.
DO $$
BEGIN
    IF NOT pg_has_role(current_user, 'sightline_user', 'MEMBER') THEN
        EXECUTE format('GRANT sightline_user TO %I', current_user);
    END IF;
    IF NOT pg_has_role(current_user, 'sightline_worker', 'MEMBER') THEN
        EXECUTE format('GRANT sightline_worker TO %I', current_user);
    END IF;
END
$$;

-- Inside Supabase the schema auth and auth.uid() exist, read the same setting and belong to somebody else.
DO $$
BEGIN
    IF to_regnamespace('auth') IS NULL THEN
        CREATE SCHEMA auth;
        GRANT USAGE ON SCHEMA auth TO sightline_user, sightline_worker;
    END IF;
    IF to_regprocedure('auth.uid()') IS NULL THEN
        CREATE FUNCTION auth.uid() RETURNS uuid
        LANGUAGE sql STABLE PARALLEL SAFE
        AS $f$
            SELECT (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub')::uuid
        $f$;
        COMMENT ON FUNCTION auth.uid() IS 'The person that this transaction runs for, or NULL.';
    END IF;
END
$$;

CREATE SCHEMA IF NOT EXISTS sightline;
COMMENT ON SCHEMA sightline IS 'Functions that policies and triggers call; tables stand in public.';
GRANT USAGE ON SCHEMA sightline TO sightline_user, sightline_worker;
GRANT USAGE ON SCHEMA public TO sightline_user, sightline_worker;

CREATE FUNCTION sightline.caller_teams() RETURNS uuid[]
LANGUAGE sql STABLE PARALLEL SAFE
AS $$
    SELECT coalesce(array_agg(team::uuid), '{}')
    FROM (SELECT nullif(current_setting('request.jwt.claims', true), '')::jsonb AS claims) AS c,
         jsonb_array_elements_text(coalesce(claims -> 'team_ids', claims #> '{app_metadata,team_ids}', '[]')) AS team
$$;
COMMENT ON FUNCTION sightline.caller_teams() IS 'The teams of the person that this transaction runs for.';

CREATE FUNCTION sightline.caller_may_see(owner_id uuid, team_id uuid) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE
AS $$
    -- The sub-selects make the planner ask once per statement, not once per row.
    SELECT owner_id = (SELECT auth.uid()) OR team_id = ANY ((SELECT sightline.caller_teams())::uuid[])
$$;
COMMENT ON FUNCTION sightline.caller_may_see(uuid, uuid) IS 'The rule of row level security: one''s own, or one''s team''s.';

CREATE FUNCTION sightline.protect(protected regclass) RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
    EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', protected);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO sightline_worker', protected);
    EXECUTE format('CREATE POLICY platform_does_everything ON %s TO sightline_worker USING (true) WITH CHECK (true)', protected);
END
$$;
COMMENT ON FUNCTION sightline.protect(regclass) IS
    'Closes a table to everybody but the platform; policies added after it open it for people. A policy rather than '
    'BYPASSRLS, because hosted PostgreSQL gives that attribute to nobody.';
REVOKE EXECUTE ON FUNCTION sightline.protect(regclass) FROM PUBLIC;
