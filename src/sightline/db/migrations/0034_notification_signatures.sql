-- The key that signs notifications of topics, one for the installation, so that every process signs and every endpoint serves its certificate.

CREATE TABLE sightline.bus_signing_identity (
    is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
    content bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE sightline.bus_signing_identity IS 'Private key, encrypted under the secret of access keys, and certificate, as PEM.';

GRANT SELECT, INSERT, UPDATE, DELETE ON sightline.bus_signing_identity TO sightline_worker;
