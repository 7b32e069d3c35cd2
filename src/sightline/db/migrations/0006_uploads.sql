-- Moves of a video, guarded and written down here; and the uploads that bring its bytes.

ALTER TABLE videos
    ADD COLUMN owner_email text,
    ADD COLUMN content_type text,
    ADD COLUMN status_reason text,
    ADD COLUMN failed_from video_status,
    ADD COLUMN moves integer NOT NULL DEFAULT 1 CHECK (moves > 0);
COMMENT ON COLUMN videos.owner_email IS 'Where mails about the video go, as known when it was created.';
COMMENT ON COLUMN videos.status_reason IS 'Why it is in this status, where there is more to say than the status does.';
COMMENT ON COLUMN videos.failed_from IS 'Of a FAILED video: where it stood, so that a retry by hand takes it up there.';
COMMENT ON COLUMN videos.moves IS 'Number of its last move; (id, moves) names that move for ever.';

CREATE TABLE video_moves (
    video_id uuid NOT NULL REFERENCES videos (id) ON DELETE CASCADE,
    move integer NOT NULL CHECK (move > 0),
    status video_status NOT NULL,
    reason text,
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (video_id, move)
);
COMMENT ON TABLE video_moves IS 'Every status a video was in, with time and reason; written by a trigger, never changed.';

CREATE FUNCTION sightline.guard_video_moves() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    IF NOT (
        OLD.status = 'CREATED' AND NEW.status IN ('UPLOADING', 'UPLOADED')
        OR OLD.status = 'UPLOADING' AND NEW.status = 'UPLOADED'
        OR OLD.status = 'UPLOADED' AND NEW.status = 'PROCESSING'
        OR OLD.status = 'PROCESSING' AND NEW.status = 'SPLITTING'
        OR OLD.status = 'SPLITTING' AND NEW.status = 'PRINTING'
        OR OLD.status = 'PRINTING' AND NEW.status = 'COMPLETED'
        OR OLD.status NOT IN ('COMPLETED', 'FAILED') AND NEW.status = 'FAILED'
        -- Final by itself. A person who retries the job that failed takes the video up where it stood, and nowhere else.
        OR OLD.status = 'FAILED' AND NEW.status = OLD.failed_from
            AND NEW.status IN ('PROCESSING', 'SPLITTING', 'PRINTING')
    ) THEN
        RAISE EXCEPTION 'video % cannot go from % to %', OLD.id, OLD.status, NEW.status USING ERRCODE = 'check_violation';
    END IF;
    NEW.failed_from := CASE WHEN NEW.status = 'FAILED' THEN OLD.status END;
    IF NEW.status = 'FAILED' THEN
        NEW.error_reason := coalesce(NEW.error_reason, NEW.status_reason, 'no reason was given');
    ELSE
        NEW.error_reason := NULL;
    END IF;
    NEW.moves := OLD.moves + 1;
    NEW.updated_at := now();
    RETURN NEW;
END
$$;
COMMENT ON FUNCTION sightline.guard_video_moves() IS 'Refuses moves that are not on the diagram of docs/states.md.';

CREATE FUNCTION sightline.keep_video_move() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    INSERT INTO video_moves (video_id, move, status, reason)
    VALUES (NEW.id, NEW.moves, NEW.status, coalesce(NEW.error_reason, NEW.status_reason));
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION sightline.keep_video_move() IS 'Writes each move down.';

CREATE TRIGGER guard_moves BEFORE UPDATE ON videos FOR EACH ROW
    WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION sightline.guard_video_moves();
CREATE TRIGGER keep_moves AFTER UPDATE ON videos FOR EACH ROW
    WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION sightline.keep_video_move();
CREATE TRIGGER keep_first_move AFTER INSERT ON videos FOR EACH ROW EXECUTE FUNCTION sightline.keep_video_move();

