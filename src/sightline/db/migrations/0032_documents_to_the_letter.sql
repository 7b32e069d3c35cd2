-- Messages of the contract documents carry nothing but what the documents say; what the platform knows about them is kept here.

CREATE TABLE bus_published (
    fingerprint bytea PRIMARY KEY,
    message_id uuid NOT NULL,
    context text,
    published_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE bus_published IS
    'Id and context of messages that were published on AWS topics, found again by their content when they are received.';
COMMENT ON COLUMN bus_published.fingerprint IS 'Hash of body and attributes.';
COMMENT ON COLUMN bus_published.context IS 'JSON text: correlation id and trace of the sender.';
CREATE INDEX bus_published_by_age ON bus_published (published_at);
SELECT sightline.protect('bus_published');

ALTER TABLE bus_outbox ADD COLUMN publication text;
COMMENT ON COLUMN bus_outbox.publication IS 'Messages that were published together: their sender can wait until AWS has accepted all of them.';
CREATE INDEX bus_outbox_of_publication ON bus_outbox (publication) WHERE publication IS NOT NULL;

ALTER TABLE technique_publications ADD COLUMN result_bucket text;
COMMENT ON COLUMN technique_publications.result_bucket IS 'Bucket of the result, if it is not the platform''s own.';

-- Events of other producers that waited for a run and turned out to belong to none.
CREATE TABLE technique_strays (
    id uuid PRIMARY KEY,
    video_id uuid NOT NULL,
    event_index integer NOT NULL,
    total_events integer NOT NULL,
    content jsonb NOT NULL,
    reason text NOT NULL,
    received_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE technique_strays IS 'Technique events that were received and belong to no run; recorded, and counted nowhere.';
CREATE INDEX technique_strays_of_video ON technique_strays (video_id, received_at);
CREATE TRIGGER strays_of_removed_videos BEFORE INSERT ON technique_strays
    FOR EACH ROW EXECUTE FUNCTION sightline.pass_over_removed_video();
SELECT sightline.protect('technique_strays');
GRANT SELECT ON technique_strays TO sightline_user;
CREATE POLICY people_see_those_of_their_videos ON technique_strays FOR SELECT TO sightline_user
    USING (EXISTS (SELECT 1 FROM videos AS v WHERE v.id = technique_strays.video_id));

CREATE FUNCTION sightline.remove_technique_strays() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp
AS $$
BEGIN
    DELETE FROM technique_strays WHERE video_id = OLD.id;
    RETURN OLD;
END
$$;
CREATE TRIGGER technique_strays_go_too AFTER DELETE ON videos FOR EACH ROW EXECUTE FUNCTION sightline.remove_technique_strays();
