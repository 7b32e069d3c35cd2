-- The job queue of document 001: four states whose moves the database itself guards, leases, priorities, dependencies.

CREATE TYPE job_type AS ENUM ('transcode', 'sample', 'ocr', 'segment_index', 'clip_generate');
CREATE TYPE job_status AS ENUM ('queued', 'processing', 'done', 'failed');

CREATE TYPE sightline.job_move AS (status job_status, at timestamptz, by text, note text);

-- How a job is found, and why the columns are what they are (ADR 0011):
-- * Claims and heartbeats change status, locked_by, locked_until and the like. No index looks at any of them, not even in its
--   condition: indexes look at "open", which is true while a job is queued or processing, and at "dead". So a claim is a
--   HOT update and leaves no dead index entries.
-- * A job that waits out a delay has run_after set and stands in an index of its own; it is NULL for jobs that may run.
-- * History is kept in the row. A table of its own would cost more than the job itself.
CREATE TABLE jobs (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    video_id uuid,
    job_type job_type NOT NULL,
    status job_status NOT NULL DEFAULT 'queued',
    open boolean GENERATED ALWAYS AS (CASE WHEN status IN ('queued', 'processing') THEN true END) STORED,
    dead boolean GENERATED ALWAYS AS (CASE WHEN status = 'failed' THEN true END) STORED,
    priority integer NOT NULL DEFAULT 0,
    retry_count integer NOT NULL DEFAULT 0 CHECK (retry_count >= 0),
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    started_at timestamptz,
    finished_at timestamptz,
    run_after timestamptz,
    locked_until timestamptz,
    locked_by text,
    depends_on uuid REFERENCES jobs (id) ON DELETE SET NULL,
    progress real NOT NULL DEFAULT 0 CHECK (progress BETWEEN 0 AND 1),
    progress_message text,
    payload jsonb NOT NULL,
    result jsonb,
    error jsonb,
    context jsonb,
    moves sightline.job_move[] NOT NULL DEFAULT '{}'
) WITH (
    fillfactor = 50,
    autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000,
    autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 1000000,
    autovacuum_analyze_scale_factor = 0.02, autovacuum_analyze_threshold = 50000,
    autovacuum_vacuum_cost_delay = 0
);
COMMENT ON TABLE jobs IS 'Slow work. Moves: queued → processing → done or failed; failed → queued. Guarded by a trigger.';
COMMENT ON COLUMN jobs.retry_count IS 'Failed attempts so far; 3 retries make 4 attempts.';
COMMENT ON COLUMN jobs.run_after IS 'Not to be claimed before; NULL when it may run at once.';
COMMENT ON COLUMN jobs.payload IS 'The contract''s payload; of a failed job {error, original_payload}.';
COMMENT ON COLUMN jobs.error IS 'The last error: type, message, timestamp, retry_count.';
COMMENT ON COLUMN jobs.moves IS 'Every state it was in: when, by whom, and why.';

CREATE INDEX jobs_claim ON jobs (job_type, priority DESC, created_at, id) WHERE open AND run_after IS NULL;
CREATE INDEX jobs_waiting ON jobs (job_type, run_after) WHERE open AND run_after IS NOT NULL;
CREATE UNIQUE INDEX idx_jobs_video_pipeline_active ON jobs (video_id, job_type)
    WHERE open AND job_type IN ('transcode', 'sample', 'ocr', 'segment_index');
CREATE INDEX jobs_of_video ON jobs (video_id, created_at) WHERE video_id IS NOT NULL;
CREATE INDEX jobs_dead ON jobs (id) WHERE dead;
CREATE INDEX jobs_that_wait_for ON jobs (depends_on) WHERE depends_on IS NOT NULL; -- removing a job looks for those

CREATE FUNCTION sightline.guard_job_moves() RETURNS trigger
LANGUAGE plpgsql
AS $$
DECLARE
    -- Whoever holds the job, the person at work in this transaction, whoever held it, or at last the role.
    worker text := coalesce(NEW.locked_by, nullif(current_setting('sightline.actor', true), ''), OLD.locked_by, current_user);
