-- Workers of other programs, written from document 001 alone and in plain SQL (ADR 0047). The platform's own transactions name
-- themselves (sightline.writer, db/pool.py); what these triggers add concerns all others.
-- removes: writing without sightline.writer, which marks what other programs write from here on

-- The words of document 001 for a video. They are never stored: a trigger takes them down and leaves the status as it is.
ALTER TYPE video_status ADD VALUE 'processing';
ALTER TYPE video_status ADD VALUE 'ready';
ALTER TYPE video_status ADD VALUE 'failed';

ALTER TABLE videos ADD COLUMN reported_status text CHECK (reported_status IN ('processing', 'ready', 'failed'));
COMMENT ON COLUMN videos.reported_status IS
    'What a worker of another program wrote to status, in the words of document 001; NULL once the platform has followed it.';
CREATE INDEX videos_reported ON videos (id) WHERE reported_status IS NOT NULL;

-- A scanner of another program may give the path, which follows from the id.
ALTER TABLE videos ALTER COLUMN s3_original_path DROP EXPRESSION;
ALTER TABLE videos ADD CHECK (s3_original_path = 'videos/original/' || id::text || '/master.mp4');
ALTER TABLE videos ALTER COLUMN name SET DEFAULT 'Untitled video';

CREATE FUNCTION sightline.start_video() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp
AS $$
BEGIN
    NEW.s3_original_path := coalesce(NEW.s3_original_path, 'videos/original/' || NEW.id::text || '/master.mp4');
    IF current_setting('sightline.writer', true) IS DISTINCT FROM 'platform' THEN
        IF NEW.status::text IN ('processing', 'ready', 'failed') THEN
            NEW.reported_status := NEW.status::text;
            NEW.status := 'UPLOADED';
        ELSIF NEW.status = 'CREATED' THEN
            -- Another program adds the row because it has found the file.
            NEW.status := 'UPLOADED';
        END IF;
    END IF;
    RETURN NEW;
END
$$;
COMMENT ON FUNCTION sightline.start_video() IS 'Fills in the path of a new video; one that another program adds is uploaded already.';
CREATE TRIGGER a_start BEFORE INSERT ON videos FOR EACH ROW EXECUTE FUNCTION sightline.start_video();

CREATE FUNCTION sightline.take_reported_status() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp
AS $$
BEGIN
    IF OLD.status = 'COMPLETED' AND NEW.status::text = 'failed' THEN
        RAISE EXCEPTION 'video % cannot go from COMPLETED to FAILED', OLD.id USING ERRCODE = 'check_violation';
    END IF;
    NEW.reported_status := NEW.status::text;
    NEW.status := OLD.status;
    RETURN NEW;
END
$$;
COMMENT ON FUNCTION sightline.take_reported_status() IS
    'Takes down a status in the words of document 001. The platform makes the moves, with their announcements and the search index.';
CREATE TRIGGER a_reported_status BEFORE UPDATE ON videos FOR EACH ROW
    WHEN (NEW.status::text IN ('processing', 'ready', 'failed')) EXECUTE FUNCTION sightline.take_reported_status();

CREATE FUNCTION sightline.notify_external() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog
AS $$
BEGIN
    PERFORM pg_notify('sightline_external', '');
    RETURN NULL;
END
$$;
CREATE TRIGGER notify_reported AFTER INSERT OR UPDATE ON videos FOR EACH ROW
    WHEN (NEW.reported_status IS NOT NULL) EXECUTE FUNCTION sightline.notify_external();

-- Whoever moves a video, its history is written by the owner of the table.
ALTER FUNCTION sightline.keep_video_move() SECURITY DEFINER;

-- Jobs ------------------------------------------------------------------------------------------------------------------------

ALTER TABLE jobs ADD CONSTRAINT jobs_retry_limit CHECK (retry_count <= 3);

CREATE FUNCTION sightline.new_job_id() RETURNS uuid
LANGUAGE sql VOLATILE PARALLEL SAFE
RETURN encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
    PLACING substring(int8send((extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3) FROM 1 FOR 6), 52, 1), 53, 1), 'hex')::uuid;
COMMENT ON FUNCTION sightline.new_job_id() IS 'A UUID of version 7, as jobs/ids.py makes them: lists are sorted by it.';
ALTER TABLE jobs ALTER COLUMN id SET DEFAULT sightline.new_job_id();

