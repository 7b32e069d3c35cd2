-- Clips with names and captions.

ALTER TABLE clips
    ADD COLUMN name text CHECK (name <> ''),
    ADD COLUMN captions text NOT NULL DEFAULT 'none' CHECK (captions IN ('none', 'soft', 'burned')),
    ADD COLUMN caption_kind text NOT NULL DEFAULT 'both' CHECK (caption_kind IN ('text', 'speech', 'both'));
COMMENT ON COLUMN clips.name IS 'As a person called it; its file is downloaded under this name.';
COMMENT ON COLUMN clips.captions IS 'soft: a track that players can show. burned: part of the picture.';