BEGIN
    IF OLD.status = 'done' THEN
        DECLARE
            allowed jobs := OLD;
        BEGIN
            allowed.depends_on := NULL; -- the job it waited for was removed
            IF NEW IS NOT DISTINCT FROM allowed THEN
                RETURN NEW;
            END IF;
        END;
        RAISE EXCEPTION 'job % is done and cannot be changed', OLD.id USING ERRCODE = 'check_violation';
    END IF;
    IF OLD.status = 'queued' AND NEW.status = 'processing'
        OR OLD.status = 'processing' AND NEW.status IN ('done', 'failed')
        OR OLD.status = 'failed' AND NEW.status = 'queued'
    THEN
        NEW.moves := OLD.moves || ROW(NEW.status, now(), worker,
            CASE WHEN NEW.status = 'failed' THEN NEW.error::text END)::sightline.job_move;
    ELSIF OLD.status = 'processing' AND NEW.status = 'queued' THEN
        -- A failed attempt with retries left: both steps, in one statement.
        NEW.moves := OLD.moves || ARRAY[
            ROW('failed', now(), worker, NEW.error::text)::sightline.job_move,
            ROW('queued', now(), worker, NULL)::sightline.job_move];
    ELSIF OLD.status = 'processing' AND NEW.status = 'processing' THEN
        -- Taken over from a worker whose lease ran out: an attempt that failed, and the next one.
        NEW.moves := OLD.moves || ARRAY[
            ROW('failed', now(), OLD.locked_by, 'lease expired')::sightline.job_move,
            ROW('queued', now(), NEW.locked_by, NULL)::sightline.job_move,
            ROW('processing', now(), NEW.locked_by, NULL)::sightline.job_move];
    ELSE
        RAISE EXCEPTION 'job % cannot go from % to %', OLD.id, OLD.status, NEW.status USING ERRCODE = 'check_violation';
    END IF;
    -- The contract's own statements change the status alone. They too leave no job without owner, lease or payload.
    CASE NEW.status
        WHEN 'processing' THEN
            NEW.locked_by := coalesce(NEW.locked_by, current_user);
            NEW.locked_until := coalesce(NEW.locked_until, now() + interval '5 minutes');
            IF OLD.status = 'queued' THEN
                NEW.started_at := now();
            END IF;
        WHEN 'queued' THEN
            NEW.locked_by := NULL;
            NEW.locked_until := NULL;
            NEW.finished_at := NULL;
            IF NEW.payload ?& ARRAY['error', 'original_payload'] THEN
                NEW.payload := NEW.payload -> 'original_payload';
            END IF;
        ELSE
            NEW.locked_until := NULL;
            NEW.finished_at := coalesce(NEW.finished_at, now());
    END CASE;
    NEW.updated_at := now();
    RETURN NEW;
END
$$;
COMMENT ON FUNCTION sightline.guard_job_moves() IS 'Refuses moves that the contract does not know, and writes down those it does.';

CREATE TRIGGER guard_moves BEFORE UPDATE ON jobs FOR EACH ROW
    WHEN (OLD.status IS DISTINCT FROM NEW.status OR OLD.locked_by IS DISTINCT FROM NEW.locked_by OR OLD.status = 'done'
        -- a worker that takes over its own job after an outage
        OR NEW.status = 'processing' AND OLD.retry_count <> NEW.retry_count)
    EXECUTE FUNCTION sightline.guard_job_moves();

CREATE FUNCTION sightline.start_job_history() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    IF NEW.status <> 'queued' THEN
        RAISE EXCEPTION 'a new job is queued, not %', NEW.status USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER starts_queued BEFORE INSERT ON jobs FOR EACH ROW WHEN (NEW.status <> 'queued')
    EXECUTE FUNCTION sightline.start_job_history();

CREATE VIEW job_history WITH (security_invoker = true) AS
    SELECT j.id AS job_id, j.video_id, j.job_type, m.ordinality AS step, m.status, m.at, m.by, m.note
    FROM jobs AS j,
         unnest(ARRAY[ROW('queued', j.created_at, NULL, NULL)::sightline.job_move] || j.moves) WITH ORDINALITY
             AS m (status, at, by, note, ordinality);
COMMENT ON VIEW job_history IS 'Every move of every job, one row each.';

SELECT sightline.protect('jobs');
GRANT SELECT ON jobs TO sightline_user;
CREATE POLICY people_see_jobs_of_their_videos ON jobs FOR SELECT TO sightline_user
    USING (EXISTS (SELECT 1 FROM videos AS v WHERE v.id = jobs.video_id)); -- which obeys the policies of videos
GRANT SELECT ON job_history TO sightline_user, sightline_worker;

CREATE TABLE job_schedules (
    name text PRIMARY KEY,
    last_tick timestamptz NOT NULL
);
COMMENT ON TABLE job_schedules IS 'The last tick each periodic job was enqueued for; one scheduler at a time moves it on.';
SELECT sightline.protect('job_schedules');
