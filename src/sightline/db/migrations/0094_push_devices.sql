-- Browsers that asked to be notified by Web Push (ADR 0094).

CREATE TABLE push_devices (
    device_id uuid PRIMARY KEY,
    owner_id uuid NOT NULL,
    endpoint text NOT NULL UNIQUE,
    public_key bytea NOT NULL CHECK (octet_length(public_key) = 65),
    auth_secret bytea NOT NULL CHECK (octet_length(auth_secret) = 16),
    name text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    last_sent_at timestamptz
);
COMMENT ON TABLE push_devices IS 'One row per browser of a person. Its push service says when it has unsubscribed; then the row is removed.';
COMMENT ON COLUMN push_devices.public_key IS 'P-256 point of the browser; notifications are encrypted for it (RFC 8291).';
CREATE INDEX push_devices_of_owner ON push_devices (owner_id, created_at);
SELECT sightline.protect('push_devices');
