-- Addresses of people: who has proven which, the challenges that were sent, and the secrets of webhook receivers (ADR 0035, 0036).

CREATE TABLE notification_addresses (
    owner_id uuid NOT NULL,
    channel text NOT NULL CHECK (channel IN ('email', 'ntfy', 'webhook')),
    address text NOT NULL CHECK (address <> ''),
    confirmed_at timestamptz,
    confirmed_by text,
    confirmed_until timestamptz,
    challenge bytea,
    challenge_expires_at timestamptz,
    challenge_tries smallint NOT NULL DEFAULT 0,
    secret_salt bytea,
    previous_salt bytea,
    previous_until timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (owner_id, channel, address),
    CHECK ((confirmed_at IS NULL) = (confirmed_by IS NULL))
);
COMMENT ON TABLE notification_addresses IS 'Addresses of people: pending until proven; notifications go to proven ones only.';
COMMENT ON COLUMN notification_addresses.confirmed_until IS 'Set for addresses that were stored before they had to be proven.';
COMMENT ON COLUMN notification_addresses.challenge IS 'Email: the number in the signed link. ntfy: the keyed hash of the code.';
COMMENT ON COLUMN notification_addresses.secret_salt IS 'With the key of the installation it makes the secret of the receiver, which is stored nowhere.';
SELECT sightline.protect('notification_addresses');

CREATE TABLE notification_challenges (
    owner_id uuid NOT NULL,
    channel text NOT NULL,
    address text NOT NULL,
    sent_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE notification_challenges IS 'Challenges of the last day, whoever asked for them: what limits how often a stranger''s address gets one.';
CREATE INDEX notification_challenges_by_address ON notification_challenges (channel, address, sent_at);
CREATE INDEX notification_challenges_by_owner ON notification_challenges (owner_id, sent_at);
SELECT sightline.protect('notification_challenges');

-- Addresses stored before: used for thirty days more, so that alarms do not stop with the update (ADR 0035).
INSERT INTO notification_addresses (owner_id, channel, address, confirmed_at, confirmed_by, confirmed_until)
SELECT p.owner_id, a.channel, a.address, now(), 'stored before', now() + interval '30 days'
FROM notification_preferences AS p
CROSS JOIN LATERAL (VALUES
    ('email', p.preferences ->> 'email'),
    ('ntfy', p.preferences ->> 'ntfy_topic'),
    ('webhook', p.preferences ->> 'webhook_url')
) AS a (channel, address)
WHERE a.address <> ''
ON CONFLICT DO NOTHING;

INSERT INTO notification_addresses (owner_id, channel, address, confirmed_at, confirmed_by, confirmed_until)
SELECT DISTINCT owner_id, 'email', split_part(owner_email, '@', 1) || '@' || lower(split_part(owner_email, '@', 2)), now(),
    'stored before', now() + interval '30 days'
FROM (
    SELECT owner_id, owner_email FROM videos
    UNION SELECT owner_id, owner_email FROM cameras
    UNION SELECT owner_id, owner_email FROM alert_rules
) AS known
WHERE owner_id IS NOT NULL AND owner_email LIKE '_%@_%'
ON CONFLICT DO NOTHING;
