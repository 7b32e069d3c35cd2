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

-- Search, with nothing but what is in every PostgreSQL (ADR 0018): a bag of keys per segment, in one inverted index.
--
--   w…  a word, or c… if it is common in its video
--   s…  a word less one letter (slips)
--   t…  three characters in a row; one and two of scripts without spaces
--   l…  the language
--   e…  a kind of entity, e…:… an entity
--   o…, g…, v…  the owner, the team, the video
--
-- The index is on an expression, so that the keys are stored nowhere but in it: rows stay narrow, and a word that stands in
-- many of them is counted in few pages.
CREATE TABLE search_rows (
    segment_id uuid NOT NULL,
    video_id uuid NOT NULL REFERENCES videos (id) ON DELETE CASCADE,
    owner_id uuid NOT NULL,
    team_id uuid,
    weight real NOT NULL,
    t_start integer NOT NULL,
    t_end integer NOT NULL,
    language text NOT NULL,
    folded text NOT NULL,
    common text,
    tags text[]
);
COMMENT ON TABLE search_rows IS
    'The merged segments of COMPLETED videos as search sees them; written and removed with all rows of their video, never alone.';
COMMENT ON COLUMN search_rows.weight IS 'Order among hits of the same kind; what does not hang on the question.';
COMMENT ON COLUMN search_rows.folded IS 'The text without case, accents and typography (text/fold.py).';
COMMENT ON COLUMN search_rows.common IS 'Those of its words that are common in its video, each with a space before and after it.';
COMMENT ON COLUMN search_rows.tags IS 'Keys that do not follow from the other columns: entities, words inside mixed scripts.';
SELECT sightline.protect('search_rows'); -- people reach it through search_as_caller alone

CREATE TABLE search_common_words (
    word text NOT NULL,
    video_id uuid NOT NULL REFERENCES videos (id) ON DELETE CASCADE,
    owner_id uuid NOT NULL,
    team_id uuid,
    hits integer NOT NULL CHECK (hits > 0),
    PRIMARY KEY (word, video_id) INCLUDE (owner_id, team_id, hits)
);
COMMENT ON TABLE search_common_words IS
    'In how many segments of a video each of its common words stands. A word that is everywhere is counted here, a row per video, '
    'instead of in the search rows.';
CREATE INDEX search_common_words_of_video ON search_common_words (video_id);
SELECT sightline.protect('search_common_words');

