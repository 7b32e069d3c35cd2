-- Files of watched folders: each is looked at once, also after its process was killed.

CREATE TABLE camera_files (
    camera_key uuid NOT NULL REFERENCES cameras ON DELETE CASCADE,
    name text NOT NULL,
    size_bytes bigint NOT NULL CHECK (size_bytes >= 0),
    modified_ns bigint NOT NULL,
    outcome text NOT NULL CHECK (outcome IN ('looked', 'unreadable')),
    reason text CHECK ((reason IS NULL) = (outcome = 'looked')),
    sightings integer NOT NULL DEFAULT 0 CHECK (sightings >= 0),
    handled_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (camera_key, name)
);
COMMENT ON TABLE camera_files IS 'Files of watched folders that were looked at, or set aside as unreadable with the reason.';
COMMENT ON COLUMN camera_files.name IS 'The path below the camera''s folder.';
COMMENT ON COLUMN camera_files.modified_ns IS 'With the size: a file that is written anew under its name is looked at again.';

SELECT sightline.protect('camera_files');
GRANT SELECT ON camera_files TO sightline_user;
CREATE POLICY people_see_those_of_their_cameras ON camera_files FOR SELECT TO sightline_user
    USING (EXISTS (SELECT 1 FROM cameras AS c WHERE c.camera_key = camera_files.camera_key));
