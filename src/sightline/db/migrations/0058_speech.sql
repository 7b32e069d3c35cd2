-- Spoken words: segments of another kind, and how far each video was heard.

ALTER TYPE job_type ADD VALUE IF NOT EXISTS 'transcribe';

ALTER TABLE segments
    ADD COLUMN kind text NOT NULL DEFAULT 'text' CHECK (kind IN ('text', 'speech')),
    ADD COLUMN words jsonb CHECK (jsonb_typeof(words) = 'array');
COMMENT ON COLUMN segments.kind IS 'text: shown on screen. speech: said; its bounding box is empty.';
COMMENT ON COLUMN segments.words IS 'Of speech: [{text, t_start, t_end, probability}], in media time.';

CREATE TABLE transcripts (
    video_id uuid PRIMARY KEY REFERENCES videos (id) ON DELETE CASCADE,
    job_id uuid NOT NULL,
    model text NOT NULL,
    language text,
    heard_ms integer NOT NULL DEFAULT 0 CHECK (heard_ms >= 0),
    finished_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE transcripts IS
    'How far the sound of a video was transcribed: a job that was interrupted continues at heard_ms.';
COMMENT ON COLUMN transcripts.language IS 'The language of most words, as ISO 639-3; null while unknown.';

SELECT sightline.protect('transcripts');
GRANT SELECT ON transcripts TO sightline_user;
CREATE POLICY people_see_those_of_their_videos ON transcripts FOR SELECT TO sightline_user
    USING (EXISTS (SELECT 1 FROM videos AS v WHERE v.id = transcripts.video_id)); -- which obeys the policies of videos
