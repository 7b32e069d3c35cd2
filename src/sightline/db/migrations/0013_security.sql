-- Security events (document 003): cameras, detections in batches, events with a guarded life, alerts, and what keeps models apart.

-- Used by later transactions alone: the daily clean-up.
ALTER TYPE job_type ADD VALUE 'retention';

CREATE TABLE cameras (
    camera_id text COLLATE "C" PRIMARY KEY CHECK (camera_id ~ '^[a-z0-9]+(_[a-z0-9]+)*$' AND length(camera_id) <= 64),
    name text NOT NULL CHECK (name <> ''),
    owner_id uuid NOT NULL,
    owner_email text,
    team_id uuid,
    zone text NOT NULL DEFAULT 'UTC',
    last_fast_path_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON COLUMN cameras.zone IS 'The time zone in which it hangs: night there is night for its events.';
COMMENT ON COLUMN cameras.last_fast_path_at IS 'When a detection of it was last assessed at once.';

CREATE TABLE camera_zones (
    zone_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    camera_id text COLLATE "C" NOT NULL REFERENCES cameras ON DELETE CASCADE,
    name text NOT NULL CHECK (name <> ''),
    kind text NOT NULL CHECK (kind IN ('entry', 'restricted', 'public', 'other')),
    polygon jsonb NOT NULL CHECK (jsonb_typeof(polygon) = 'array' AND jsonb_array_length(polygon) >= 3),
    UNIQUE (camera_id, name)
);
COMMENT ON COLUMN camera_zones.polygon IS 'Corners as [x, y], each from 0 to 1 of the width and height of the picture.';

CREATE TABLE detection_batches (
    batch_id text COLLATE "C" PRIMARY KEY CHECK (batch_id ~ '^batch-[0-9a-f]{8}$'),
    camera_id text COLLATE "C" NOT NULL REFERENCES cameras ON DELETE CASCADE,
    state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'closed', 'assessed', 'failed')),
    detection_count integer NOT NULL DEFAULT 0 CHECK (detection_count >= 0),
    started_at timestamptz NOT NULL,
    ended_at timestamptz NOT NULL CHECK (ended_at >= started_at),
    opened_at timestamptz NOT NULL DEFAULT now(),
    last_received_at timestamptz NOT NULL DEFAULT now(),
    closed_at timestamptz,
    close_reason text CHECK (close_reason IN ('age', 'idle', 'full', 'fast_path')),
    CHECK ((state = 'open') = (closed_at IS NULL) AND (closed_at IS NULL) = (close_reason IS NULL))
);
COMMENT ON TABLE detection_batches IS 'Detections of one camera that are assessed together. One batch of a camera is open at a time.';
COMMENT ON COLUMN detection_batches.started_at IS 'By the detector''s clock: the first detection. ended_at is the last.';
COMMENT ON COLUMN detection_batches.opened_at IS 'By our clock, as last_received_at: these decide when a batch closes.';
CREATE UNIQUE INDEX detection_batches_open ON detection_batches (camera_id) WHERE state = 'open';
CREATE INDEX detection_batches_closed ON detection_batches (closed_at) WHERE state <> 'open';

