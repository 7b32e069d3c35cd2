-- Cameras that look only inside of their zones.

ALTER TABLE camera_sources ADD COLUMN detect_only_in_zones boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN camera_sources.detect_only_in_zones IS
    'Whether only what moves inside of a zone is looked at and reported. Where no zone is drawn, everything is.';
GRANT SELECT (detect_only_in_zones) ON camera_sources TO sightline_user;
