-- Uploads by tus: how far each has come, and the bytes that do not fill a part yet.

CREATE TABLE tus_uploads (
    id uuid PRIMARY KEY,
    video_id uuid UNIQUE REFERENCES videos (id) ON DELETE CASCADE,
    owner_id uuid NOT NULL,
    length bigint CHECK (length > 0),
    received bigint NOT NULL DEFAULT 0 CHECK (received >= 0),
    part_size bigint NOT NULL CHECK (part_size > 0),
    metadata text NOT NULL DEFAULT '',
    sources uuid[] CHECK (cardinality(sources) > 0),
    writer uuid,
    created_at timestamptz NOT NULL DEFAULT now(),
    touched_at timestamptz NOT NULL DEFAULT now(),
    CHECK (video_id IS NULL OR video_id = id),
    CHECK (length IS NULL OR received <= length),
    CHECK (sources IS NULL OR video_id IS NOT NULL)
);
COMMENT ON TABLE tus_uploads IS 'Uploads by tus. With a video: also in uploads. Without: part of a file, until another upload joins it with others.';
COMMENT ON COLUMN tus_uploads.length IS 'Bytes of the whole; NULL while the client has not said.';
COMMENT ON COLUMN tus_uploads.received IS 'Bytes that are durable: the offset at which the client goes on.';
COMMENT ON COLUMN tus_uploads.metadata IS 'Upload-Metadata as it was sent, and is sent back.';
COMMENT ON COLUMN tus_uploads.sources IS 'Of a file made of others: those uploads, in their order.';
COMMENT ON COLUMN tus_uploads.writer IS 'The request that may add bytes; a later one takes its place.';

CREATE INDEX tus_uploads_of_owner ON tus_uploads (owner_id) WHERE video_id IS NULL OR sources IS NOT NULL;
CREATE INDEX tus_uploads_touched ON tus_uploads (touched_at);

CREATE TABLE tus_pieces (
    upload_id uuid NOT NULL REFERENCES tus_uploads (id) ON DELETE CASCADE,
    start bigint NOT NULL CHECK (start >= 0),
    size bigint NOT NULL CHECK (size > 0),
    key text NOT NULL CHECK (key <> ''),
    PRIMARY KEY (upload_id, start)
);
COMMENT ON TABLE tus_pieces IS 'Bytes of an upload that are objects of their own: fewer than a part has, or of an upload without a video.';

SELECT sightline.protect('tus_uploads');
SELECT sightline.protect('tus_pieces');
