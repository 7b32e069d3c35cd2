-- What OpenSearch has to be told: the videos whose searchable text changed since it was sent (ADR 0081).

CREATE TABLE search_projection (
    video_id uuid PRIMARY KEY, -- without a reference: a removed video has to be removed there too
    generation bigint NOT NULL DEFAULT 1,
    sent_generation bigint NOT NULL DEFAULT 0,
    changed_at timestamptz NOT NULL DEFAULT now(),
    error text
);
COMMENT ON TABLE search_projection IS 'One row per video that has, or had, searchable text. Sent when sent_generation = generation.';
COMMENT ON COLUMN search_projection.generation IS 'Grows with each change; documents carry it, so that an older one never replaces a newer one.';
COMMENT ON COLUMN search_projection.error IS 'Why OpenSearch refused the video for good; it is sent again when it changes.';
CREATE INDEX search_projection_unsent ON search_projection (changed_at, video_id) WHERE generation > sent_generation;
SELECT sightline.protect('search_projection');

CREATE FUNCTION sightline.note_search_change() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp
AS $$
BEGIN
    INSERT INTO search_projection AS p (video_id)
    SELECT DISTINCT video_id FROM changed ORDER BY video_id
    ON CONFLICT (video_id) DO UPDATE SET generation = p.generation + 1, changed_at = now();
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION sightline.note_search_change() IS 'Runs in the transaction that changes search rows, whoever changes them.';
REVOKE EXECUTE ON FUNCTION sightline.note_search_change() FROM PUBLIC;

CREATE TRIGGER note_inserted AFTER INSERT ON search_rows
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION sightline.note_search_change();
CREATE TRIGGER note_deleted AFTER DELETE ON search_rows
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION sightline.note_search_change();

INSERT INTO search_projection (video_id) SELECT DISTINCT video_id FROM search_rows;
