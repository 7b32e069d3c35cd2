-- Searches that people save, and what they were notified of (ADR 0076).

CREATE TABLE saved_searches (
    search_id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    owner_id uuid NOT NULL,
    owner_email text,
    name text NOT NULL CHECK (name <> '' AND length(name) <= 100),
    q text NOT NULL CHECK (q <> '' AND length(q) <= 500),
    alerts_since timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (owner_id, name)
);
COMMENT ON TABLE saved_searches IS 'Searches with a name, each of one person.';
COMMENT ON COLUMN saved_searches.alerts_since IS 'Its owner is notified of videos that are completed from then on; NULL: of none.';
CREATE INDEX saved_searches_with_alerts ON saved_searches (owner_id) WHERE alerts_since IS NOT NULL;
SELECT sightline.protect('saved_searches');
GRANT SELECT ON saved_searches TO sightline_user;
CREATE POLICY people_see_their_own ON saved_searches FOR SELECT TO sightline_user USING (owner_id = (SELECT auth.uid()));

CREATE TABLE saved_search_alerts (
    search_id uuid NOT NULL REFERENCES saved_searches ON DELETE CASCADE,
    video_id uuid NOT NULL REFERENCES videos (id) ON DELETE CASCADE,
    owner_id uuid NOT NULL,
    hits integer NOT NULL CHECK (hits > 0),
    alerted_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (search_id, video_id)
);
COMMENT ON TABLE saved_search_alerts IS 'One row per saved search and video that was found: its owner is notified once, however often the video is indexed.';
CREATE INDEX saved_search_alerts_newest ON saved_search_alerts (search_id, alerted_at DESC);
CREATE INDEX saved_search_alerts_of_video ON saved_search_alerts (video_id);
SELECT sightline.protect('saved_search_alerts');
GRANT SELECT ON saved_search_alerts TO sightline_user;
CREATE POLICY people_see_their_own ON saved_search_alerts FOR SELECT TO sightline_user USING (owner_id = (SELECT auth.uid()));