CREATE FUNCTION sightline.search_words(folded text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
RETURN ' ' || btrim(regexp_replace(
    translate(folded, E'!"#$%&''()*+,-./:;<=>?@[\\]^_`{|}~€£¥¢§°±×÷¿¡«»', repeat(' ', 45)), ' {2,}', ' ', 'g')) || ' ';
COMMENT ON FUNCTION sightline.search_words(text) IS 'The words of a folded text with one space around each (text/fold.py).';

CREATE FUNCTION sightline.search_keys(
    folded text, common text, tags text[], language text, owner_id uuid, team_id uuid, video_id uuid
) RETURNS tsvector
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
AS $$
DECLARE
    keys text[] := tags || ARRAY['o' || owner_id, 'v' || video_id, 'l' || language];
    padded text := ' ' || folded || ' ';
    unspaced CONSTANT text := U&'\0E00' COLLATE "C";
    letter text;
    word text;
    bones text;
BEGIN
    -- Loops, not queries: four times as fast, and this runs for every row that is written.
    IF team_id IS NOT NULL THEN
        keys := keys || ('g' || team_id);
    END IF;
    FOR at IN 1 .. length(folded) LOOP
        keys := keys || ('t' || substr(padded, at, 3));
        letter := substr(folded, at, 1);
        IF letter COLLATE "C" >= unspaced THEN
            keys := keys || ('t' || letter) || ('t' || substr(folded, at, 2));
        END IF;
    END LOOP;
    FOREACH word IN ARRAY string_to_array(sightline.search_words(folded), ' ') LOOP
        CONTINUE WHEN word = '';
        keys := keys || (CASE WHEN strpos(common, ' ' || word || ' ') > 0 THEN 'c' ELSE 'w' END || left(word, 200));
        CONTINUE WHEN length(word) < 3 OR word COLLATE "C" >= unspaced;
        bones := translate(replace(replace(word, 'rn', 'm'), 'vv', 'w'), '01i58', 'ollsb');
        keys := keys || ('s' || left(bones, 200));
        CONTINUE WHEN length(bones) NOT BETWEEN 4 AND 40 OR word ~ '^[0-9]+$';
        FOR at IN 1 .. length(bones) LOOP
            keys := keys || ('s' || left(bones, at - 1) || substr(bones, at + 1));
        END LOOP;
    END LOOP;
    RETURN array_to_tsvector(keys);
END
$$;
COMMENT ON FUNCTION sightline.search_keys IS 'The keys of a search row; text/query.py asks for the same ones.';

CREATE INDEX search_rows_keys ON search_rows
    USING gin (sightline.search_keys(folded, common, tags, language, owner_id, team_id, video_id));
-- Search is told to use the index, so nobody reads these statistics, and gathering them would make all keys again.
ALTER INDEX search_rows_keys ALTER COLUMN 1 SET STATISTICS 0;
CREATE INDEX search_rows_of_video ON search_rows (video_id);
CREATE INDEX search_rows_best_first ON search_rows (weight DESC);

CREATE FUNCTION sightline.owns_most_search_rows(owner uuid) RETURNS boolean
LANGUAGE plpgsql STABLE
SET plan_cache_mode = auto SET search_path = pg_catalog
AS $$
BEGIN
    RETURN EXISTS (
        SELECT FROM pg_stats AS s, unnest(s.most_common_vals::text::uuid[], s.most_common_freqs) AS often (who, part)
        WHERE s.schemaname = 'public' AND s.tablename = 'search_rows' AND s.attname = 'owner_id'
          AND often.who = owner AND often.part > 0.3);
END
$$;
COMMENT ON FUNCTION sightline.owns_most_search_rows(uuid) IS 'Roughly, as of the last ANALYZE; decides how to search, never what is found.';

CREATE FUNCTION sightline.best_search_rows(
    owner uuid, teams uuid[], phrases text[], lone_word text, skip integer, most integer
) RETURNS uuid[]
LANGUAGE plpgsql STABLE
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_indexscan = on SET plan_cache_mode = force_custom_plan
SET search_path = pg_catalog
AS $$
BEGIN
    RETURN ARRAY(
        SELECT r.segment_id FROM public.search_rows AS r
        WHERE (owner IS NULL OR r.owner_id = owner OR r.team_id = ANY (teams))
          AND strpos(r.folded, lone_word) > 0 AND r.folded ~ ALL (phrases)
        ORDER BY r.weight DESC, r.segment_id
        LIMIT most OFFSET skip);
END
$$;
COMMENT ON FUNCTION sightline.best_search_rows IS 'The best rows with a word, found by going through all rows from the best on.';
REVOKE EXECUTE ON FUNCTION sightline.best_search_rows FROM PUBLIC;
GRANT EXECUTE ON FUNCTION sightline.best_search_rows TO sightline_worker;

CREATE FUNCTION sightline.search(
    owner uuid, teams uuid[], lone_word text, wanted tsquery, phrases text[], parts text[], but_phrases text[], but_parts text[], near text,
    from_ms integer, until_ms integer, created_from timestamptz, created_until timestamptz, skip integer, most integer,
    OUT total bigint, OUT ids uuid[]
)
LANGUAGE plpgsql STABLE
-- The keys of a row cost more to make than to look up: no plan may make them row by row, nor a bitmap forget rows.
SET enable_seqscan = off SET enable_indexscan = off SET work_mem = '64MB' SET plan_cache_mode = force_custom_plan
SET search_path = pg_catalog
AS $$
DECLARE
    scoped tsquery := wanted;
    everywhere CONSTANT integer := 5000;
BEGIN
    IF owner IS NULL OR sightline.owns_most_search_rows(owner) THEN
        -- A word that stands in so many rows is counted by video, and its best rows are met soon when all are gone through from
        -- the best on: on one of the first pages, that is.
        IF lone_word IS NOT NULL AND skip + most <= 1000 THEN
            SELECT sum(c.hits) INTO total
            FROM public.search_common_words AS c
            WHERE c.word = lone_word AND (owner IS NULL OR c.owner_id = owner OR c.team_id = ANY (teams));
            IF total >= everywhere THEN
                SELECT total + count(*) INTO total
                FROM public.search_rows AS r
                WHERE sightline.search_keys(r.folded, r.common, r.tags, r.language, r.owner_id, r.team_id, r.video_id)
                      @@ quote_literal('w' || left(lone_word, 200))::tsquery
                  AND (owner IS NULL OR r.owner_id = owner OR r.team_id = ANY (teams));
                ids := sightline.best_search_rows(owner, teams, phrases, lone_word, skip, most);
                RETURN;
            END IF;
        END IF;
    ELSE
        -- Whoever owns little has it picked out by the index. For the owner of most rows that would mean to read most of the
        -- index; then a look at each row that was found is cheaper.
        scoped := wanted && (
            SELECT string_agg(quote_literal(key), ' | ')
            FROM (SELECT 'o' || owner UNION ALL SELECT 'g' || team FROM unnest(teams) AS team) AS own (key))::tsquery;
    END IF;
    WITH found AS MATERIALIZED (
        SELECT r.segment_id, r.weight,
               CASE WHEN near IS NOT NULL THEN r.folded ~ near ELSE false END AS is_near
        FROM public.search_rows AS r
        WHERE sightline.search_keys(r.folded, r.common, r.tags, r.language, r.owner_id, r.team_id, r.video_id) @@ scoped
          AND (owner IS NULL OR r.owner_id = owner OR r.team_id = ANY (teams))
          AND (cardinality(parts) = 0 OR r.folded LIKE ALL (parts))
          AND (lone_word IS NOT NULL OR cardinality(phrases) = 0 OR r.folded ~ ALL (phrases))
          AND (cardinality(but_parts) + cardinality(but_phrases) = 0
               OR NOT (r.folded LIKE ALL (but_parts) AND r.folded ~ ALL (but_phrases)))
          AND (from_ms IS NULL OR r.t_end > from_ms)
          AND (until_ms IS NULL OR r.t_start < until_ms)
          AND (created_from IS NULL AND created_until IS NULL OR r.video_id IN (
              SELECT v.id FROM public.videos AS v
              WHERE (created_from IS NULL OR v.created_at >= created_from)
                AND (created_until IS NULL OR v.created_at < created_until)))
    )
    SELECT (SELECT count(*) FROM found),
           ARRAY(SELECT f.segment_id FROM found AS f ORDER BY f.is_near DESC, f.weight DESC, f.segment_id LIMIT most OFFSET skip)
    INTO total, ids;
END
$$;
COMMENT ON FUNCTION sightline.search IS
    'How many search rows of an owner or teams have the wanted keys and pass the checks, and the best of them. Without an owner, '
    'of everybody: for the platform alone.';
REVOKE EXECUTE ON FUNCTION sightline.search FROM PUBLIC;
GRANT EXECUTE ON FUNCTION sightline.search TO sightline_worker;

CREATE FUNCTION sightline.search_as_caller(
    lone_word text, wanted tsquery, phrases text[], parts text[], but_phrases text[], but_parts text[], near text,
    from_ms integer, until_ms integer, created_from timestamptz, created_until timestamptz, skip integer, most integer,
    OUT total bigint, OUT ids uuid[]
)
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = pg_catalog
AS $$
BEGIN
    IF auth.uid() IS NULL THEN
        total := 0;
        ids := '{}';
        RETURN;
    END IF;
    -- The rule of caller_may_see. A policy on search_rows would say the same and keep every index from being used: the operators
    -- that ask for keys are not leakproof, so row level security must look at every row before them.
    SELECT s.total, s.ids INTO total, ids
    FROM sightline.search(auth.uid(), sightline.caller_teams(), lone_word, wanted, phrases, parts, but_phrases, but_parts, near,
                          from_ms, until_ms, created_from, created_until, skip, most) AS s;
END
$$;
COMMENT ON FUNCTION sightline.search_as_caller IS 'sightline.search among what the person of this transaction may see.';
REVOKE EXECUTE ON FUNCTION sightline.search_as_caller FROM PUBLIC;
GRANT EXECUTE ON FUNCTION sightline.search_as_caller TO sightline_user, sightline_worker;

-- The names that document 001 gives its search.
CREATE VIEW search_materialized WITH (security_invoker = true) AS
    SELECT s.id AS segment_id, s.video_id, v.name AS video_name, s.text, s.normalized_text, s.t_start, s.t_end, s.confidence,
           s.bounding_box, s.language, s.owner_id, s.team_id,
           ARRAY(SELECT e.entity_type || ':' || e.normalized_value FROM entities AS e WHERE e.segment_id = s.id
                 ORDER BY e.start_offset, e.normalized_value) AS entities
    FROM segments AS s JOIN videos AS v ON v.id = s.video_id
    WHERE s.is_merged AND v.status = 'COMPLETED';
COMMENT ON VIEW search_materialized IS 'What can be found; always up to date, with nothing to materialize.';
GRANT SELECT ON search_materialized TO sightline_user, sightline_worker;

CREATE FUNCTION refresh_search_materialized() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog
AS $$
BEGIN
    PERFORM gin_clean_pending_list('public.search_rows_keys');
END
$$;
COMMENT ON FUNCTION refresh_search_materialized() IS
    'Sorts what was written last into the search index. Never needed for right answers; costs as much as was written since.';
REVOKE EXECUTE ON FUNCTION refresh_search_materialized() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION refresh_search_materialized() TO sightline_worker;
