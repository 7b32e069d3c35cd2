-- Reading order: lines of text belong to blocks. Search: phrases by pairs of words, and across the lines of a block or a screen (ADR 0073).
-- keeps: the index is made again below

ALTER TABLE segments
    ADD COLUMN block integer CHECK (block >= 0),
    ADD COLUMN block_kind text CHECK (block_kind IN ('paragraph', 'list', 'cell', 'caption')),
    ADD COLUMN block_line integer CHECK (block_line >= 0),
    ADD COLUMN appears_ms integer CHECK (appears_ms >= 0);
COMMENT ON COLUMN segments.block IS 'Of merged text: the number of its block in the video, by time and reading order. NULL before it is indexed, and for speech.';
COMMENT ON COLUMN segments.block_line IS 'Its number among the lines of the block, from 0.';
COMMENT ON COLUMN segments.appears_ms IS 'When the texts that appear together with it begin; lists are ordered by it, then by block and line.';

-- The keys of search_rows (0009) and two more: p… two words with a space between them, q… two words with other signs between them.
-- Of a pair only four digits of a hash are kept: most pairs are unique, and as many keys would make up half of the index.
DROP INDEX search_rows_keys;
CREATE OR REPLACE FUNCTION sightline.search_keys(
    folded text, common text, tags text[], language text, owner_id uuid, team_id uuid, video_id uuid
) RETURNS tsvector
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
AS $$
DECLARE
    keys text[] := tags || ARRAY['o' || owner_id, 'v' || video_id, 'l' || language];
    padded text := ' ' || folded || ' ';
    unspaced CONSTANT text := U&'\0E00' COLLATE "C";
    letter text;
    part text;
    word text;
    previous text := '';
    is_spaced boolean := false;
    is_first boolean;
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
    FOREACH part IN ARRAY string_to_array(
        translate(folded, E'!"#$%&''()*+,-./:;<=>?@[\\]^_`{|}~€£¥¢§°±×÷¿¡«»', repeat(E'\x01', 45)), ' ')
    LOOP
        is_first := true;
        FOREACH word IN ARRAY string_to_array(part, E'\x01') LOOP
            is_spaced := is_spaced AND is_first AND word <> '';
            is_first := false;
            CONTINUE WHEN word = '';
            IF previous <> '' THEN
                keys := keys || (CASE WHEN is_spaced THEN 'p' ELSE 'q' END
                                 || left(encode(sha256(convert_to(previous || ' ' || word, 'UTF8')), 'hex'), 4));
            END IF;
            previous := word;
            is_spaced := true;
            keys := keys || (CASE WHEN strpos(common, ' ' || word || ' ') > 0 THEN 'c' ELSE 'w' END || left(word, 200));
            CONTINUE WHEN length(word) < 3 OR word COLLATE "C" >= unspaced;
            bones := translate(replace(replace(word, 'rn', 'm'), 'vv', 'w'), '01i58', 'ollsb');
            keys := keys || ('s' || left(bones, 200));
            CONTINUE WHEN length(bones) NOT BETWEEN 4 AND 40 OR word ~ '^[0-9]+$';
            FOR at IN 1 .. length(bones) LOOP
                keys := keys || ('s' || left(bones, at - 1) || substr(bones, at + 1));
            END LOOP;
        END LOOP;
    END LOOP;
    RETURN array_to_tsvector(keys);
END
$$;
CREATE INDEX search_rows_keys ON search_rows
    USING gin (sightline.search_keys(folded, common, tags, language, owner_id, team_id, video_id));
ALTER INDEX search_rows_keys ALTER COLUMN 1 SET STATISTICS 0;

