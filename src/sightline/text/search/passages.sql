-- name: delete_passages
-- All passages of a video.
DELETE FROM search_passages WHERE video_id = :video_id;

-- name: insert_passages
-- Passages of a video, owned as the video is. The lock lets no change of the owner in until they are stored.
WITH video AS (SELECT id, owner_id, team_id FROM videos WHERE id = :video_id FOR KEY SHARE)
INSERT INTO search_passages (video_id, owner_id, team_id, scope, scene, weight, t_start, t_end, folded, unit_starts, tags, segment_ids)
SELECT v.id, v.owner_id, v.team_id, p.scope, p.scene, p.weight, p.t_start, p.t_end, p.folded,
       string_to_array(p.unit_starts, ',')::integer[], nullif(string_to_array(p.tags, E'\n'), '{}'),
       string_to_array(p.segment_ids, ',')::uuid[]
FROM video AS v,
     unnest(:scopes::text[], :scenes::integer[], :weights::real[], :starts::integer[], :ends::integer[], :folded::text[],
            :unit_starts::text[], :tags::text[], :segment_ids::text[])
         AS p (scope, scene, weight, t_start, t_end, folded, unit_starts, tags, segment_ids);

-- name: search_passages_as_caller
-- The number of passages that match a query and that the caller may see, and the segments of one page of the best.
SELECT total, passages FROM sightline.search_passages_as_caller(
    :scope::text, :keys::text::tsquery, :phrases::text[], :parts::text[], :alone_phrases::text[], :alone_parts::text[], :near::text,
    :from_ms::integer, :until_ms::integer, :created_from::timestamptz, :created_until::timestamptz,
    :offset::integer, :limit::integer);

-- name: search_passages_everywhere
-- The same among all passages, for the platform itself.
SELECT total, passages FROM sightline.search_passages(
    NULL, NULL, :scope::text, :keys::text::tsquery, :phrases::text[], :parts::text[], :alone_phrases::text[], :alone_parts::text[], :near::text,
    :from_ms::integer, :until_ms::integer, :created_from::timestamptz, :created_until::timestamptz,
    :offset::integer, :limit::integer);
