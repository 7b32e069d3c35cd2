-- Names, descriptions and tags of videos, and names of techniques, found by their words (ADR 0076).

ALTER TABLE videos
    ADD COLUMN description text CHECK (description <> '' AND length(description) <= 5000),
    ADD COLUMN tags text[] NOT NULL DEFAULT '{}' CHECK (cardinality(tags) <= 30);
COMMENT ON COLUMN videos.description IS 'What people wrote about it; NULL if nothing.';
COMMENT ON COLUMN videos.tags IS 'In the order in which people gave them; equal ones but for case are there once.';

CREATE FUNCTION sightline.fold_name(name text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
RETURN btrim(regexp_replace(normalize(translate(regexp_replace(
    lower(normalize(replace(name, 'ß', 'ss'), NFKD)), U&'[\0300-\036F]', '', 'g'), 'øłđðıħŧ', 'olddiht'), NFC), '\s+', ' ', 'g'));
COMMENT ON FUNCTION sightline.fold_name(text) IS 'A name without case, accents and width.';

CREATE FUNCTION sightline.name_words(name text) RETURNS text[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
RETURN array_remove(string_to_array(translate(
    sightline.fold_name(name), E'!"#$%&''()*+,-./:;<=>?@[\\]^_`{|}~€£¥¢§°±×÷¿¡«»“”„‘’–—…', repeat(' ', 53)), ' '), '');
COMMENT ON FUNCTION sightline.name_words(text) IS 'The words of a name; an underscore or a full stop ends one: lecture_3.mp4 has three.';

-- n… a word of the name, g… a whole tag, t… a word of a tag, d… a word of the description, o… the owner, m… the team.
CREATE FUNCTION sightline.name_keys(name text, description text, tags text[], owner_id uuid, team_id uuid) RETURNS tsvector
LANGUAGE sql IMMUTABLE PARALLEL SAFE COST 2000
RETURN array_to_tsvector(ARRAY(
    SELECT 'n' || left(w, 100) FROM unnest(sightline.name_words(name)) AS w
    UNION SELECT 'd' || left(w, 100) FROM unnest(sightline.name_words(description)) AS w
    UNION SELECT 'g' || sightline.fold_name(t) FROM unnest(tags) AS t
    UNION SELECT 't' || left(w, 100) FROM unnest(tags) AS t, unnest(sightline.name_words(t)) AS w
    UNION SELECT 'o' || owner_id
    UNION SELECT 'm' || team_id WHERE team_id IS NOT NULL));
COMMENT ON FUNCTION sightline.name_keys IS 'By what a video is found apart from the words in it.';

CREATE INDEX videos_names ON videos USING gin (sightline.name_keys(name, description, tags, owner_id, team_id));
ALTER INDEX videos_names ALTER COLUMN 1 SET STATISTICS 0;

CREATE FUNCTION sightline.find_videos(owner uuid, teams uuid[], words text[], wanted_tags text[], only_names boolean, most integer)
RETURNS TABLE (id uuid, rank integer)
LANGUAGE plpgsql STABLE
SET enable_seqscan = off SET plan_cache_mode = force_generic_plan SET search_path = pg_catalog
AS $$
DECLARE
    folded text[] := ARRAY(SELECT w FROM unnest(words) AS given, unnest(sightline.name_words(given)) AS w);
    whole text;
    wanted tsquery;
BEGIN
    SELECT string_agg(part, ' & ') INTO whole FROM (
        SELECT CASE WHEN only_names THEN format('%1$L:*', 'n' || w)
                    ELSE format('(%L:* | %L:* | %L)', 'n' || w, 't' || w, 'd' || w) END
        FROM unnest(folded) AS w
        UNION ALL SELECT '''' || replace(replace('g' || sightline.fold_name(t), '\', '\\'), '''', '''''') || '''' FROM unnest(wanted_tags) AS t
    ) AS conditions (part);
    IF whole IS NULL THEN
        RETURN;
    END IF;
    wanted := whole::tsquery;
    IF owner IS NOT NULL THEN
        wanted := wanted && (SELECT string_agg(quote_literal(key), ' | ')
                             FROM (SELECT 'o' || owner UNION ALL SELECT 'm' || team FROM unnest(teams) AS team) AS own (key))::tsquery;
    END IF;
    RETURN QUERY
        WITH newest AS MATERIALIZED (
            SELECT v.id, v.name, v.created_at FROM public.videos AS v
            WHERE sightline.name_keys(v.name, v.description, v.tags, v.owner_id, v.team_id) @@ wanted
              AND (owner IS NULL OR v.owner_id = owner OR v.team_id = ANY (teams))
            ORDER BY v.created_at DESC, v.id
            LIMIT most
        ), ranked AS (
            SELECT n.id, n.created_at,
                   CASE WHEN own.words = folded THEN 0
                        WHEN own.words @> folded THEN 1
                        WHEN (SELECT bool_and(EXISTS (SELECT FROM unnest(own.words) AS o WHERE starts_with(o, w))) FROM unnest(folded) AS w)
                            THEN 2
                        ELSE 3 END AS rank
            FROM newest AS n, LATERAL (SELECT sightline.name_words(n.name)) AS own (words)
        )
        SELECT r.id, r.rank FROM ranked AS r ORDER BY r.rank, r.created_at DESC, r.id;
END
$$;
COMMENT ON FUNCTION sightline.find_videos IS
    'The newest videos with words that begin like all of these in their name, tags and description, and with all tags. Rank 0: that is the whole '
    'name, 1: whole words of the name, 2: beginnings of them, 3: elsewhere. Without an owner, of everybody: for the platform alone.';
REVOKE EXECUTE ON FUNCTION sightline.find_videos FROM PUBLIC;
GRANT EXECUTE ON FUNCTION sightline.find_videos TO sightline_worker;

CREATE FUNCTION sightline.find_videos_as_caller(words text[], wanted_tags text[], only_names boolean, most integer)
RETURNS TABLE (id uuid, rank integer)
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = pg_catalog
AS $$
BEGIN
    IF auth.uid() IS NOT NULL THEN
        RETURN QUERY SELECT f.id, f.rank
            FROM sightline.find_videos(auth.uid(), sightline.caller_teams(), words, wanted_tags, only_names, most) AS f;
    END IF;
END
$$;
COMMENT ON FUNCTION sightline.find_videos_as_caller IS 'sightline.find_videos among what the person of this transaction may see.';
REVOKE EXECUTE ON FUNCTION sightline.find_videos_as_caller FROM PUBLIC;
GRANT EXECUTE ON FUNCTION sightline.find_videos_as_caller TO sightline_user, sightline_worker;

CREATE INDEX technique_candidates_names ON technique_candidates USING gin (array_to_tsvector(sightline.name_words(skill_name)))
    WHERE position = 1;

CREATE FUNCTION sightline.find_techniques(owner uuid, teams uuid[], words text[], most integer)
RETURNS TABLE (video_id uuid, skill_name text, first_s integer, times bigint)
LANGUAGE plpgsql STABLE
SET enable_seqscan = off SET plan_cache_mode = force_generic_plan SET search_path = pg_catalog
AS $$
DECLARE
    wanted tsquery := (SELECT string_agg(format('%L:*', w), ' & ')
                       FROM unnest(words) AS given, unnest(sightline.name_words(given)) AS w)::tsquery;
BEGIN
    IF wanted IS NULL THEN
        RETURN;
    END IF;
    RETURN QUERY
        SELECT e.video_id, c.skill_name, min(e.start_s), count(DISTINCT (e.start_s, e.end_s))
        FROM public.technique_candidates AS c
        JOIN public.technique_events AS e ON e.id = c.event_id
        JOIN public.videos AS v ON v.id = e.video_id
        WHERE c.position = 1 AND array_to_tsvector(sightline.name_words(c.skill_name)) @@ wanted
          AND (owner IS NULL OR v.owner_id = owner OR v.team_id = ANY (teams))
        GROUP BY e.video_id, c.skill_name, v.created_at
        ORDER BY v.created_at DESC, min(e.start_s)
        LIMIT most;
END
$$;
COMMENT ON FUNCTION sightline.find_techniques IS
    'Techniques whose names have words that begin like all of these, in the newest videos first. Without an owner, of everybody.';
REVOKE EXECUTE ON FUNCTION sightline.find_techniques FROM PUBLIC;
GRANT EXECUTE ON FUNCTION sightline.find_techniques TO sightline_worker;

CREATE FUNCTION sightline.find_techniques_as_caller(words text[], most integer)
RETURNS TABLE (video_id uuid, skill_name text, first_s integer, times bigint)
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = pg_catalog
AS $$
BEGIN
    IF auth.uid() IS NOT NULL THEN
        RETURN QUERY SELECT f.video_id, f.skill_name, f.first_s, f.times
            FROM sightline.find_techniques(auth.uid(), sightline.caller_teams(), words, most) AS f;
    END IF;
END
$$;
COMMENT ON FUNCTION sightline.find_techniques_as_caller IS 'sightline.find_techniques among what the person of this transaction may see.';
REVOKE EXECUTE ON FUNCTION sightline.find_techniques_as_caller FROM PUBLIC;
GRANT EXECUTE ON FUNCTION sightline.find_techniques_as_caller TO sightline_user, sightline_worker;

-- What is said has a key of its own, so that it can be found apart from what is shown.
UPDATE search_rows AS r SET tags = coalesce(r.tags, '{}') || 'kspeech'::text
FROM segments AS s WHERE s.id = r.segment_id AND s.kind = 'speech';
