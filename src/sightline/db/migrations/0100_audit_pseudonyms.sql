-- The audit log without the names of people whose data was erased (ADR 0107).

ALTER TABLE audit_log ADD COLUMN replaced_hash bytea CHECK (length(replaced_hash) = 32);
COMMENT ON COLUMN audit_log.replaced_hash IS
    'Of an entry whose person was erased: the hash of what it says now. A later entry audit.pseudonymized lists it, which the chain protects.';

CREATE OR REPLACE FUNCTION sightline.guard_audit_log() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    -- The two ways: sightline.expire_audit_log, for entries that are older than any setting may ask for, and
    -- sightline.pseudonymize_audit_log, which changes nothing but who it was.
    IF TG_OP = 'DELETE' AND TG_LEVEL = 'ROW' THEN
        IF current_setting('sightline.audit_expiry', true) = 'on' AND OLD.at < now() - interval '30 days' THEN
            RETURN OLD;
        END IF;
    END IF;
    IF TG_OP = 'UPDATE' THEN
        IF current_setting('sightline.audit_pseudonyms', true) = 'on' AND NEW.replaced_hash IS NOT NULL
            AND (OLD.number, OLD.at, OLD.action, OLD.outcome, OLD.via, OLD.previous_hash, OLD.hash)
                = (NEW.number, NEW.at, NEW.action, NEW.outcome, NEW.via, NEW.previous_hash, NEW.hash)
            AND NEW.correlation_id IS NOT DISTINCT FROM OLD.correlation_id
        THEN
            RETURN NEW;
        END IF;
    END IF;
    RAISE EXCEPTION 'the audit log is append-only; % is refused', TG_OP USING ERRCODE = 'insufficient_privilege';
END
$$;

CREATE FUNCTION sightline.pseudonymize_audit_log(
    numbers bigint[], actor_ids uuid[], actors text[], targets text[], details jsonb[], replaced_hashes bytea[]
) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    changed bigint;
BEGIN
    PERFORM set_config('sightline.audit_pseudonyms', 'on', true);
    UPDATE public.audit_log AS a
    SET actor_id = new.actor_id, actor = new.actor, target = new.target, details = new.details, replaced_hash = new.replaced_hash
    FROM unnest($1, $2, $3, $4, $5, $6) AS new (number, actor_id, actor, target, details, replaced_hash)
    WHERE a.number = new.number;
    GET DIAGNOSTICS changed = ROW_COUNT;
    PERFORM set_config('sightline.audit_pseudonyms', 'off', true);
    RETURN changed;
END
$$;
COMMENT ON FUNCTION sightline.pseudonymize_audit_log(bigint[], uuid[], text[], text[], jsonb[], bytea[]) IS
    'Replaces who did something, and of whom, by pseudonyms. Without an entry that lists the new hashes the chain is broken.';
REVOKE EXECUTE ON FUNCTION sightline.pseudonymize_audit_log(bigint[], uuid[], text[], text[], jsonb[], bytea[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION sightline.pseudonymize_audit_log(bigint[], uuid[], text[], text[], jsonb[], bytea[]) TO sightline_worker;
