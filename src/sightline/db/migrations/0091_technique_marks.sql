-- Marks of techniques: what analyzers found and people marked, what people decided about each, and which set they published (ADR 0091).

CREATE TABLE technique_reviews (
    video_id uuid PRIMARY KEY REFERENCES videos (id) ON DELETE CASCADE,
    revision bigint NOT NULL CHECK (revision >= 1),
    published_revision bigint CHECK (published_revision <= revision),
    published_job_id uuid,
    published_total integer CHECK (published_total >= 0),
    published_at timestamptz,
    published_by uuid,
    CHECK (num_nulls(published_revision, published_job_id, published_total, published_at, published_by) IN (0, 5))
);
COMMENT ON TABLE technique_reviews IS 'One row per video that has marks. Every change of a mark locks it, so that changes of one video come one after another.';
COMMENT ON COLUMN technique_reviews.revision IS 'Counts the changes of the video''s marks; who publishes names the revision that they saw.';
COMMENT ON COLUMN technique_reviews.published_revision IS 'The revision whose accepted marks were published last.';

CREATE TABLE technique_marks (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    video_id uuid NOT NULL REFERENCES technique_reviews (video_id) ON DELETE CASCADE,
    start_ms bigint NOT NULL CHECK (start_ms >= 0),
    end_ms bigint NOT NULL,
    category text NOT NULL,
    name text NOT NULL CHECK (name <> ''),
    role text NOT NULL CHECK (role <> ''),
    confidence double precision NOT NULL CHECK (confidence BETWEEN 0 AND 1),
    note text NOT NULL DEFAULT '',
    finished boolean,
    state text NOT NULL CHECK (state IN ('candidate', 'accepted', 'rejected')),
    analyzer text CHECK (analyzer <> ''),
    job_id text,
    event_index integer CHECK (event_index >= 1),
    original jsonb,
    version integer NOT NULL DEFAULT 1,
    created_by uuid,
    created_at timestamptz NOT NULL DEFAULT now(),
    changed_by uuid,
    changed_at timestamptz NOT NULL DEFAULT now(),
    removed_at timestamptz,
    CHECK (end_ms >= start_ms),
    CHECK (state = 'candidate' OR changed_by IS NOT NULL),
    CHECK ((job_id IS NULL) = (event_index IS NULL)),
    UNIQUE (video_id, job_id, event_index)
);
COMMENT ON TABLE technique_marks IS
    'Techniques of a video with what people decided. Moves: candidate, accepted and rejected, each into each other; only people move them.';
COMMENT ON COLUMN technique_marks.finished IS 'Whether the technique succeeded; NULL if nobody said.';
COMMENT ON COLUMN technique_marks.analyzer IS 'What found it; NULL if a person marked it.';
COMMENT ON COLUMN technique_marks.job_id IS 'The run that found it, and its index there; NULL for marks of people.';
COMMENT ON COLUMN technique_marks.original IS 'start_ms, end_ms, category, name, role and confidence as the analyzer found them.';
COMMENT ON COLUMN technique_marks.version IS 'Counts the changes of this mark; a change names the version that it expects.';
COMMENT ON COLUMN technique_marks.changed_by IS 'Who changed it last; NULL if no person has.';
COMMENT ON COLUMN technique_marks.removed_at IS 'When it was deleted. It can be restored, and is gone with its video.';
CREATE INDEX technique_marks_of_video ON technique_marks (video_id, start_ms) WHERE removed_at IS NULL;
CREATE INDEX technique_marks_decided ON technique_marks (changed_at) WHERE state <> 'candidate' AND removed_at IS NULL;

SELECT sightline.protect('technique_reviews');
SELECT sightline.protect('technique_marks');
GRANT SELECT ON technique_reviews, technique_marks TO sightline_user;
CREATE POLICY people_see_those_of_their_videos ON technique_reviews FOR SELECT TO sightline_user
    USING (EXISTS (SELECT 1 FROM videos AS v WHERE v.id = technique_reviews.video_id)); -- which obeys the policies of videos
CREATE POLICY people_see_those_of_their_videos ON technique_marks FOR SELECT TO sightline_user
    USING (EXISTS (SELECT 1 FROM videos AS v WHERE v.id = technique_marks.video_id));

-- What the newest analysis of each video has found so far can be reviewed as well.
CREATE TEMPORARY TABLE newest_runs ON COMMIT DROP AS
    SELECT DISTINCT ON (s.video_id) s.video_id, s.run_id, s.job_id, coalesce(j.payload ->> 'analyzer', 'external') AS analyzer
    FROM video_analysis_status AS s
    JOIN videos AS v ON v.id = s.video_id
    LEFT JOIN jobs AS j ON j.id::text = s.job_id
    WHERE s.finalized AND s.job_id IS NOT NULL
    ORDER BY s.video_id, s.run_id DESC;
INSERT INTO technique_reviews (video_id, revision) SELECT video_id, 1 FROM newest_runs;
INSERT INTO technique_marks (video_id, start_ms, end_ms, category, name, role, confidence, state, analyzer, job_id, event_index, original)
SELECT n.video_id, e.start_s * 1000::bigint, (greatest(e.end_s, e.start_s) + 1) * 1000::bigint, c.category, c.skill_name, c.role, c.confidence,
       'candidate', n.analyzer, n.job_id, e.event_index,
       jsonb_build_object('start_ms', e.start_s * 1000::bigint, 'end_ms', (greatest(e.end_s, e.start_s) + 1) * 1000::bigint,
                          'category', c.category, 'name', c.skill_name, 'role', c.role, 'confidence', c.confidence)
FROM newest_runs AS n
JOIN technique_events AS e ON e.run_id = n.run_id AND e.unnamed_as IS NULL
JOIN technique_candidates AS c ON c.event_id = e.id AND c.position = 1
WHERE c.skill_name <> '' AND c.role <> '';
