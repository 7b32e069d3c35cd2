-- name: in_order
-- A page of hits in another order than best first, among what the transaction's role may see.
SELECT s.id FROM unnest(:ids::uuid[]) WITH ORDINALITY AS hit (id, place)
JOIN segments AS s ON s.id = hit.id
JOIN videos AS v ON v.id = s.video_id
ORDER BY CASE WHEN :sort::text = 'oldest' THEN v.created_at END, CASE WHEN :sort IN ('newest', 'time') THEN v.created_at END DESC,
         CASE WHEN :sort <> 'best' THEN v.id END, CASE WHEN :sort = 'time' THEN s.t_start END, hit.place
OFFSET :offset LIMIT :limit;

-- name: by_video
-- A page of videos with hits: how many each has, and the first of them.
WITH found AS MATERIALIZED (
    SELECT s.video_id, s.id, s.t_start, hit.place, row_number() OVER (PARTITION BY s.video_id ORDER BY hit.place) AS number
    FROM unnest(:ids::uuid[]) WITH ORDINALITY AS hit (id, place) JOIN segments AS s ON s.id = hit.id
), grouped AS (
    SELECT f.video_id, count(*) AS hits, min(f.place) AS best, array_agg(f.id ORDER BY f.t_start, f.place) FILTER (WHERE f.number <= :each::integer) AS ids
    FROM found AS f GROUP BY f.video_id
)
SELECT g.video_id, v.name AS video_name, v.created_at, v.tags, g.hits, g.ids, count(*) OVER () AS videos
FROM grouped AS g JOIN videos AS v ON v.id = g.video_id
ORDER BY CASE WHEN :sort::text = 'oldest' THEN v.created_at END, CASE WHEN :sort IN ('newest', 'time') THEN v.created_at END DESC,
         CASE WHEN :sort = 'best' THEN g.best END, v.id
OFFSET :offset LIMIT :limit;

-- name: facets
-- How many of these hits are of each kind, language, video, tag and month, the most frequent first.
WITH found AS MATERIALIZED (
    SELECT s.kind, s.language, s.video_id FROM unnest(:ids::uuid[]) AS hit (id) JOIN segments AS s ON s.id = hit.id
), known AS MATERIALIZED (
    SELECT f.video_id, count(*) AS hits, v.name, v.tags, to_char(v.created_at AT TIME ZONE 'UTC', 'YYYY-MM') AS month
    FROM found AS f JOIN videos AS v ON v.id = f.video_id GROUP BY f.video_id, v.id
), counted AS (
    SELECT 'kind' AS facet, kind AS value, kind AS label, count(*) AS hits FROM found GROUP BY kind
    UNION ALL SELECT 'language', language, language, count(*) FROM found GROUP BY language
    UNION ALL SELECT 'video', video_id::text, name, hits FROM known
    UNION ALL SELECT 'tag', min(tag), min(tag), sum(hits)::bigint FROM known, unnest(tags) AS tag GROUP BY sightline.fold_name(tag)
    UNION ALL SELECT 'month', month, month, sum(hits)::bigint FROM known GROUP BY month
), numbered AS (
    SELECT *, row_number() OVER (PARTITION BY facet ORDER BY hits DESC, label, value) AS number FROM counted
)
SELECT facet, value, label, hits FROM numbered WHERE number <= :limit::integer ORDER BY facet, number;
