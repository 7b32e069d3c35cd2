-- Alerts that escalate step by step until a person acknowledges; quiet hours and snoozes.

ALTER TABLE alert_rules
    ADD COLUMN escalation jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(escalation) = 'array'),
    ADD COLUMN quiet_hours jsonb,
    ADD COLUMN quiet_lets_critical boolean NOT NULL DEFAULT true,
    ADD COLUMN snoozed_until timestamptz;
COMMENT ON COLUMN alert_rules.escalation IS
    'Steps that are taken until a person acknowledges the event: after_s, and who is notified over which channel. Instead of escalate_after_s.';
COMMENT ON COLUMN alert_rules.quiet_hours IS 'Alerts are recorded then, and notify nobody but of critical events if quiet_lets_critical.';
COMMENT ON COLUMN alert_rules.snoozed_until IS 'Until then the rule raises no alerts.';

ALTER TABLE alerts
    ADD COLUMN next_step smallint NOT NULL DEFAULT 0,
    ADD COLUMN next_step_at timestamptz;
COMMENT ON COLUMN alerts.next_step IS 'The step of the rule''s escalation that is due at next_step_at; null when the chain has ended.';
CREATE INDEX alerts_next_step ON alerts (next_step_at) WHERE next_step_at IS NOT NULL;

CREATE TABLE camera_snoozes (
    camera_key uuid NOT NULL REFERENCES cameras ON DELETE CASCADE,
    person_id uuid NOT NULL,
    until timestamptz NOT NULL,
    lets_critical boolean NOT NULL,
    PRIMARY KEY (camera_key, person_id)
);
COMMENT ON TABLE camera_snoozes IS 'Until when a person is not alerted by a camera; events are created all the same.';
SELECT sightline.protect('camera_snoozes');
GRANT SELECT ON camera_snoozes TO sightline_user;
CREATE POLICY people_see_their_own ON camera_snoozes FOR SELECT TO sightline_user USING (person_id = (SELECT auth.uid()));
