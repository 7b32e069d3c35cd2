-- Technique analysis (document 000): its job type, what was published, and what arrived.

-- Used by later transactions alone. The other two are those of the security flow (ADR 0020).
ALTER TYPE job_type ADD VALUE 'analyze';
ALTER TYPE job_type ADD VALUE 'detect';
ALTER TYPE job_type ADD VALUE 'assess_risk';

CREATE TABLE technique_publications (
    job_id uuid PRIMARY KEY,
    video_id uuid NOT NULL,
    topic text NOT NULL,
    total integer NOT NULL CHECK (total >= 0),
    published integer NOT NULL DEFAULT 0 CHECK (published BETWEEN 0 AND total),
    result_key text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    completed_at timestamptz
);
COMMENT ON TABLE technique_publications IS 'How far the N+1 messages of an analysis were said; a crash continues from here.';
CREATE INDEX technique_publications_of_video ON technique_publications (video_id);

-- Written by the consumer alone. The document's table, one row per run of an analysis instead of one per video.
CREATE TABLE video_analysis_status (
    run_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    video_id uuid NOT NULL,
    job_id varchar(64),
    total_event_count integer NOT NULL CHECK (total_event_count >= 0),
    received_count integer NOT NULL DEFAULT 0 CHECK (received_count >= 0),
    completion_received boolean NOT NULL DEFAULT false,
    result_s3_uri text,
    finalized boolean NOT NULL DEFAULT false,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    finalized_at timestamptz,
    told_least integer,
    told_most integer,
    totals_disagree boolean NOT NULL GENERATED ALWAYS AS (
        completion_received AND coalesce(told_least <> total_event_count OR told_most <> total_event_count, false)) STORED,
    summary jsonb,
    UNIQUE NULLS NOT DISTINCT (video_id, job_id),
    CHECK (completion_received OR NOT finalized)
);
COMMENT ON COLUMN video_analysis_status.job_id IS 'NULL while no message named the run; at most one such row per video.';
COMMENT ON COLUMN video_analysis_status.total_event_count IS 'As the completion says; until it came, as the events say.';
COMMENT ON COLUMN video_analysis_status.told_least IS 'The smallest total that an event told; told_most is the largest.';
COMMENT ON COLUMN video_analysis_status.summary IS 'Techniques by category, written when the run is finalized.';

CREATE TABLE technique_events (
    id uuid PRIMARY KEY,
    run_id bigint NOT NULL REFERENCES video_analysis_status ON DELETE CASCADE,
    video_id uuid NOT NULL,
    event_index integer NOT NULL CHECK (event_index >= 1),
    total_events integer NOT NULL,
    start_s integer NOT NULL,
    end_s integer NOT NULL,
    digest bigint NOT NULL,
    unnamed_as uuid,
    received_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE NULLS NOT DISTINCT (run_id, event_index, unnamed_as)
);
COMMENT ON COLUMN technique_events.digest IS 'Of the content; tells a repetition from a correction.';
COMMENT ON COLUMN technique_events.unnamed_as IS
    'The id, while nothing named the event''s run: events of several runs may wait under one index.';

CREATE TABLE technique_candidates (
    event_id uuid NOT NULL REFERENCES technique_events ON DELETE CASCADE,
    id uuid NOT NULL,
    position smallint NOT NULL,
    role text NOT NULL,
    skill_name text NOT NULL,
    category text NOT NULL,
    confidence double precision NOT NULL CHECK (confidence BETWEEN 0 AND 1),
    PRIMARY KEY (event_id, id)
);

-- A message may still be on its way when its video is removed, and nothing of it is to be kept then.
CREATE FUNCTION sightline.pass_over_removed_video() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM video_removals AS r WHERE r.video_id = NEW.video_id) THEN
        RETURN NULL;
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER pass_over_removed BEFORE INSERT ON video_analysis_status FOR EACH ROW
    EXECUTE FUNCTION sightline.pass_over_removed_video();

-- Messages of other producers may speak of videos that are not here, so there is no foreign key that could do this.
CREATE FUNCTION sightline.remove_techniques() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    DELETE FROM video_analysis_status WHERE video_id = OLD.id;
    DELETE FROM technique_publications WHERE video_id = OLD.id;
    RETURN OLD;
END
$$;
CREATE TRIGGER techniques_go_too AFTER DELETE ON videos FOR EACH ROW EXECUTE FUNCTION sightline.remove_techniques();

SELECT sightline.protect('technique_publications');
SELECT sightline.protect('video_analysis_status');
SELECT sightline.protect('technique_events');
SELECT sightline.protect('technique_candidates');
GRANT SELECT ON video_analysis_status, technique_events, technique_candidates TO sightline_user;
CREATE POLICY people_see_those_of_their_videos ON video_analysis_status FOR SELECT TO sightline_user
    USING (EXISTS (SELECT 1 FROM videos AS v WHERE v.id = video_analysis_status.video_id)); -- which obeys the policies of videos
CREATE POLICY people_see_those_of_their_videos ON technique_events FOR SELECT TO sightline_user
    USING (EXISTS (SELECT 1 FROM videos AS v WHERE v.id = technique_events.video_id));
CREATE POLICY people_see_those_of_their_videos ON technique_candidates FOR SELECT TO sightline_user
    USING (EXISTS (SELECT 1 FROM technique_events AS e WHERE e.id = technique_candidates.event_id));
