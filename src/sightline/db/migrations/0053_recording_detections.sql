-- Looking for people and objects in what cameras recorded.

-- Used by later transactions only.
ALTER TYPE job_type ADD VALUE 'detect_recording';

CREATE TABLE recording_detections (
    job_id uuid PRIMARY KEY REFERENCES jobs ON DELETE CASCADE,
    camera_key uuid NOT NULL REFERENCES cameras ON DELETE CASCADE,
    since timestamptz NOT NULL,
    until timestamptz NOT NULL CHECK (until > since),
    reached_at timestamptz NOT NULL,
    reported integer NOT NULL DEFAULT 0,
    known integer NOT NULL DEFAULT 0,
    left_out integer NOT NULL DEFAULT 0,
    cancelled_at timestamptz,
    requested_by uuid,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE recording_detections IS 'Runs of the job detect_recording, which people who may see the camera can follow.';
COMMENT ON COLUMN recording_detections.reached_at IS 'What was filmed before is done; an attempt after a kill begins here.';
COMMENT ON COLUMN recording_detections.known IS 'Objects that had been reported before, by the watched camera or an earlier run.';
COMMENT ON COLUMN recording_detections.left_out IS 'Segments that could not be read, or were removed meanwhile.';
CREATE INDEX recording_detections_of_camera ON recording_detections (camera_key, created_at DESC);
CREATE INDEX events_archive_of_camera ON events_archive (camera_id, started_at);
SELECT sightline.protect('recording_detections');
GRANT SELECT ON recording_detections TO sightline_user;
CREATE POLICY people_see_those_of_their_cameras ON recording_detections FOR SELECT TO sightline_user
    USING (EXISTS (SELECT 1 FROM cameras AS c WHERE c.camera_key = recording_detections.camera_key)); -- which obeys the policies of cameras
