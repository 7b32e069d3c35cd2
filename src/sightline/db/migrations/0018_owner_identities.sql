-- Whose id is whose: a subject of an identity provider, in its canonical form, and the id it has in every owner_id.

CREATE TABLE owner_identities (
    issuer text NOT NULL,
    kind text NOT NULL CHECK (kind IN ('person', 'team')),
    subject text NOT NULL,
    owner_id uuid NOT NULL,
    first_seen_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (issuer, kind, subject),
    UNIQUE (kind, owner_id)
);
SELECT sightline.protect('owner_identities');
COMMENT ON TABLE owner_identities IS
    'The id of each subject of each issuer. Two issuers that name the same subject are two owners; the first keeps the id that a '
    'UUID has by itself, and with it what was stored before this table existed.';
