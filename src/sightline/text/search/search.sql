-- name: delete_search_rows
-- All search rows of a video.
DELETE FROM search_rows WHERE video_id = :video_id;

-- name: delete_common_words
-- All common words of a video.
DELETE FROM search_common_words WHERE video_id = :video_id;

-- name: insert_common_words
-- Common words of a video, owned as the video is. The lock lets no change of the owner in until they are stored.
WITH video AS (SELECT id, owner_id, team_id FROM videos WHERE id = :video_id FOR KEY SHARE)
INSERT INTO search_common_words (word, video_id, owner_id, team_id, hits)
SELECT c.word, v.id, v.owner_id, v.team_id, c.hits
FROM video AS v, unnest(:words::text[], :hits::integer[]) AS c (word, hits);

-- name: insert_search_rows
-- Search rows of a video, owned as the video is; locked as above.
WITH video AS (SELECT id, owner_id, team_id FROM videos WHERE id = :video_id FOR KEY SHARE)
INSERT INTO search_rows (segment_id, video_id, owner_id, team_id, weight, t_start, t_end, language, folded, common, tags)
SELECT r.segment_id, v.id, v.owner_id, v.team_id, r.weight, r.t_start, r.t_end, r.language, r.folded, r.common,
       nullif(string_to_array(r.tags, E'\n'), '{}')
FROM video AS v,
     unnest(:segment_ids::uuid[], :weights::real[], :starts::integer[], :ends::integer[], :languages::text[], :folded::text[],
            :common::text[], :tags::text[])
         AS r (segment_id, weight, t_start, t_end, language, folded, common, tags);

-- name: refresh
-- The refresh of document 001; here it flushes new rows into the search index.
SELECT refresh_search_materialized();

-- name: search_as_caller
-- The number of segments that match a query and that the caller may see, and one page of the best.
SELECT total, ids FROM sightline.search_as_caller(
    :lone_word::text, :keys::text::tsquery, :phrases::text[], :parts::text[], :excluded_phrases::text[], :excluded_parts::text[], :near::text,
    :from_ms::integer, :until_ms::integer, :created_from::timestamptz, :created_until::timestamptz,
    :offset::integer, :limit::integer);

-- name: search_everywhere
-- The same among all segments, for the platform itself.
SELECT total, ids FROM sightline.search(
    NULL, NULL, :lone_word::text, :keys::text::tsquery, :phrases::text[], :parts::text[], :excluded_phrases::text[], :excluded_parts::text[], :near::text,
    :from_ms::integer, :until_ms::integer, :created_from::timestamptz, :created_until::timestamptz,
    :offset::integer, :limit::integer);

-- name: read_hits
-- Segments by id with their videos, in the order of the ids, without those that the transaction's role may not see.
SELECT s.id, s.video_id, v.name AS video_name, v.duration_ms, v.s3_thumb_path, s.text, s.t_start, s.t_end, s.confidence,
       s.bounding_box, s.language, coalesce(s.frame_ms, s.t_start) AS frame_ms, s.kind
FROM unnest(:ids::uuid[]) WITH ORDINALITY AS hit (id, place)
JOIN segments AS s ON s.id = hit.id
JOIN videos AS v ON v.id = s.video_id
WHERE v.status = 'COMPLETED'
ORDER BY hit.place;
