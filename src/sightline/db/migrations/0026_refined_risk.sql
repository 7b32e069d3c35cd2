-- The rules assess at once; a model may refine the event afterwards, as a new version (DESIGN, ruling 11).

-- Used by later transactions only.
ALTER TYPE job_type ADD VALUE 'refine_risk';

ALTER TABLE cameras ADD COLUMN last_fast_path_points smallint NOT NULL DEFAULT 0;
COMMENT ON COLUMN cameras.last_fast_path_points IS
    'Points of the most dangerous detection on the fast path within its pause; a more dangerous one does not wait.';

CREATE OR REPLACE FUNCTION sightline.guard_event_moves() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    IF OLD.batch_id <> NEW.batch_id
        OR OLD.broadcasted_at IS NOT NULL AND NEW.broadcasted_at IS DISTINCT FROM OLD.broadcasted_at
        OR OLD.acknowledged_at IS NOT NULL AND NEW.acknowledged_at IS DISTINCT FROM OLD.acknowledged_at
        OR OLD.resolved_at IS NOT NULL AND NEW.resolved_at IS DISTINCT FROM OLD.resolved_at
        OR NEW.resolved_at IS NOT NULL AND OLD.acknowledged_at IS NULL
    THEN
        RAISE EXCEPTION 'event % cannot go back, nor skip its acknowledgement', OLD.id USING ERRCODE = 'check_violation';
    END IF;
    IF (OLD.risk_score <> NEW.risk_score OR OLD.assessor <> NEW.assessor)
        AND (OLD.assessor <> 'rules' OR NEW.version <= OLD.version OR OLD.resolved_at IS NOT NULL
             OR OLD.risk_score >= 80 AND NEW.risk_score < OLD.risk_score)
    THEN
        RAISE EXCEPTION 'the risk of event % can be refined once, as a new version before it is resolved, and a critical one not lowered', OLD.id
            USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END
$$;
COMMENT ON FUNCTION sightline.guard_event_moves() IS
    'created, broadcasted, acknowledged, resolved: each moment is set once and stays. The rules'' risk is refined at most once.';
COMMENT ON COLUMN events.version IS 'Rises with each change that a person makes, and when a model refines the risk.';
COMMENT ON COLUMN events.assessor IS 'rules; model: refined by one; rules_after_model: the model failed; unavailable: marked as not analyzed.';
