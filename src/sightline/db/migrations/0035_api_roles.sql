-- Supabase and PostgREST: their roles exist beside ours, and default privileges give them everything in public (ADR 0047).

-- Since PostgreSQL 16 a role that creates another is its administrator, which is membership without the right to become it.
DO $$
DECLARE
    wanted text;
BEGIN
    IF current_setting('server_version_num')::integer >= 160000 THEN
        FOREACH wanted IN ARRAY ARRAY['sightline_user', 'sightline_worker'] LOOP
            IF NOT pg_has_role(current_user, wanted, 'SET') THEN
                EXECUTE format('GRANT %I TO %I', wanted, current_user);
            END IF;
        END LOOP;
    END IF;
END
$$;

-- The parsed form needs no right to look into the schemas auth and sightline, which roles of an API do not have.
CREATE OR REPLACE FUNCTION sightline.caller_may_see(owner_id uuid, team_id uuid) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE
-- The sub-selects make the planner ask once per statement, not once per row.
RETURN owner_id = (SELECT auth.uid()) OR team_id = ANY ((SELECT sightline.caller_teams())::uuid[]);

-- Read by roles that wait for a migration, and by nobody else.
ALTER TABLE schema_migrations ENABLE ROW LEVEL SECURITY;
GRANT SELECT ON schema_migrations, sightline.schema_objects TO sightline_worker;
CREATE POLICY platform_reads ON schema_migrations FOR SELECT TO sightline_worker USING (true);

CREATE FUNCTION sightline.settle_api_roles() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog
AS $$
DECLARE
    change text;
BEGIN
    FOR change IN
        WITH api AS (SELECT oid, rolname FROM pg_roles WHERE rolname IN ('anon', 'authenticated', 'service_role')),
        spaces AS (SELECT oid FROM pg_namespace WHERE nspname = 'public'),
        -- Ours is what the platform's role was given: other tables of the schema belong to somebody else.
        tables AS (
            SELECT c.oid, c.relacl FROM pg_class AS c JOIN spaces AS s ON s.oid = c.relnamespace
            WHERE c.relkind IN ('r', 'p', 'v')
              AND EXISTS (SELECT FROM aclexplode(c.relacl) AS a WHERE a.grantee = 'sightline_worker'::regrole)
        ),
        sequences AS (
            SELECT c.oid, c.relacl FROM pg_class AS c JOIN pg_depend AS d ON d.objid = c.oid AND d.classid = 'pg_class'::regclass
            JOIN tables AS t ON t.oid = d.refobjid AND d.refclassid = 'pg_class'::regclass
            WHERE c.relkind = 'S' AND d.deptype IN ('a', 'i')
        ),
        functions AS (
            SELECT p.oid, p.proacl FROM pg_proc AS p JOIN spaces AS s ON s.oid = p.pronamespace
            WHERE EXISTS (SELECT FROM aclexplode(p.proacl) AS a WHERE a.grantee = 'sightline_worker'::regrole)
        ),
        -- People read what they may read through the API, and change nothing.
        readable AS (
            SELECT t.oid, CASE
                WHEN EXISTS (SELECT FROM aclexplode(t.relacl) AS a WHERE a.grantee = 'sightline_user'::regrole AND a.privilege_type = 'SELECT')
                THEN '' ELSE (
                    SELECT '(' || string_agg(quote_ident(c.attname), ', ' ORDER BY c.attnum) || ')'
                    FROM pg_attribute AS c, aclexplode(c.attacl) AS a
                    WHERE c.attrelid = t.oid AND a.grantee = 'sightline_user'::regrole AND a.privilege_type = 'SELECT') END AS columns
            FROM tables AS t
        ),
        written (name) AS (VALUES ('videos'), ('jobs'), ('segments'), ('entities')), -- by workers, says document 001
        read (name) AS (VALUES ('job_history'), ('video_moves'), ('search_materialized')),
        changes (rank, change) AS (
            SELECT 1, format('REVOKE ALL ON TABLE %s FROM %I', t.oid::regclass, api.rolname)
            FROM tables AS t, api
            WHERE api.rolname <> 'service_role' AND EXISTS (
                SELECT FROM aclexplode(t.relacl) AS a WHERE a.grantee = api.oid AND NOT (
                    api.rolname = 'authenticated' AND a.privilege_type = 'SELECT'
                    AND (SELECT r.columns FROM readable AS r WHERE r.oid = t.oid) = ''))
            UNION ALL
            SELECT 1, format('REVOKE ALL ON SEQUENCE %s FROM %I', q.oid::regclass, api.rolname)
            FROM sequences AS q, api
            WHERE api.rolname <> 'service_role' AND EXISTS (SELECT FROM aclexplode(q.relacl) AS a WHERE a.grantee = api.oid)
            UNION ALL
            SELECT 1, format('REVOKE ALL ON FUNCTION %s FROM %I', f.oid::regprocedure, api.rolname)
            FROM functions AS f, api
            WHERE api.rolname <> 'service_role' AND EXISTS (SELECT FROM aclexplode(f.proacl) AS a WHERE a.grantee = api.oid)
            UNION ALL
            SELECT 2, format('GRANT SELECT %s ON TABLE %s TO authenticated', r.columns, r.oid::regclass)
            FROM readable AS r, api WHERE api.rolname = 'authenticated' AND r.columns IS NOT NULL
            UNION ALL
            SELECT 3, format('ALTER POLICY %I ON %s TO %s, %I', p.polname, p.polrelid::regclass,
                (SELECT string_agg(g::regrole::text, ', ') FROM unnest(p.polroles) AS g), api.rolname)
            FROM pg_policy AS p JOIN tables AS t ON t.oid = p.polrelid, api
            WHERE NOT api.oid = ANY (p.polroles) AND (
                api.rolname = 'authenticated' AND 'sightline_user'::regrole = ANY (p.polroles)
                OR api.rolname = 'service_role' AND p.polname = 'platform_does_everything'
                    AND p.polrelid IN (SELECT to_regclass('public.' || w.name) FROM written AS w))
            UNION ALL
            SELECT 2, format('GRANT SELECT, INSERT, UPDATE, DELETE ON TABLE public.%I TO service_role', w.name)
            FROM written AS w, api WHERE api.rolname = 'service_role'
            UNION ALL
            SELECT 2, format('GRANT SELECT ON TABLE public.%I TO service_role', r.name)
            FROM read AS r, api WHERE api.rolname = 'service_role'
            UNION ALL
            SELECT 2, v.change FROM api, (VALUES
                ('GRANT EXECUTE ON FUNCTION public.refresh_search_materialized() TO service_role'),
                ('GRANT USAGE ON SCHEMA sightline TO service_role')) AS v (change)
            WHERE api.rolname = 'service_role'
        )
        SELECT c.change FROM changes AS c ORDER BY c.rank, c.change
    LOOP
        EXECUTE change;
    END LOOP;
