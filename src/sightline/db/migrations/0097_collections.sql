-- Collections: videos that a person keeps together under a name. A video may be in several (ADR 0098).

CREATE TABLE collections (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    owner_id uuid NOT NULL,
    name text NOT NULL CHECK (name <> '' AND length(name) <= 100),
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (owner_id, name)
);
COMMENT ON TABLE collections IS 'Each of one person; its videos are the person''s own or those of a team.';
SELECT sightline.protect('collections');
GRANT SELECT ON collections TO sightline_user;
CREATE POLICY people_see_their_own ON collections FOR SELECT TO sightline_user USING (owner_id = (SELECT auth.uid()));

CREATE TABLE collection_videos (
    collection_id uuid NOT NULL REFERENCES collections ON DELETE CASCADE,
    video_id uuid NOT NULL REFERENCES videos (id) ON DELETE CASCADE,
    added_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (collection_id, video_id)
);
COMMENT ON TABLE collection_videos IS 'Which videos are in which collections. A video that is removed leaves all of them.';
CREATE INDEX collection_videos_of_video ON collection_videos (video_id);
SELECT sightline.protect('collection_videos');
GRANT SELECT ON collection_videos TO sightline_user;
CREATE POLICY people_see_those_of_their_collections ON collection_videos FOR SELECT TO sightline_user
    USING (EXISTS (SELECT FROM collections AS c WHERE c.id = collection_id));
