-- The words on screen: what was read, line by line and frame by frame, what it was merged to, and what is in it.

CREATE TABLE segments (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    video_id uuid NOT NULL REFERENCES videos (id) ON DELETE CASCADE,
    owner_id uuid NOT NULL,
    team_id uuid,
    text text NOT NULL CHECK (text <> ''),
    normalized_text text NOT NULL,
    text_hash text NOT NULL,
    t_start integer NOT NULL CHECK (t_start >= 0),
    t_end integer NOT NULL,
    confidence real NOT NULL CHECK (confidence BETWEEN 0 AND 1),
    bounding_box jsonb NOT NULL CHECK (bounding_box ?& ARRAY['x', 'y', 'width', 'height']),
    language text NOT NULL DEFAULT 'eng',
    frame_ms integer CHECK (frame_ms >= 0),
    readings integer NOT NULL DEFAULT 1 CHECK (readings > 0),
    is_merged boolean NOT NULL DEFAULT false,
    created_at timestamptz NOT NULL DEFAULT now(),
    CHECK (t_end >= t_start)
);
COMMENT ON TABLE segments IS
    'Text on screen. ocr writes one reading per region and frame; segment_index puts one merged row per showing in their '
    'place, in one transaction, so a video has readings while it is worked on and merged rows once it is done.';
COMMENT ON COLUMN segments.t_start IS 'Media time in ms at which it is first seen.';
COMMENT ON COLUMN segments.t_end IS 'Media time in ms from which it is no longer seen.';
COMMENT ON COLUMN segments.bounding_box IS 'Of the text in the frame frame_ms, in pixels of the original.';
COMMENT ON COLUMN segments.frame_ms IS 'The key frame that shows it best; NULL is the one at t_start.';
COMMENT ON COLUMN segments.readings IS 'How many readings stand behind it.';
COMMENT ON COLUMN segments.is_merged IS 'False for a reading of ocr, true for what segment_index made of them.';

CREATE INDEX segments_of_video ON segments (video_id, is_merged, t_start, id);

SELECT sightline.protect('segments');
GRANT SELECT ON segments TO sightline_user;
CREATE POLICY people_see_their_own ON segments FOR SELECT TO sightline_user
    USING (sightline.caller_may_see(owner_id, team_id));

CREATE TYPE entity_type AS ENUM ('mention', 'hashtag', 'url', 'emoji', 'number');

CREATE TABLE entities (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    segment_id uuid NOT NULL REFERENCES segments (id) ON DELETE CASCADE,
    entity_type entity_type NOT NULL,
    value text NOT NULL CHECK (value <> ''),
    normalized_value text NOT NULL,
    start_offset integer CHECK (start_offset >= 0),
    created_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE entities IS 'Mentions, hashtags, links, emoji and numbers in merged segments.';
COMMENT ON COLUMN entities.value IS 'As it stands in the segment''s text.';
COMMENT ON COLUMN entities.normalized_value IS 'In the one form that equal things share, lower case.';
COMMENT ON COLUMN entities.start_offset IS 'Where in the segment''s text it begins, in characters.';

CREATE INDEX entities_of_segment ON entities (segment_id);

SELECT sightline.protect('entities');
GRANT SELECT ON entities TO sightline_user;
CREATE POLICY people_see_entities_of_their_segments ON entities FOR SELECT TO sightline_user
    USING (EXISTS (SELECT 1 FROM segments AS s WHERE s.id = entities.segment_id)); -- which obeys the policies of segments