CREATE TABLE search_passages (
    video_id uuid NOT NULL REFERENCES videos (id) ON DELETE CASCADE,
    owner_id uuid NOT NULL,
    team_id uuid,
    scope text NOT NULL CHECK (scope IN ('block', 'moment')),
    scene integer NOT NULL,
    weight real NOT NULL,
    t_start integer NOT NULL,
    t_end integer NOT NULL,
    folded text NOT NULL,
    unit_starts integer[] NOT NULL,
    tags text[],
    segment_ids uuid[] NOT NULL
);
COMMENT ON TABLE search_passages IS
    'Several segments of a COMPLETED video as one text: the lines of a block, a run of speech, or the blocks that are on screen together. '
    'Written and removed with the search rows of the video.';
COMMENT ON COLUMN search_passages.scene IS 'Hits in one scene of a video count once; blocks have one each.';
COMMENT ON COLUMN search_passages.unit_starts IS
    'Where in the folded text, from 1, the parts begin that are searched on their own before: lines of a block, blocks of a moment.';
COMMENT ON COLUMN search_passages.segment_ids IS 'Its segments in reading order.';
SELECT sightline.protect('search_passages'); -- people reach it through search_passages_as_caller alone

CREATE FUNCTION sightline.passage_keys(folded text, tags text[], owner_id uuid, team_id uuid, video_id uuid) RETURNS tsvector
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
AS $$
DECLARE
    keys text[] := tags || ARRAY['o' || owner_id, 'v' || video_id];
    word text;
BEGIN
    IF team_id IS NOT NULL THEN
        keys := keys || ('g' || team_id);
    END IF;
    -- Parts of words are not searched for across lines, but scripts without spaces know nothing else.
    IF folded COLLATE "C" ~ U&'[\0E00-\+10FFFF]' THEN
        FOR at IN 1 .. length(folded) LOOP
            keys := keys || ('t' || substr(folded, at, 1)) || ('t' || substr(folded, at, 2)) || ('t' || substr(folded, at, 3));
        END LOOP;
    END IF;
    FOREACH word IN ARRAY string_to_array(sightline.search_words(folded), ' ') LOOP
        CONTINUE WHEN word = '';
        keys := keys || ('w' || left(word, 200));
    END LOOP;
    RETURN array_to_tsvector(keys);
END
$$;
COMMENT ON FUNCTION sightline.passage_keys IS
    'The keys of a passage: words, and parts of texts without spaces; its tags are pairs of words across lines, and values of numbers. '
    'text/search/passage_query.py asks for them.';

CREATE INDEX search_passages_block_keys ON search_passages
    USING gin (sightline.passage_keys(folded, tags, owner_id, team_id, video_id)) WHERE scope = 'block';
CREATE INDEX search_passages_moment_keys ON search_passages
    USING gin (sightline.passage_keys(folded, tags, owner_id, team_id, video_id)) WHERE scope = 'moment';
ALTER INDEX search_passages_block_keys ALTER COLUMN 1 SET STATISTICS 0;
ALTER INDEX search_passages_moment_keys ALTER COLUMN 1 SET STATISTICS 0;
CREATE INDEX search_passages_of_video ON search_passages (video_id);

CREATE FUNCTION sightline.search_passages(
    owner uuid, teams uuid[], within text, wanted tsquery, phrases text[], parts text[], alone_phrases text[], alone_parts text[], near text,
    from_ms integer, until_ms integer, created_from timestamptz, created_until timestamptz, skip integer, most integer,
    OUT total bigint, OUT passages jsonb
)
LANGUAGE plpgsql STABLE
-- As in sightline.search: no plan may make the keys row by row.
SET enable_seqscan = off SET enable_indexscan = off SET work_mem = '64MB' SET plan_cache_mode = force_custom_plan
SET search_path = pg_catalog
AS $$
DECLARE
    scoped tsquery := wanted;
