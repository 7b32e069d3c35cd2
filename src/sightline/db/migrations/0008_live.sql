-- The live feed: what browsers follow, numbered without a gap in the very transaction that says it.

CREATE TABLE live_streams (
    stream text PRIMARY KEY,
    epoch text NOT NULL DEFAULT substr(md5(gen_random_uuid()::text), 1, 8),
    top bigint NOT NULL DEFAULT 0 CHECK (top >= 0)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
COMMENT ON TABLE live_streams IS 'One row per stream. Whoever appends locks it until the commit, so numbers follow commits.';
COMMENT ON COLUMN live_streams.epoch IS 'Numbers of different epochs have nothing to do with each other.';
COMMENT ON COLUMN live_streams.top IS 'The number of the last message.';

-- json rather than jsonb: what is stored goes out as it is, unread, and keeps the order that the contract shows.
CREATE TABLE live_messages (
    stream text NOT NULL,
    sequence bigint NOT NULL CHECK (sequence > 0),
    type text NOT NULL,
    topic text,
    requires_ack boolean NOT NULL DEFAULT false,
    data json NOT NULL,
    owner_id uuid,
    team_id uuid,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (stream, sequence)
);
COMMENT ON TABLE live_messages IS 'What was said on each stream. Without owner and team it is for everybody who may sign in.';
COMMENT ON COLUMN live_messages.topic IS 'A second word, beside the type, that subscriptions may name.';
COMMENT ON COLUMN live_messages.created_at IS 'When it was numbered, a moment before the commit.';

CREATE INDEX live_messages_to_acknowledge ON live_messages (stream, sequence) WHERE requires_ack;
CREATE INDEX live_messages_by_age ON live_messages (created_at);

CREATE TABLE live_clients (
    stream text NOT NULL,
    user_id uuid NOT NULL,
    client_id text NOT NULL,
    since bigint NOT NULL,
    mark bigint NOT NULL DEFAULT 0,
    seen_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (stream, user_id, client_id)
);
COMMENT ON TABLE live_clients IS 'Devices that acknowledge what they receive.';
COMMENT ON COLUMN live_clients.since IS 'It owes acknowledgements of what came after this number.';
COMMENT ON COLUMN live_clients.mark IS 'The highest number it acknowledged; never falls.';

CREATE INDEX live_clients_unseen ON live_clients (seen_at);

CREATE TABLE live_acks (
    stream text NOT NULL,
    sequence bigint NOT NULL,
    user_id uuid NOT NULL,
    client_id text NOT NULL,
    acked_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (stream, sequence, user_id, client_id)
);
COMMENT ON TABLE live_acks IS 'Which device has which message for certain. One by one: 45 says nothing about 42.';

SELECT sightline.protect('live_streams');
SELECT sightline.protect('live_messages');
SELECT sightline.protect('live_clients');
SELECT sightline.protect('live_acks');

GRANT SELECT ON live_streams, live_messages, live_acks TO sightline_user;
CREATE POLICY everybody_sees_where_it_stands ON live_streams FOR SELECT TO sightline_user USING (true);
CREATE POLICY people_see_their_own_and_what_is_for_all ON live_messages FOR SELECT TO sightline_user
    USING (owner_id IS NULL AND team_id IS NULL OR sightline.caller_may_see(owner_id, team_id));
CREATE POLICY people_see_their_own ON live_acks FOR SELECT TO sightline_user USING (user_id = (SELECT auth.uid()));

CREATE FUNCTION sightline.renew_live_epochs() RETURNS void
LANGUAGE sql
AS $$
    UPDATE live_streams SET epoch = substr(md5(gen_random_uuid()::text), 1, 8);
    SELECT pg_notify('sightline_live', '');
$$;
COMMENT ON FUNCTION sightline.renew_live_epochs() IS
    'To be called after an older state was restored: clients that know later numbers are told to load afresh.';
REVOKE EXECUTE ON FUNCTION sightline.renew_live_epochs() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION sightline.renew_live_epochs() TO sightline_worker;