CREATE TABLE detections (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    batch_id text COLLATE "C" NOT NULL REFERENCES detection_batches ON DELETE CASCADE,
    camera_id text COLLATE "C" NOT NULL,
    object_type text NOT NULL CHECK (object_type <> ''),
    confidence double precision NOT NULL CHECK (confidence BETWEEN 0 AND 1),
    detected_at timestamptz NOT NULL,
    box double precision[] CHECK (array_length(box, 1) = 4),
    image_key text,
    attributes jsonb NOT NULL DEFAULT '{}',
    source_id text,
    created_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON COLUMN detections.box IS 'x, y, width, height, each from 0 to 1 of the picture.';
COMMENT ON COLUMN detections.source_id IS 'What the detector calls it; told again, it is the same detection.';
CREATE INDEX detections_of_batch ON detections (batch_id);
CREATE INDEX detections_by_time ON detections (camera_id, detected_at);
CREATE INDEX detections_by_age ON detections (created_at);
CREATE UNIQUE INDEX detections_source ON detections (camera_id, source_id) WHERE source_id IS NOT NULL;

CREATE TABLE camera_activity (
    camera_id text COLLATE "C" NOT NULL REFERENCES cameras ON DELETE CASCADE,
    day date NOT NULL,
    hour smallint NOT NULL CHECK (hour BETWEEN 0 AND 23),
    object_type text NOT NULL,
    detections integer NOT NULL,
    PRIMARY KEY (camera_id, day, hour, object_type)
);
COMMENT ON TABLE camera_activity IS 'What was seen by day and hour of the camera''s own zone: from this follows what is usual.';

CREATE TABLE events (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    batch_id text COLLATE "C" NOT NULL UNIQUE,
    camera_id text COLLATE "C" NOT NULL,
    owner_id uuid NOT NULL,
    team_id uuid,
    risk_score smallint NOT NULL CHECK (risk_score BETWEEN 0 AND 100),
    risk_level text NOT NULL GENERATED ALWAYS AS (
        CASE WHEN risk_score >= 80 THEN 'critical' WHEN risk_score >= 60 THEN 'high' WHEN risk_score >= 30 THEN 'medium' ELSE 'low' END
    ) STORED,
    summary text NOT NULL,
    reasoning text NOT NULL,
    assessor text NOT NULL CHECK (assessor IN ('rules', 'model', 'rules_after_model', 'unavailable')),
    model text,
    object_types text[] NOT NULL DEFAULT '{}',
    started_at timestamptz NOT NULL,
    ended_at timestamptz CHECK (ended_at >= started_at),
    created_at timestamptz NOT NULL DEFAULT now(),
    sequence bigint,
    broadcasted_at timestamptz,
    acknowledged_at timestamptz,
    acknowledged_by text,
    resolved_at timestamptz,
    resolved_by text,
    resolution_notes text,
    version integer NOT NULL DEFAULT 1,
    state text NOT NULL GENERATED ALWAYS AS (
        CASE WHEN resolved_at IS NOT NULL THEN 'resolved' WHEN acknowledged_at IS NOT NULL THEN 'acknowledged'
             WHEN broadcasted_at IS NOT NULL THEN 'broadcasted' ELSE 'created' END
    ) STORED,
    words tsvector GENERATED ALWAYS AS (
        to_tsvector('simple', summary || ' ' || reasoning || ' ' || replace(camera_id, '_', ' '))
    ) STORED,
    CHECK (resolved_at IS NULL OR acknowledged_at IS NOT NULL)
);
COMMENT ON TABLE events IS 'Security events that are live. The oldest move to events_archive.';
COMMENT ON COLUMN events.assessor IS 'Who judged: the rules, a model, the rules because the model failed, or nobody.';
COMMENT ON COLUMN events.sequence IS 'Its number on the live stream "events".';
COMMENT ON COLUMN events.version IS 'Rises with each change that a person makes.';
CREATE INDEX events_newest ON events (created_at DESC, id DESC);
CREATE INDEX events_of_camera ON events (camera_id, created_at DESC, id DESC);
CREATE INDEX events_words ON events USING gin (words);
CREATE INDEX events_to_broadcast ON events (sequence) WHERE broadcasted_at IS NULL;

CREATE FUNCTION sightline.guard_event_moves() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    IF OLD.batch_id <> NEW.batch_id OR OLD.risk_score <> NEW.risk_score
        OR OLD.broadcasted_at IS NOT NULL AND NEW.broadcasted_at IS DISTINCT FROM OLD.broadcasted_at
        OR OLD.acknowledged_at IS NOT NULL AND NEW.acknowledged_at IS DISTINCT FROM OLD.acknowledged_at
        OR OLD.resolved_at IS NOT NULL AND NEW.resolved_at IS DISTINCT FROM OLD.resolved_at
        OR NEW.resolved_at IS NOT NULL AND OLD.acknowledged_at IS NULL
    THEN
        RAISE EXCEPTION 'event % cannot go back, nor skip its acknowledgement', OLD.id USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END
$$;
COMMENT ON FUNCTION sightline.guard_event_moves() IS 'created, broadcasted, acknowledged, resolved: each moment is set once and stays.';
CREATE TRIGGER guard_moves BEFORE UPDATE ON events FOR EACH ROW EXECUTE FUNCTION sightline.guard_event_moves();

-- The same columns, generated ones as plain values. Who adds a column to one adds it to both, at the end but for archived_at.
CREATE TABLE events_archive (LIKE events, archived_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (id), UNIQUE (batch_id));
COMMENT ON COLUMN events_archive.state IS 'The state it had when it was archived.';
CREATE INDEX events_archive_newest ON events_archive (created_at DESC, id DESC);
CREATE INDEX events_archive_age ON events_archive (archived_at);

CREATE TABLE alert_rules (
    rule_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    owner_id uuid NOT NULL,
    owner_email text,
    team_id uuid,
    name text NOT NULL CHECK (name <> ''),
    is_enabled boolean NOT NULL DEFAULT true,
    severity text NOT NULL DEFAULT 'high' CHECK (severity IN ('high', 'critical')),
    conditions jsonb NOT NULL,
    cooldown_s integer NOT NULL DEFAULT 300 CHECK (cooldown_s >= 0),
    escalate_after_s integer CHECK (escalate_after_s > 0),
    created_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (owner_id, name)
);
COMMENT ON COLUMN alert_rules.team_id IS 'The rule watches this team''s cameras too.';

CREATE TABLE alerts (
    alert_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    rule_id bigint NOT NULL REFERENCES alert_rules ON DELETE CASCADE,
    event_id bigint NOT NULL,
    owner_id uuid NOT NULL,
    dedup_key text NOT NULL,
    severity text NOT NULL,
    state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'delivered', 'acknowledged', 'dismissed')),
    created_at timestamptz NOT NULL DEFAULT now(),
    escalate_at timestamptz,
    delivered_at timestamptz,
    escalated_at timestamptz,
    settled_at timestamptz,
    settled_by text
);
COMMENT ON COLUMN alerts.dedup_key IS 'camera:rule; within the cooldown there is one alert for it.';
COMMENT ON COLUMN alerts.delivered_at IS 'When a client confirmed the event''s message, or it was sent where it needs no confirmation.';
COMMENT ON COLUMN alerts.settled_at IS 'When a person acknowledged or dismissed it.';
CREATE INDEX alerts_recent ON alerts (dedup_key, created_at DESC);
CREATE INDEX alerts_pending ON alerts (escalate_at) WHERE state = 'pending';
CREATE INDEX alerts_newest ON alerts (owner_id, alert_id DESC);
CREATE INDEX alerts_of_event ON alerts (event_id);