BEGIN
    IF owner IS NOT NULL AND NOT sightline.owns_most_search_rows(owner) THEN
        scoped := wanted && (
            SELECT string_agg(quote_literal(key), ' | ')
            FROM (SELECT 'o' || owner UNION ALL SELECT 'g' || team FROM unnest(teams) AS team) AS own (key))::tsquery;
    END IF;
    WITH found AS MATERIALIZED (
        SELECT p.video_id, p.scene, p.t_start, p.weight, p.segment_ids,
               CASE WHEN near IS NOT NULL THEN p.folded ~ near ELSE false END AS is_near
        FROM public.search_passages AS p
        WHERE sightline.passage_keys(p.folded, p.tags, p.owner_id, p.team_id, p.video_id) @@ scoped
          AND p.scope = within
          AND (owner IS NULL OR p.owner_id = owner OR p.team_id = ANY (teams))
          AND (cardinality(parts) = 0 OR p.folded LIKE ALL (parts))
          AND (cardinality(phrases) = 0 OR p.folded ~ ALL (phrases))
          AND (from_ms IS NULL OR p.t_end > from_ms)
          AND (until_ms IS NULL OR p.t_start < until_ms)
          AND (created_from IS NULL AND created_until IS NULL OR p.video_id IN (
              SELECT v.id FROM public.videos AS v
              WHERE (created_from IS NULL OR v.created_at >= created_from)
                AND (created_until IS NULL OR v.created_at < created_until)))
          -- A part that matches alone is a hit of its own.
          AND NOT EXISTS (
              SELECT FROM unnest(p.unit_starts, p.unit_starts[2:] || (length(p.folded) + 1)) AS unit (since, until),
                          substr(p.folded, unit.since, unit.until - unit.since) AS part
              WHERE part LIKE ALL (alone_parts) AND part ~ ALL (alone_phrases))
    ), best AS (
        SELECT DISTINCT ON (f.video_id, f.scene) f.* FROM found AS f
        ORDER BY f.video_id, f.scene, f.is_near DESC, f.weight DESC, f.t_start
    )
    SELECT (SELECT count(*) FROM best),
           coalesce((SELECT jsonb_agg(to_jsonb(page.segment_ids) ORDER BY page.place)
                     FROM (SELECT b.segment_ids, row_number() OVER (ORDER BY b.is_near DESC, b.weight DESC, b.video_id, b.scene) AS place
                           FROM best AS b) AS page
                     WHERE page.place > skip AND page.place <= skip + most), '[]')
    INTO total, passages;
END
$$;
COMMENT ON FUNCTION sightline.search_passages IS
    'How many passages of an owner or teams match while no part of them matches alone, and the segments of the best. Without an owner, '
    'of everybody: for the platform alone.';
REVOKE EXECUTE ON FUNCTION sightline.search_passages FROM PUBLIC;
GRANT EXECUTE ON FUNCTION sightline.search_passages TO sightline_worker;

CREATE FUNCTION sightline.search_passages_as_caller(
    within text, wanted tsquery, phrases text[], parts text[], alone_phrases text[], alone_parts text[], near text,
    from_ms integer, until_ms integer, created_from timestamptz, created_until timestamptz, skip integer, most integer,
    OUT total bigint, OUT passages jsonb
)
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = pg_catalog
AS $$
BEGIN
    IF auth.uid() IS NULL THEN
        total := 0;
        passages := '[]';
        RETURN;
    END IF;
    SELECT s.total, s.passages INTO total, passages
    FROM sightline.search_passages(auth.uid(), sightline.caller_teams(), within, wanted, phrases, parts, alone_phrases, alone_parts, near,
                                   from_ms, until_ms, created_from, created_until, skip, most) AS s;
END
$$;
COMMENT ON FUNCTION sightline.search_passages_as_caller IS 'sightline.search_passages among what the person of this transaction may see.';
REVOKE EXECUTE ON FUNCTION sightline.search_passages_as_caller FROM PUBLIC;
GRANT EXECUTE ON FUNCTION sightline.search_passages_as_caller TO sightline_user, sightline_worker;

CREATE OR REPLACE FUNCTION refresh_search_materialized() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog
AS $$
BEGIN
    PERFORM gin_clean_pending_list(name)
    FROM unnest(ARRAY['public.search_rows_keys', 'public.search_passages_block_keys', 'public.search_passages_moment_keys']::regclass[]) AS name;
END
$$;
