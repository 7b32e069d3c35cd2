-- What people should know of a video's file: that it is cut off and was used up to there.
ALTER TABLE videos ADD COLUMN media_note text;
COMMENT ON COLUMN videos.media_note IS 'What people should know of the file, such as that it is cut off; NULL if nothing.';
