-- Meaning: vectors of what is shown and said, searched by the extension pgvector where the server has it (ADR 0075).

ALTER TYPE job_type ADD VALUE IF NOT EXISTS 'embed';

CREATE TABLE embedded_videos (
    video_id uuid PRIMARY KEY REFERENCES videos (id) ON DELETE CASCADE,
    model text NOT NULL,
    passages integer NOT NULL CHECK (passages >= 0),
    embedded_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE embedded_videos IS
    'Videos whose texts and speech have vectors of this model. The row is removed when the text of the video is indexed again.';
SELECT sightline.protect('embedded_videos');

CREATE FUNCTION sightline.settle_vectors() RETURNS text
LANGUAGE plpgsql SET search_path = pg_catalog
AS $settle$
DECLARE
    space text;
BEGIN
    IF to_regclass('public.passage_vectors') IS NOT NULL THEN
        RETURN 'ready';
    END IF;
    IF NOT EXISTS (SELECT FROM pg_extension WHERE extname = 'vector') THEN
        IF NOT EXISTS (SELECT FROM pg_available_extensions WHERE name = 'vector') THEN
            RETURN 'missing';
        END IF;
        BEGIN
            -- A schema of its own: schemas of the platform hold nothing but what its migrations made.
            CREATE SCHEMA IF NOT EXISTS sightline_vectors;
            CREATE EXTENSION vector WITH SCHEMA sightline_vectors;
        EXCEPTION WHEN insufficient_privilege THEN
            RETURN 'not_allowed';
        END;
    END IF;
    SELECT n.nspname INTO space FROM pg_extension AS e JOIN pg_namespace AS n ON n.oid = e.extnamespace WHERE e.extname = 'vector';
    IF to_regtype(format('%I.halfvec', space)) IS NULL THEN
        RETURN 'too_old';
    END IF;
    IF NOT has_schema_privilege('sightline_worker', space, 'USAGE') THEN
        BEGIN
            EXECUTE format('GRANT USAGE ON SCHEMA %I TO sightline_worker', space);
        EXCEPTION WHEN insufficient_privilege THEN
            RETURN 'not_allowed';
        END;
    END IF;

    EXECUTE format($table$
        CREATE TABLE public.passage_vectors (
            id uuid PRIMARY KEY,
            video_id uuid NOT NULL REFERENCES public.videos (id) ON DELETE CASCADE,
            owner_id uuid NOT NULL,
            team_id uuid,
            model text NOT NULL,
            segment_ids uuid[] NOT NULL CHECK (cardinality(segment_ids) > 0),
            t_start integer NOT NULL,
            t_end integer NOT NULL,
            language text NOT NULL,
            embedding %I.halfvec NOT NULL
        )$table$, space);
    COMMENT ON TABLE public.passage_vectors IS
        'What passages of text and speech mean, as vectors of length 1. Derived: left out of backups, and made again by the job embed.';
    COMMENT ON COLUMN public.passage_vectors.segment_ids IS 'The segments of the passage in the order in which they are read.';
    -- It would not be compressed much, and every row is looked at.
    ALTER TABLE public.passage_vectors ALTER COLUMN embedding SET STORAGE PLAIN;
    CREATE INDEX passage_vectors_of_video ON public.passage_vectors (video_id);
    CREATE INDEX passage_vectors_of_owner ON public.passage_vectors (owner_id);
    CREATE INDEX passage_vectors_of_team ON public.passage_vectors (team_id) WHERE team_id IS NOT NULL;
    -- For whoever owns most of a large table; all others have their rows compared one by one (ADR 0075).
    EXECUTE format('CREATE INDEX passage_vectors_nearest ON public.passage_vectors USING hnsw ((embedding::%1$I.halfvec(384)) %1$I.halfvec_ip_ops)
                    WHERE %1$I.vector_dims(embedding) = 384', space);
    PERFORM sightline.protect('public.passage_vectors'); -- people reach it through search_meaning_as_caller alone
    DELETE FROM public.embedded_videos; -- of a table that was left out of a backup

    EXECUTE format($function$
        CREATE OR REPLACE FUNCTION sightline.store_passages(
            of_video uuid, of_model text, ids uuid[], segments jsonb, starts integer[], ends integer[], languages text[],
            vectors real[], dimensions integer
        ) RETURNS integer
        LANGUAGE plpgsql SET search_path = pg_catalog, %I
        AS $body$
        DECLARE
            stored integer;
        BEGIN
            INSERT INTO public.passage_vectors (id, video_id, owner_id, team_id, model, segment_ids, t_start, t_end, language, embedding)
            SELECT p.id, v.id, v.owner_id, v.team_id, of_model, ARRAY(SELECT jsonb_array_elements_text(segments -> (p.place::integer - 1))::uuid),
                   p.t_start, p.t_end, p.language,
                   vectors[(p.place::integer - 1) * dimensions + 1 : p.place::integer * dimensions]::halfvec
            FROM public.videos AS v, unnest(ids, starts, ends, languages) WITH ORDINALITY AS p (id, t_start, t_end, language, place)
            WHERE v.id = of_video
            ON CONFLICT (id) DO NOTHING;
            GET DIAGNOSTICS stored = ROW_COUNT;
            RETURN stored;
        END
        $body$ $function$, space);
    COMMENT ON FUNCTION sightline.store_passages IS 'Stores passages of a video with their vectors, one after the other in `vectors`.';

    EXECUTE format($function$
        CREATE OR REPLACE FUNCTION sightline.vector_of_segment(segment uuid, of_video uuid, of_model text) RETURNS real[]
        LANGUAGE plpgsql STABLE SET search_path = pg_catalog, %I
        AS $body$
        BEGIN
            RETURN (SELECT p.embedding::real[] FROM public.passage_vectors AS p
                    WHERE p.video_id = of_video AND p.model = of_model AND segment = ANY (p.segment_ids) LIMIT 1);
        END
        $body$ $function$, space);
    COMMENT ON FUNCTION sightline.vector_of_segment IS 'The vector of the passage that a segment is part of; null if it has none.';

    CREATE OR REPLACE FUNCTION sightline.owns_most_passages(owner uuid) RETURNS boolean
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog
    AS $body$
    BEGIN
        RETURN (SELECT c.reltuples > 20000 FROM pg_class AS c WHERE c.oid = 'public.passage_vectors'::regclass) AND (owner IS NULL OR EXISTS (
            SELECT FROM pg_stats AS s, unnest(s.most_common_vals::text::uuid[], s.most_common_freqs) AS often (who, part)
            WHERE s.schemaname = 'public' AND s.tablename = 'passage_vectors' AND s.attname = 'owner_id'
              AND often.who = owner AND often.part > 0.5));
    END
    $body$;
    COMMENT ON FUNCTION sightline.owns_most_passages(uuid) IS 'Roughly, as of the last ANALYZE, and of a large table; decides how to search.';

    EXECUTE format($function$
        CREATE OR REPLACE FUNCTION sightline.nearest_by_index(
            owner uuid, teams uuid[], wanted real[], of_model text, min_similarity real, most integer
        ) RETURNS TABLE (segment_ids uuid[], video_id uuid, similarity real)
        LANGUAGE plpgsql STABLE SET search_path = pg_catalog, %I SET plan_cache_mode = force_custom_plan
        SET enable_seqscan = off SET enable_bitmapscan = off SET enable_sort = off
        SET hnsw.iterative_scan = relaxed_order SET hnsw.ef_search = 100
        AS $body$
        DECLARE
            wanted_vector CONSTANT halfvec := wanted::halfvec(384);
        BEGIN
            RETURN QUERY
            SELECT near.segment_ids, near.video_id, near.similarity
            FROM (
                SELECT p.segment_ids, p.video_id, (-(p.embedding <#> wanted_vector))::real AS similarity
                FROM public.passage_vectors AS p
                WHERE (owner IS NULL OR p.owner_id = owner OR p.team_id = ANY (teams))
                  AND p.model = of_model AND vector_dims(p.embedding) = 384
                ORDER BY p.embedding::halfvec(384) <#> wanted_vector
                LIMIT most
            ) AS near
            WHERE near.similarity >= min_similarity;
        END
        $body$ $function$, space);
    COMMENT ON FUNCTION sightline.nearest_by_index IS 'What search_meaning returns, found by the HNSW index: nearly all of it, fast in a large table.';

    EXECUTE format($function$
        CREATE OR REPLACE FUNCTION sightline.search_meaning(
            owner uuid, teams uuid[], wanted real[], of_model text, min_similarity real, most integer, filters jsonb
        ) RETURNS TABLE (segment_ids uuid[], video_id uuid, similarity real)
        LANGUAGE plpgsql STABLE SET search_path = pg_catalog, %I SET plan_cache_mode = force_custom_plan
        AS $body$
        DECLARE
            wanted_vector CONSTANT halfvec := wanted::halfvec;
            only_video CONSTANT uuid := filters ->> 'video_id';
            only_team CONSTANT uuid := filters ->> 'team_id';
            only_language CONSTANT text := filters ->> 'language';
            only_tags CONSTANT text[] := CASE WHEN filters ? 'tags' THEN ARRAY(SELECT jsonb_array_elements_text(filters -> 'tags')) END;
            from_ms CONSTANT integer := filters ->> 'from_ms';
            until_ms CONSTANT integer := filters ->> 'until_ms';
            created_from CONSTANT timestamptz := filters ->> 'created_from';
            created_until CONSTANT timestamptz := filters ->> 'created_until';
        BEGIN
            IF filters = '{}' AND cardinality(wanted) = 384 AND sightline.owns_most_passages(owner) THEN
                RETURN QUERY
                SELECT n.segment_ids, n.video_id, n.similarity
                FROM sightline.nearest_by_index(owner, teams, wanted, of_model, min_similarity, most) AS n
                ORDER BY n.similarity DESC;
                RETURN;
            END IF;
            RETURN QUERY
            SELECT near.segment_ids, near.video_id, near.similarity
            FROM (
                SELECT p.segment_ids, p.video_id, (-(p.embedding <#> wanted_vector))::real AS similarity
                FROM public.passage_vectors AS p
                WHERE (owner IS NULL OR p.owner_id = owner OR p.team_id = ANY (teams))
                  AND p.model = of_model
                  AND (only_video IS NULL OR p.video_id = only_video)
                  AND (only_team IS NULL OR p.team_id = only_team)
                  AND (only_language IS NULL OR p.language = only_language)
                  AND (from_ms IS NULL OR p.t_end > from_ms)
                  AND (until_ms IS NULL OR p.t_start < until_ms)
                  AND (created_from IS NULL AND created_until IS NULL OR p.video_id IN (
                      SELECT v.id FROM public.videos AS v
                      WHERE (created_from IS NULL OR v.created_at >= created_from)
                        AND (created_until IS NULL OR v.created_at < created_until)))
                  AND (only_tags IS NULL OR EXISTS (
                      SELECT FROM public.search_rows AS r
                      WHERE r.video_id = p.video_id AND r.segment_id = ANY (p.segment_ids) AND r.tags && only_tags))
                ORDER BY p.embedding <#> wanted_vector, p.id
                LIMIT most
            ) AS near
            WHERE near.similarity >= min_similarity
            ORDER BY near.similarity DESC;
        END
        $body$ $function$, space);
    COMMENT ON FUNCTION sightline.search_meaning IS
        'The passages of an owner or teams that are nearest to a vector. Without an owner, of everybody: for the platform alone.';

    CREATE OR REPLACE FUNCTION sightline.search_meaning_as_caller(
        wanted real[], of_model text, min_similarity real, most integer, filters jsonb
    ) RETURNS TABLE (segment_ids uuid[], video_id uuid, similarity real)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog
    AS $body$
    BEGIN
        IF auth.uid() IS NOT NULL THEN -- the rule of caller_may_see, as search_as_caller has it
            RETURN QUERY SELECT s.segment_ids, s.video_id, s.similarity
                FROM sightline.search_meaning(auth.uid(), sightline.caller_teams(), wanted, of_model, min_similarity, most, filters) AS s;
        END IF;
    END
    $body$;
    COMMENT ON FUNCTION sightline.search_meaning_as_caller IS 'sightline.search_meaning among what the person of this transaction may see.';

    CREATE OR REPLACE FUNCTION sightline.vector_of_segment_as_caller(segment uuid, of_video uuid, of_model text) RETURNS real[]
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog
    AS $body$
    BEGIN
        IF EXISTS (SELECT FROM public.videos AS v
                   WHERE v.id = of_video AND (v.owner_id = auth.uid() OR v.team_id = ANY (sightline.caller_teams()))) THEN
            RETURN sightline.vector_of_segment(segment, of_video, of_model);
        END IF;
        RETURN NULL;
    END
    $body$;
    COMMENT ON FUNCTION sightline.vector_of_segment_as_caller IS 'sightline.vector_of_segment of a video that the person of this transaction may see.';

    REVOKE EXECUTE ON FUNCTION sightline.store_passages, sightline.vector_of_segment, sightline.owns_most_passages,
        sightline.nearest_by_index, sightline.search_meaning,
        sightline.search_meaning_as_caller, sightline.vector_of_segment_as_caller FROM PUBLIC;
    GRANT EXECUTE ON FUNCTION sightline.store_passages, sightline.vector_of_segment, sightline.owns_most_passages,
        sightline.nearest_by_index, sightline.search_meaning TO sightline_worker;
    GRANT EXECUTE ON FUNCTION sightline.search_meaning_as_caller, sightline.vector_of_segment_as_caller TO sightline_user, sightline_worker;
    RETURN 'ready';
END
$settle$;
COMMENT ON FUNCTION sightline.settle_vectors() IS
    'Makes the table of vectors once the server has pgvector; called by every `migrate`. Says ready, missing, not_allowed or too_old. '
    'What it makes is no part of the recorded schema: a database without it is whole.';
REVOKE EXECUTE ON FUNCTION sightline.settle_vectors() FROM PUBLIC;

CREATE FUNCTION sightline.vectors_serve_others() RETURNS boolean
LANGUAGE sql STABLE
RETURN EXISTS (
    SELECT FROM pg_extension AS e
    JOIN pg_depend AS member ON member.refclassid = 'pg_extension'::regclass AND member.refobjid = e.oid AND member.deptype = 'e'
    JOIN pg_attribute AS a ON a.atttypid = member.objid AND member.classid = 'pg_type'::regclass AND a.attnum > 0 AND NOT a.attisdropped
    JOIN pg_class AS c ON c.oid = a.attrelid AND c.relkind IN ('r', 'p', 'm', 'v', 'f')
    WHERE e.extname = 'vector' AND c.oid IS DISTINCT FROM to_regclass('public.passage_vectors'));
COMMENT ON FUNCTION sightline.vectors_serve_others() IS
    'Whether tables of somebody else have columns of pgvector; a backup without them can be restored on a server without the extension.';
REVOKE EXECUTE ON FUNCTION sightline.vectors_serve_others() FROM PUBLIC;
