-- Words to suggest while somebody types, and which videos were indexed since they were last looked at (ADR 0076).

CREATE TABLE search_changes (
    video_id uuid PRIMARY KEY,
    changed_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE search_changes IS
    'Videos whose search rows were written or removed: their words are counted again, and saved searches with alerts are run on them.';
CREATE INDEX search_changes_by_age ON search_changes (changed_at);
SELECT sightline.protect('search_changes');

CREATE FUNCTION sightline.note_search_changes() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog
AS $$
BEGIN
    -- Ordered, so that two transactions that note the same videos do not deadlock.
    INSERT INTO public.search_changes (video_id) SELECT DISTINCT c.video_id FROM changed AS c ORDER BY 1
    ON CONFLICT (video_id) DO UPDATE SET changed_at = now();
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION sightline.note_search_changes() IS 'Whoever writes search rows, and for whatever reason, the video is noted in the same transaction.';
CREATE TRIGGER note_added AFTER INSERT ON search_rows REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION sightline.note_search_changes();
CREATE TRIGGER note_removed AFTER DELETE ON search_rows REFERENCING OLD TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION sightline.note_search_changes();

CREATE TABLE video_words (
    video_id uuid PRIMARY KEY,
    owner_id uuid NOT NULL,
    team_id uuid,
    words text[] NOT NULL
);
COMMENT ON TABLE video_words IS 'The words of a video as they were counted, so that they can be taken back. Without a foreign key for that reason.';
SELECT sightline.protect('video_words');

CREATE TABLE search_vocabulary (
    scope uuid NOT NULL,
    word text COLLATE "C" NOT NULL,
    videos integer NOT NULL,
    PRIMARY KEY (scope, word)
);
COMMENT ON TABLE search_vocabulary IS 'In how many videos of an owner, or of a team, each word is. One process at a time counts.';
COMMENT ON COLUMN search_vocabulary.scope IS 'An owner or a team.';
SELECT sightline.protect('search_vocabulary'); -- people reach it through suggest_words_as_caller alone

CREATE FUNCTION sightline.suggest_words_as_caller(beginning text, most integer) RETURNS TABLE (word text, videos bigint)
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET plan_cache_mode = force_generic_plan SET search_path = pg_catalog
AS $$
BEGIN
    IF auth.uid() IS NULL OR beginning = '' THEN
        RETURN;
    END IF;
    -- Comparisons rather than LIKE, since those use the index with any collation of the database.
    RETURN QUERY
        SELECT v.word, sum(v.videos) FROM public.search_vocabulary AS v
        WHERE (v.scope = auth.uid() OR v.scope = ANY (sightline.caller_teams()))
          AND v.word >= beginning COLLATE "C" AND v.word < (beginning || U&'\+10FFFF') COLLATE "C"
        GROUP BY v.word
        ORDER BY sum(v.videos) DESC, length(v.word), v.word
        LIMIT most;
END
$$;
COMMENT ON FUNCTION sightline.suggest_words_as_caller IS 'Words of the videos that the person of this transaction may see, the most frequent first.';
REVOKE EXECUTE ON FUNCTION sightline.suggest_words_as_caller FROM PUBLIC;
GRANT EXECUTE ON FUNCTION sightline.suggest_words_as_caller TO sightline_user, sightline_worker;

CREATE FUNCTION sightline.suggest_tags_as_caller(beginning text, most integer) RETURNS TABLE (tag text, videos bigint)
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET enable_seqscan = off SET plan_cache_mode = force_generic_plan SET search_path = pg_catalog
AS $$
DECLARE
    folded CONSTANT text := sightline.fold_name(beginning);
    teams CONSTANT uuid[] := sightline.caller_teams();
    wanted tsquery;
BEGIN
    IF auth.uid() IS NULL THEN
        RETURN;
    END IF;
    wanted := ('''' || replace(replace('g' || folded, '\', '\\'), '''', '''''') || ''':*')::tsquery
        && (SELECT string_agg(quote_literal(key), ' | ')
            FROM (SELECT 'o' || auth.uid() UNION ALL SELECT 'm' || team FROM unnest(teams) AS team) AS own (key))::tsquery;
    RETURN QUERY
        SELECT min(t.given), count(DISTINCT v.id) FROM (
            SELECT v.id, v.tags FROM public.videos AS v
            WHERE sightline.name_keys(v.name, v.description, v.tags, v.owner_id, v.team_id) @@ wanted
              AND (v.owner_id = auth.uid() OR v.team_id = ANY (teams))
            LIMIT 1000
        ) AS v, unnest(v.tags) AS t (given)
        WHERE starts_with(sightline.fold_name(t.given), folded)
        GROUP BY sightline.fold_name(t.given)
        ORDER BY count(DISTINCT v.id) DESC, min(t.given)
        LIMIT most;
END
$$;
COMMENT ON FUNCTION sightline.suggest_tags_as_caller IS 'Tags of the videos that the person of this transaction may see, the most frequent first.';
REVOKE EXECUTE ON FUNCTION sightline.suggest_tags_as_caller FROM PUBLIC;
GRANT EXECUTE ON FUNCTION sightline.suggest_tags_as_caller TO sightline_user, sightline_worker;

-- What is indexed already is counted by and by.
INSERT INTO search_changes (video_id) SELECT DISTINCT video_id FROM search_rows;
