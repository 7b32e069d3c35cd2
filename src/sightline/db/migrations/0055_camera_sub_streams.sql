-- A second stream of a camera, of low resolution, that is looked at while the main one is recorded.

ALTER TABLE camera_sources ADD COLUMN sub_address text NOT NULL DEFAULT '' CHECK (length(sub_address) <= 2048);
COMMENT ON COLUMN camera_sources.sub_address IS
    'Without credentials: shown to people. It has the host, the user and the password of the main stream. Empty: the main one is looked at.';
GRANT SELECT (sub_address) ON camera_sources TO sightline_user;
