-- A dump of the schema can be restored: pg_restore works with an empty search_path, so every function pins its own or qualifies names.

-- Used by a generated column. The parsed form is dumped with all names qualified, and can still be inlined.
CREATE OR REPLACE FUNCTION sightline.index_status(status video_status) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE status
    WHEN 'CREATED'::video_status THEN 'new'
    WHEN 'UPLOADING'::video_status THEN 'new'
    WHEN 'UPLOADED'::video_status THEN 'new'
    WHEN 'COMPLETED'::video_status THEN 'ready'
    WHEN 'FAILED'::video_status THEN 'failed'
    ELSE 'processing'
END;

-- Runs for every move of every job, where setting the search_path for each call would cost. One name needs its schema.
DO $$
BEGIN
    EXECUTE replace(pg_get_functiondef('sightline.guard_job_moves'::regproc), 'allowed jobs :=', 'allowed public.jobs :=');
END
$$;

-- All others that do not qualify every name.
DO $$
DECLARE
    pinned regprocedure;
BEGIN
    FOR pinned IN
        SELECT p.oid FROM pg_proc AS p
        WHERE p.pronamespace = 'sightline'::regnamespace AND p.prokind = 'f'
          AND p.prosqlbody IS NULL
          AND NOT EXISTS (SELECT FROM unnest(p.proconfig) AS setting WHERE setting LIKE 'search_path=%')
          -- These qualify every name, and are inlined or called for each row.
          AND p.proname NOT IN ('caller_may_see', 'caller_teams', 'guard_job_moves', 'iso_utc', 'random_id', 'search_keys', 'start_job_history')
    LOOP
        EXECUTE format('ALTER FUNCTION %s SET search_path = public, pg_temp', pinned);
    END LOOP;
END
$$;

CREATE TABLE sightline.schema_objects (
    kind text NOT NULL,
    name text NOT NULL,
    PRIMARY KEY (kind, name)
);
COMMENT ON TABLE sightline.schema_objects IS
    'What the migrations have made. `sightline migrate` compares it with what is there: after a restore that failed half-way, something is missing.';