CREATE TABLE sightline.external_jobs (
    job_id uuid PRIMARY KEY,
    claimed_at timestamptz,
    look_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE sightline.external_jobs IS
    'Jobs that other programs claimed or changed, until the platform has followed them. Without a foreign key, which would cost each '
    'job that is removed; rows of removed jobs are cleared by jobs/external.py.';
COMMENT ON COLUMN sightline.external_jobs.claimed_at IS 'Equals started_at of the job while the other program holds it.';
COMMENT ON COLUMN sightline.external_jobs.look_at IS 'When the platform looks at the job next.';
CREATE INDEX external_jobs_next ON sightline.external_jobs (look_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON sightline.external_jobs TO sightline_worker;

CREATE FUNCTION sightline.default_lease() RETURNS interval
LANGUAGE sql STABLE PARALLEL SAFE
RETURN coalesce(nullif(current_setting('sightline.default_lease', true), '')::interval, interval '1 hour');
COMMENT ON FUNCTION sightline.default_lease() IS
    'The lease of a worker that sets no locked_until and sends no heartbeats. ALTER DATABASE or ALTER ROLE … SET sightline.default_lease changes it.';

CREATE FUNCTION sightline.refuse_claim(job_id uuid, reason text, hint text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog
AS $$
BEGIN
    -- The code tells a client that the same statement may succeed later.
    RAISE EXCEPTION 'job % %', job_id, reason USING ERRCODE = 'lock_not_available', HINT = hint;
END
$$;

-- Counts retries for every worker alike: what a worker adds to retry_count is ignored, unless it writes 3 at once to say "never again".
CREATE FUNCTION sightline.hold_external_worker() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog
AS $$
BEGIN
    IF OLD.status = 'queued' AND NEW.status = 'processing' THEN
        IF OLD.run_after > now() THEN
            PERFORM sightline.refuse_claim(OLD.id, format('waits until %s for its next attempt', OLD.run_after),
                'Poll with: AND (run_after IS NULL OR run_after <= now())');
        ELSIF NEW.depends_on IS NOT NULL
            AND (SELECT j.status FROM public.jobs AS j WHERE j.id = NEW.depends_on) IS DISTINCT FROM 'done' THEN
            PERFORM sightline.refuse_claim(OLD.id, format('depends on job %s, which is not done', NEW.depends_on),
                'Poll with: AND (depends_on IS NULL OR EXISTS (SELECT FROM jobs AS d WHERE d.id = jobs.depends_on AND d.status = ''done''))');
        END IF;
        NEW.run_after := NULL;
        NEW.retry_count := OLD.retry_count;
        NEW.progress := 0;
        NEW.locked_until := coalesce(NEW.locked_until, now() + sightline.default_lease());
    ELSIF OLD.status = 'processing' AND NEW.status = 'processing' THEN
        IF TG_ARGV[0] = 'claim' AND NEW.locked_by IS NOT DISTINCT FROM OLD.locked_by AND NEW.locked_until > OLD.locked_until THEN
            RETURN NEW; -- a heartbeat that names the status too
        ELSIF TG_ARGV[0] = 'claim' OR NEW.locked_by IS DISTINCT FROM OLD.locked_by THEN
            IF OLD.locked_until > now() THEN
                PERFORM sightline.refuse_claim(OLD.id, format('is leased to %s until %s', OLD.locked_by, OLD.locked_until),
                    'Claim with: SELECT … WHERE status = ''queued'' … FOR UPDATE SKIP LOCKED, and update in the same transaction');
            ELSIF OLD.retry_count >= 3 THEN
                RAISE EXCEPTION 'job % has used its 3 retries; it becomes failed', OLD.id USING ERRCODE = 'check_violation';
            END IF;
            -- Taken over from a worker whose lease ran out, which has used an attempt.
            NEW.retry_count := OLD.retry_count + 1;
            NEW.started_at := now();
            IF NEW.locked_until IS NOT DISTINCT FROM OLD.locked_until THEN
                NEW.locked_until := now() + sightline.default_lease();
            END IF;
        ELSIF OLD.locked_until > now() OR NEW.started_at IS NOT DISTINCT FROM OLD.started_at THEN
            -- A heartbeat, progress, or whatever else; the claim stays as it is.
            NEW.retry_count := OLD.retry_count;
            NEW.started_at := OLD.started_at;
        END IF;
    ELSIF OLD.status = 'processing' THEN
        IF OLD.locked_until > now()
            AND NOT EXISTS (SELECT FROM sightline.external_jobs AS e WHERE e.job_id = OLD.id AND e.claimed_at = OLD.started_at) THEN
            PERFORM sightline.refuse_claim(OLD.id, format('is leased to %s until %s', OLD.locked_by, OLD.locked_until),
                'Your lease ran out, and another worker has claimed the job');
        END IF;
        IF NEW.status = 'done' THEN
            NEW.progress := 1;
            NEW.error := NULL;
        ELSE
            IF NEW.status = 'queued' AND OLD.retry_count >= 3 THEN
                RAISE EXCEPTION 'job % has used its 3 retries and cannot be queued again; set its status to failed', OLD.id
                    USING ERRCODE = 'check_violation';
            END IF;
            -- Waits for its retry in "failed", as the document draws it, so that no poll for queued jobs meets it.
            NEW.status := 'failed';
            NEW.retry_count := CASE WHEN NEW.retry_count > OLD.retry_count + 1 THEN least(NEW.retry_count, 3) ELSE OLD.retry_count END;
            NEW.run_after := NULL;
            NEW.error := jsonb_build_object('type', 'WorkerFailed', 'message', 'the worker gave no reason',
                    'timestamp', to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'retry_count', OLD.retry_count)
                || CASE WHEN jsonb_typeof(NEW.payload -> 'error') = 'object' THEN NEW.payload -> 'error'
                        WHEN jsonb_typeof(NEW.error) = 'object' AND NEW.error IS DISTINCT FROM OLD.error THEN NEW.error
                        ELSE '{}' END;
            NEW.payload := jsonb_build_object('error', NEW.error, 'original_payload',
                CASE WHEN NEW.payload ? 'original_payload' THEN NEW.payload -> 'original_payload'
                     WHEN NEW.payload ? 'error' THEN OLD.payload ELSE NEW.payload END);
        END IF;
    ELSIF OLD.status = 'failed' AND NEW.status = 'queued' AND NEW.retry_count >= OLD.retry_count THEN
        IF EXISTS (SELECT FROM sightline.external_jobs AS e WHERE e.job_id = OLD.id) AND OLD.retry_count < 3 THEN
            RETURN OLD; -- the platform queues it when the delay of its retry is over
        ELSIF OLD.retry_count >= 3 THEN
            RAISE EXCEPTION 'job % has used its 3 retries; set retry_count to 0 to start again', OLD.id USING ERRCODE = 'check_violation';
        END IF;
        NEW.retry_count := OLD.retry_count + 1;
    END IF;
    RETURN NEW;
END
$$;
COMMENT ON FUNCTION sightline.hold_external_worker() IS
    'Holds delay, dependency, lease and retry limit against other programs, and completes what their statements leave out.';

-- Before guard_moves, by name. The first fires only for statements that set the status, also to what it is: a second claim.
CREATE TRIGGER external_claim BEFORE UPDATE OF status ON jobs FOR EACH ROW
    WHEN (OLD.status = 'processing' AND NEW.status = 'processing' AND current_setting('sightline.writer', true) IS DISTINCT FROM 'platform')
    EXECUTE FUNCTION sightline.hold_external_worker('claim');
CREATE TRIGGER external_worker BEFORE UPDATE ON jobs FOR EACH ROW
    WHEN (current_setting('sightline.writer', true) IS DISTINCT FROM 'platform')
    EXECUTE FUNCTION sightline.hold_external_worker('change');

CREATE FUNCTION sightline.note_external_job() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog
AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        PERFORM pg_notify('sightline_jobs', NEW.job_type::text);
        RETURN NULL;
    END IF;
    -- A statement that is no claim does not make the job the other program's.
    INSERT INTO sightline.external_jobs AS e (job_id, claimed_at)
    VALUES (NEW.id, CASE WHEN NEW.status = 'processing' AND (OLD.status, OLD.started_at) IS DISTINCT FROM (NEW.status, NEW.started_at)
                         THEN NEW.started_at END)
    ON CONFLICT (job_id) DO UPDATE SET look_at = now(), claimed_at = coalesce(excluded.claimed_at, e.claimed_at);
    PERFORM pg_notify('sightline_external', '');
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION sightline.note_external_job() IS 'Takes down that another program changed a job, and wakes the service that follows it.';
CREATE TRIGGER note_external AFTER UPDATE ON jobs FOR EACH ROW
    WHEN (current_setting('sightline.writer', true) IS DISTINCT FROM 'platform'
        AND (OLD.status IS DISTINCT FROM NEW.status OR OLD.started_at IS DISTINCT FROM NEW.started_at
            OR OLD.run_after IS DISTINCT FROM NEW.run_after
            OR OLD.locked_until > now() AND NEW.locked_until <= now()))
    EXECUTE FUNCTION sightline.note_external_job();
CREATE TRIGGER note_external_insert AFTER INSERT ON jobs FOR EACH ROW
    WHEN (current_setting('sightline.writer', true) IS DISTINCT FROM 'platform')
    EXECUTE FUNCTION sightline.note_external_job();
