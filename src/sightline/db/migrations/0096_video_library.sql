-- The library of videos: small pictures for hovering, and a trash that videos can be restored from (ADR 0096, ADR 0097).

ALTER TABLE videos
    ADD COLUMN sprite_sheet jsonb CHECK (jsonb_typeof(sprite_sheet) = 'object'),
    ADD COLUMN trashed_at timestamptz;
COMMENT ON COLUMN videos.sprite_sheet IS 'How the pictures in thumbs/{id}/sprite.jpg are laid out; NULL if there is none.';
COMMENT ON COLUMN videos.trashed_at IS 'When it was moved to the trash, from which it is removed later; NULL: it is not there.';
CREATE INDEX videos_in_trash ON videos (owner_id, trashed_at DESC) WHERE trashed_at IS NOT NULL;

-- What is in the trash is nowhere else: not in lists, not in searches, not by its address. The platform itself still sees it.
ALTER POLICY people_see_their_own ON videos
    USING (trashed_at IS NULL AND (owner_id = (SELECT auth.uid()) OR team_id = ANY ((SELECT sightline.caller_teams())::uuid[])));
