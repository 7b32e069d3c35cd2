-- The platform claims and finishes thousands of jobs per second, and its two statements for that write the history themselves: a trigger
-- function per row costs a tenth of them. They name the state that they expect, and add exactly what the guard would add. Any other move,
-- a statement that leaves the history as it is, and every statement of another program are guarded as before.
-- keeps: statements of older versions leave the history as it is, and are guarded as before

DROP TRIGGER guard_moves ON jobs;
CREATE TRIGGER guard_moves BEFORE UPDATE ON jobs FOR EACH ROW
    WHEN ((OLD.status IS DISTINCT FROM NEW.status OR OLD.locked_by IS DISTINCT FROM NEW.locked_by OR OLD.status = 'done'
            -- a worker that takes over its own job after an outage
            OR NEW.status = 'processing' AND OLD.retry_count <> NEW.retry_count)
        AND (current_setting('sightline.writer', true) IS DISTINCT FROM 'platform'
            OR cardinality(NEW.moves) <= cardinality(OLD.moves)
            OR NOT (NEW.status = 'processing' AND OLD.status IN ('queued', 'processing') OR NEW.status = 'done' AND OLD.status = 'processing')))
    EXECUTE FUNCTION sightline.guard_job_moves();