INSERT INTO video_moves (video_id, move, status, reason, at)
SELECT id, moves, status, coalesce(error_reason, status_reason), created_at FROM videos;

SELECT sightline.protect('video_moves');
GRANT SELECT ON video_moves TO sightline_user;
CREATE POLICY people_see_moves_of_their_videos ON video_moves FOR SELECT TO sightline_user
    USING (EXISTS (SELECT 1 FROM videos AS v WHERE v.id = video_moves.video_id)); -- which obeys the policies of videos

CREATE TYPE upload_state AS ENUM ('open', 'aborting', 'completed', 'aborted');

CREATE TABLE uploads (
    video_id uuid PRIMARY KEY REFERENCES videos (id) ON DELETE CASCADE,
    store_upload_id text NOT NULL CHECK (store_upload_id <> ''),
    state upload_state NOT NULL DEFAULT 'open',
    total_size bigint CHECK (total_size > 0),
    part_size bigint CHECK (part_size > 0),
    total_parts integer CHECK (total_parts BETWEEN 1 AND 10000),
    next_part integer NOT NULL DEFAULT 1,
    etag text,
    created_at timestamptz NOT NULL DEFAULT now(),
    touched_at timestamptz NOT NULL DEFAULT now(),
    ended_at timestamptz,
    CHECK ((total_size IS NULL) = (part_size IS NULL) AND (total_size IS NULL) = (total_parts IS NULL)),
    CHECK ((state IN ('completed', 'aborted')) = (ended_at IS NOT NULL))
);
COMMENT ON TABLE uploads IS 'How the bytes of a video arrive. Moves: open → completed, open → aborting → aborted or completed.';
COMMENT ON COLUMN uploads.total_size IS 'As declared; NULL when the client did not say, and the parts then tell.';
COMMENT ON COLUMN uploads.part_size IS 'Of every part but the last; fixed for the life of the upload.';
COMMENT ON COLUMN uploads.next_part IS 'First part whose address was not issued yet.';
COMMENT ON COLUMN uploads.touched_at IS 'When the client last asked for something, reports of parts aside: those have times of their own.';

CREATE INDEX uploads_unfinished ON uploads (touched_at) WHERE state IN ('open', 'aborting');
CREATE UNIQUE INDEX uploads_by_store_id ON uploads (store_upload_id);

CREATE TABLE upload_parts (
    video_id uuid NOT NULL REFERENCES uploads (video_id) ON DELETE CASCADE,
    number integer NOT NULL CHECK (number BETWEEN 1 AND 10000),
    etag text NOT NULL CHECK (etag <> ''),
    size bigint CHECK (size >= 0),
    uploaded_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (video_id, number)
);
COMMENT ON TABLE upload_parts IS 'The parts that arrived, as the client reported them or the store lists them.';
COMMENT ON COLUMN upload_parts.size IS 'As the store tells; NULL while only the client has.';

SELECT sightline.protect('uploads');
SELECT sightline.protect('upload_parts');
GRANT SELECT ON uploads, upload_parts TO sightline_user;
CREATE POLICY people_see_uploads_of_their_videos ON uploads FOR SELECT TO sightline_user
    USING (EXISTS (SELECT 1 FROM videos AS v WHERE v.id = uploads.video_id));
CREATE POLICY people_see_parts_of_their_videos ON upload_parts FOR SELECT TO sightline_user
    USING (EXISTS (SELECT 1 FROM videos AS v WHERE v.id = upload_parts.video_id));

CREATE TABLE video_removals (
    video_id uuid PRIMARY KEY,
    store_upload_id text,
    asked_at timestamptz NOT NULL DEFAULT now(),
    swept_at timestamptz
);
COMMENT ON TABLE video_removals IS
    'Videos whose rows are gone and whose objects are being removed. Kept for a while: work that ran when the video was '
    'removed may still have stored something, and the scanner must not take its original for a new one.';
SELECT sightline.protect('video_removals');