CREATE TABLE event_alert_rules (
    event_id bigint NOT NULL,
    rule_id bigint NOT NULL REFERENCES alert_rules ON DELETE CASCADE,
    alert_id bigint NOT NULL REFERENCES alerts ON DELETE CASCADE,
    PRIMARY KEY (event_id, rule_id)
);
COMMENT ON TABLE event_alert_rules IS 'Which rules an event met, and the alert that tells of it: its own, or one that was still cooling down.';

CREATE TABLE inference_slots (
    slot smallint PRIMARY KEY,
    holder uuid,
    held_until timestamptz
);
COMMENT ON TABLE inference_slots IS 'How many questions models are asked at once, over all processes. A slot of a killed process becomes free by itself.';

SELECT sightline.protect('cameras');
SELECT sightline.protect('camera_zones');
SELECT sightline.protect('detection_batches');
SELECT sightline.protect('detections');
SELECT sightline.protect('camera_activity');
SELECT sightline.protect('events');
SELECT sightline.protect('events_archive');
SELECT sightline.protect('alert_rules');
SELECT sightline.protect('alerts');
SELECT sightline.protect('event_alert_rules');
SELECT sightline.protect('inference_slots');

GRANT SELECT ON cameras, camera_zones, detection_batches, detections, events, events_archive, alert_rules, alerts, event_alert_rules
    TO sightline_user;
CREATE POLICY people_see_their_own ON cameras FOR SELECT TO sightline_user USING (sightline.caller_may_see(owner_id, team_id));
CREATE POLICY people_see_those_of_their_cameras ON camera_zones FOR SELECT TO sightline_user
    USING (EXISTS (SELECT 1 FROM cameras AS c WHERE c.camera_id = camera_zones.camera_id)); -- which obeys the policies of cameras
CREATE POLICY people_see_those_of_their_cameras ON detection_batches FOR SELECT TO sightline_user
    USING (EXISTS (SELECT 1 FROM cameras AS c WHERE c.camera_id = detection_batches.camera_id));
CREATE POLICY people_see_those_of_their_cameras ON detections FOR SELECT TO sightline_user
    USING (EXISTS (SELECT 1 FROM cameras AS c WHERE c.camera_id = detections.camera_id));
CREATE POLICY people_see_their_own ON events FOR SELECT TO sightline_user USING (sightline.caller_may_see(owner_id, team_id));
CREATE POLICY people_see_their_own ON events_archive FOR SELECT TO sightline_user USING (sightline.caller_may_see(owner_id, team_id));
CREATE POLICY people_see_their_own ON alert_rules FOR SELECT TO sightline_user USING (owner_id = (SELECT auth.uid()));
CREATE POLICY people_see_their_own ON alerts FOR SELECT TO sightline_user USING (owner_id = (SELECT auth.uid()));
CREATE POLICY people_see_those_of_their_rules ON event_alert_rules FOR SELECT TO sightline_user
    USING (EXISTS (SELECT 1 FROM alert_rules AS r WHERE r.rule_id = event_alert_rules.rule_id));

CREATE VIEW known_events WITH (security_invoker = true) AS
    SELECT id, batch_id, camera_id, owner_id, team_id, risk_score, risk_level, summary, reasoning, assessor, model, object_types,
           started_at, ended_at, created_at, sequence, broadcasted_at, acknowledged_at, acknowledged_by, resolved_at, resolved_by,
           resolution_notes, version, state, words, NULL::timestamptz AS archived_at
    FROM events
    UNION ALL
    SELECT id, batch_id, camera_id, owner_id, team_id, risk_score, risk_level, summary, reasoning, assessor, model, object_types,
           started_at, ended_at, created_at, sequence, broadcasted_at, acknowledged_at, acknowledged_by, resolved_at, resolved_by,
           resolution_notes, version, 'archived', words, archived_at
    FROM events_archive;
COMMENT ON VIEW known_events IS 'Live and archived events; people see what the tables'' policies let them.';
GRANT SELECT ON known_events TO sightline_user, sightline_worker;
