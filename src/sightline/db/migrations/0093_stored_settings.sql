-- Settings that operators changed in the page. The environment wins over them (ADR 0093).

CREATE TABLE stored_settings (
    section text NOT NULL,
    field text NOT NULL,
    value jsonb,
    sealed bytea,
    changed_at timestamptz NOT NULL DEFAULT now(),
    changed_by text NOT NULL,
    PRIMARY KEY (section, field),
    CHECK (num_nonnulls(value, sealed) = 1)
);
COMMENT ON TABLE stored_settings IS 'One row per setting that differs from its default because somebody changed it in the page.';
COMMENT ON COLUMN stored_settings.sealed IS 'The value of a secret, encrypted under the secret of the installation.';
SELECT sightline.protect('stored_settings');
