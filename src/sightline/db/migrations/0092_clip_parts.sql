-- Reels: clips that are made of several parts of a video, one after another.

ALTER TABLE clips ADD COLUMN parts jsonb CHECK (jsonb_typeof(parts) = 'array' AND jsonb_array_length(parts) >= 1);
COMMENT ON COLUMN clips.parts IS
    'Of a reel: t_start, t_end and caption of each part, in their order; t_start and t_end of the clip lie around all of them. NULL: one part.';