END
$$;
COMMENT ON FUNCTION sightline.settle_api_roles() IS
    'Closes the platform''s tables to anon, lets authenticated read its own rows, and gives service_role what workers of document 001 '
    'need. Does nothing where these roles do not exist. Called after each `sightline migrate`.';
REVOKE EXECUTE ON FUNCTION sightline.settle_api_roles() FROM PUBLIC;

-- The record of migration 0027 began with all that was in public, and so with tables that a project may drop whenever it likes.
WITH tables AS (
    SELECT c.oid, c.relname FROM pg_class AS c
    WHERE c.relnamespace = 'public'::regnamespace
      AND EXISTS (SELECT FROM aclexplode(c.relacl) AS a WHERE a.grantee = 'sightline_worker'::regrole)
),
ours (kind, name) AS (
    SELECT unnest(ARRAY['table', 'view', 'sequence']), relname FROM tables
    UNION ALL
    SELECT 'index', i.indexrelid::regclass::text FROM pg_index AS i JOIN tables AS t ON t.oid = i.indrelid
    UNION ALL
    SELECT 'sequence', d.objid::regclass::text FROM pg_depend AS d JOIN tables AS t ON t.oid = d.refobjid
    WHERE d.classid = 'pg_class'::regclass AND d.refclassid = 'pg_class'::regclass AND d.deptype IN ('a', 'i')
    UNION ALL
    SELECT 'type', y.typname FROM pg_type AS y
    WHERE EXISTS (SELECT FROM pg_attribute AS c JOIN tables AS t ON t.oid = c.attrelid WHERE c.atttypid IN (y.oid, y.typarray))
    UNION ALL
    SELECT 'function', p.proname || '(' || pg_get_function_identity_arguments(p.oid) || ')' FROM pg_proc AS p
    WHERE EXISTS (SELECT FROM aclexplode(p.proacl) AS a WHERE a.grantee = 'sightline_worker'::regrole)
)
DELETE FROM sightline.schema_objects AS o
WHERE o.name LIKE 'public.%' AND NOT CASE WHEN o.kind IN ('trigger', 'policy', 'constraint')
    THEN EXISTS (SELECT FROM tables AS t WHERE t.relname = split_part(o.name, '.', 2))
    ELSE EXISTS (SELECT FROM ours WHERE ours.kind = o.kind AND 'public.' || ours.name = o.name) END;
