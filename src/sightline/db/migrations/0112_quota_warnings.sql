-- Warnings of owners whose use comes near to a quota (ADR 0109).

CREATE TABLE owner_quota_checks (
    owner_id uuid PRIMARY KEY,
    due_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE owner_quota_checks IS
    'Owners whose use is to be compared with their quotas: it changed, or they were warned and it may have fallen since.';
CREATE INDEX owner_quota_checks_due ON owner_quota_checks (due_at);
SELECT sightline.protect('owner_quota_checks');

CREATE TABLE owner_quota_warnings (
    owner_id uuid NOT NULL,
    quota text NOT NULL CHECK (quota IN ('storage_bytes', 'videos', 'minutes_per_month')),
    period text NOT NULL CHECK (period = '' OR period ~ '^[0-9]{4}-[0-9]{2}$'),
    percent smallint NOT NULL CHECK (percent IN (80, 100)),
    warning_id uuid NOT NULL DEFAULT gen_random_uuid(),
    warned_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (owner_id, quota)
);
COMMENT ON TABLE owner_quota_warnings IS 'The highest threshold that an owner was warned of; no row, or a lower one, once use fell below it.';
COMMENT ON COLUMN owner_quota_warnings.period IS 'The month of a quota that begins anew with each; empty for the others.';
SELECT sightline.protect('owner_quota_warnings');
GRANT SELECT ON owner_quota_warnings TO sightline_user;
CREATE POLICY people_see_their_own ON owner_quota_warnings FOR SELECT TO sightline_user USING (owner_id = (SELECT auth.uid()));
