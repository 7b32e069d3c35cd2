-- Clips say what is missing in them.

ALTER TABLE event_clips ADD COLUMN left_out integer NOT NULL DEFAULT 0 CHECK (left_out >= 0);
COMMENT ON COLUMN event_clips.left_out IS
    'Segments of the requested time that are not in the clip: damaged, or of another resolution than the event itself.';
COMMENT ON COLUMN event_clips.requested_by IS 'Null: by the platform, when the event was over.';
