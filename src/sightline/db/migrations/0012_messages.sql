-- Messages of document 002: the record, drafts for a keeper outside, schedules, and who wants to be told of what.

CREATE TYPE message_status AS ENUM ('created', 'queued', 'processing', 'completed', 'failed');

CREATE TABLE messages (
    message_id text COLLATE "C" PRIMARY KEY,
    message_type text NOT NULL CHECK (message_type <> ''),
    stage text NOT NULL CHECK (stage IN ('dev', 'stage', 'prod')),
    source text NOT NULL,
    created_by text NOT NULL,
    owner_id uuid,
    correlation_id text NOT NULL,
    payload jsonb NOT NULL,
    notification jsonb NOT NULL,
    status message_status NOT NULL DEFAULT 'created',
    created_date timestamptz NOT NULL,
    updated_date timestamptz NOT NULL,
    processing_started_at timestamptz,
    processing_completed_at timestamptz,
    error_message text,
    retry_count integer NOT NULL DEFAULT 0 CHECK (retry_count >= 0),
    attempts integer NOT NULL DEFAULT 0 CHECK (attempts >= retry_count),
    notification_id text,
    lease_until timestamptz,
    history jsonb NOT NULL DEFAULT '[]',
    ttl bigint NOT NULL,
    CHECK ((status = 'processing') = (lease_until IS NOT NULL)),
    CHECK (status <> 'completed' OR processing_completed_at IS NOT NULL AND notification_id IS NOT NULL)
);
COMMENT ON TABLE messages IS 'One row per message. Moves are guarded by a trigger; one that was completed stays that.';
COMMENT ON COLUMN messages.notification IS 'How it is told: channel, target, title, body, priority and the like.';
COMMENT ON COLUMN messages.attempts IS 'How often it was taken in hand; also tells a processor that was given up from its successor.';
COMMENT ON COLUMN messages.retry_count IS 'How many attempts failed.';
COMMENT ON COLUMN messages.notification_id IS 'Its id on the other side. A message that has one is never sent again.';
COMMENT ON COLUMN messages.ttl IS 'Seconds since 1970 after which it is gone.';

CREATE INDEX messages_newest ON messages (created_date DESC, message_id DESC);
CREATE INDEX messages_owner_newest ON messages (owner_id, created_date DESC, message_id DESC) WHERE owner_id IS NOT NULL;
CREATE INDEX messages_status_newest ON messages (status, created_date DESC, message_id DESC);
CREATE INDEX messages_ttl ON messages (ttl);

CREATE FUNCTION sightline.iso_utc(moment timestamptz) RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE
AS $$ SELECT to_char(moment AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') $$;
COMMENT ON FUNCTION sightline.iso_utc(timestamptz) IS 'The one form in which JSON shows a time.';

CREATE FUNCTION sightline.guard_message_moves() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    IF NOT (OLD.status IN ('created', 'failed') AND NEW.status IN ('queued', 'processing')
        OR OLD.status = 'queued' AND NEW.status IN ('queued', 'processing')
        -- Taken over after its processor vanished, or done, or let go.
        OR OLD.status = 'processing' AND NEW.status IN ('processing', 'completed', 'failed', 'queued'))
    THEN
        RAISE EXCEPTION 'message % cannot go from % to %', OLD.message_id, OLD.status, NEW.status USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END
$$;
COMMENT ON FUNCTION sightline.guard_message_moves() IS 'Refuses moves that messages do not make.';
CREATE TRIGGER guard_moves BEFORE UPDATE ON messages FOR EACH ROW EXECUTE FUNCTION sightline.guard_message_moves();

SELECT sightline.protect('messages');
GRANT SELECT ON messages TO sightline_user;
CREATE POLICY people_see_their_own ON messages FOR SELECT TO sightline_user USING (owner_id = (SELECT auth.uid()));

CREATE TABLE message_drafts (
    message_id text COLLATE "C" PRIMARY KEY,
    record jsonb NOT NULL,
    event text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    next_try_at timestamptz NOT NULL DEFAULT now(),
    attempts integer NOT NULL DEFAULT 0,
    last_error text
);
COMMENT ON TABLE message_drafts IS 'Messages on their way to a keeper outside of this database; an entry goes with the publication of its event.';
CREATE INDEX message_drafts_due ON message_drafts (next_try_at);
SELECT sightline.protect('message_drafts');

CREATE TABLE message_schedules (
    schedule_id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    name text NOT NULL UNIQUE CHECK (name <> ''),
    expression text NOT NULL,
    zone text NOT NULL,
    message_type text NOT NULL CHECK (message_type <> ''),
    payload jsonb NOT NULL,
    notification jsonb NOT NULL,
    owner_id uuid,
    state text NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'paused', 'finished')),
    anchor timestamptz NOT NULL,
    next_tick timestamptz,
    last_tick timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    CHECK ((state = 'active') = (next_tick IS NOT NULL))
);
COMMENT ON TABLE message_schedules IS 'Messages that are created by the clock; whoever moves next_tick on creates the tick''s message.';
COMMENT ON COLUMN message_schedules.anchor IS 'What the ticks of rate() are counted from.';
CREATE INDEX message_schedules_due ON message_schedules (next_tick) WHERE state = 'active';
SELECT sightline.protect('message_schedules');
GRANT SELECT ON message_schedules TO sightline_user;
CREATE POLICY people_see_their_own ON message_schedules FOR SELECT TO sightline_user USING (owner_id = (SELECT auth.uid()));

CREATE TABLE notification_preferences (
    owner_id uuid PRIMARY KEY,
    preferences jsonb NOT NULL,
    updated_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE notification_preferences IS 'Which events tell a person by which channels, at which addresses, and when not.';
SELECT sightline.protect('notification_preferences');
GRANT SELECT ON notification_preferences TO sightline_user;
CREATE POLICY people_see_their_own ON notification_preferences FOR SELECT TO sightline_user USING (owner_id = (SELECT auth.uid()));
