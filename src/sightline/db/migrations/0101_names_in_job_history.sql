-- Erasing a person takes the name out of the history of jobs, of done ones too, which nothing else may change (ADR 0107).

CREATE OR REPLACE FUNCTION sightline.guard_job_moves() RETURNS trigger
LANGUAGE plpgsql
AS $$
DECLARE
    -- Whoever holds the job, the person at work in this transaction, whoever held it, or at last the role.
    worker text := coalesce(NEW.locked_by, nullif(current_setting('sightline.actor', true), ''), OLD.locked_by, current_user);
BEGIN
    IF OLD.status = 'done' THEN
        DECLARE
            allowed public.jobs := OLD;
        BEGIN
            allowed.depends_on := NULL; -- the job it waited for was removed
            IF NEW IS NOT DISTINCT FROM allowed THEN
                RETURN NEW;
            END IF;
            allowed := OLD;
            IF cardinality(NEW.moves) = cardinality(OLD.moves) AND current_setting('sightline.writer', true) = 'platform' THEN
                allowed.moves := NEW.moves; -- without the name of a person whose data was erased
            END IF;
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
