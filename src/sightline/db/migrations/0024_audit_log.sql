-- The audit log: who did and saw what. Entries are only ever added, and each carries the hash of the one before it.

CREATE TABLE audit_log (
    number bigint PRIMARY KEY CHECK (number > 0),
    at timestamptz NOT NULL,
    action text NOT NULL CHECK (action <> ''),
    outcome text NOT NULL CHECK (outcome IN ('done', 'refused', 'failed')),
    actor_id uuid,
    actor text,
    via text NOT NULL CHECK (via <> ''),
    target text,
    details jsonb NOT NULL,
    correlation_id text,
    previous_hash bytea NOT NULL CHECK (length(previous_hash) = 32),
    hash bytea NOT NULL CHECK (length(hash) = 32)
);
COMMENT ON TABLE audit_log IS 'Append-only. Numbers have no gaps; `sightline audit verify` computes every hash again.';
COMMENT ON COLUMN audit_log.via IS 'How the actor signed in: token, session, key and its id, local, command line, platform.';
COMMENT ON COLUMN audit_log.hash IS 'SHA-256 of previous_hash and of this entry in a fixed form.';
CREATE INDEX audit_log_of_actor ON audit_log (actor_id, number DESC);
CREATE INDEX audit_log_of_target ON audit_log (target, number DESC);
CREATE INDEX audit_log_of_action ON audit_log (action, number DESC);
CREATE INDEX audit_log_by_time ON audit_log (at);

-- Not sightline.protect: that would let the platform change and delete.
ALTER TABLE audit_log ENABLE ROW LEVEL SECURITY;
GRANT SELECT, INSERT ON audit_log TO sightline_worker;
CREATE POLICY platform_reads ON audit_log FOR SELECT TO sightline_worker USING (true);
CREATE POLICY platform_adds ON audit_log FOR INSERT TO sightline_worker WITH CHECK (true);

CREATE FUNCTION sightline.guard_audit_log() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    -- The one way out: sightline.expire_audit_log, for entries that are older than any setting may ask for.
    IF TG_OP = 'DELETE' AND TG_LEVEL = 'ROW' THEN
        IF current_setting('sightline.audit_expiry', true) = 'on' AND OLD.at < now() - interval '30 days' THEN
            RETURN OLD;
        END IF;
    END IF;
    RAISE EXCEPTION 'the audit log is append-only; % is refused', TG_OP USING ERRCODE = 'insufficient_privilege';
END
$$;
COMMENT ON FUNCTION sightline.guard_audit_log() IS 'Refuses to change or remove entries, for the owner of the table too.';
CREATE TRIGGER guard_rows BEFORE UPDATE OR DELETE ON audit_log FOR EACH ROW EXECUTE FUNCTION sightline.guard_audit_log();
CREATE TRIGGER guard_truncate BEFORE TRUNCATE ON audit_log FOR EACH STATEMENT EXECUTE FUNCTION sightline.guard_audit_log();
-- Also while triggers of the usual kind are off, as they are in a session that replays a replica.
ALTER TABLE audit_log ENABLE ALWAYS TRIGGER guard_rows;
ALTER TABLE audit_log ENABLE ALWAYS TRIGGER guard_truncate;

CREATE FUNCTION sightline.expire_audit_log(through bigint) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    removed bigint;
BEGIN
    PERFORM set_config('sightline.audit_expiry', 'on', true);
    DELETE FROM public.audit_log WHERE number <= through;
    GET DIAGNOSTICS removed = ROW_COUNT;
    PERFORM set_config('sightline.audit_expiry', 'off', true);
    RETURN removed;
END
$$;
COMMENT ON FUNCTION sightline.expire_audit_log(bigint) IS
    'Removes the oldest entries up to a number. The trigger refuses any that is younger than 30 days.';
REVOKE EXECUTE ON FUNCTION sightline.expire_audit_log(bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION sightline.expire_audit_log(bigint) TO sightline_worker;
