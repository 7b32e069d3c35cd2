-- name: find_as_caller
-- What the caller may see with these words in its name: ranked videos, techniques, and cameras; one row each.
SELECT 'video' AS kind, f.id AS video_id, row_number() OVER () AS place, NULL AS name, NULL::text AS camera_id, NULL::integer AS first_s, NULL::bigint AS times
FROM sightline.find_videos_as_caller(:words::text[], :tags::text[], false, :limit::integer) AS f
WHERE 'video' = ANY (:kinds::text[])
UNION ALL
SELECT 'technique', t.video_id, row_number() OVER (), t.skill_name, NULL, t.first_s, t.times
FROM sightline.find_techniques_as_caller(:words::text[], :limit::integer) AS t
WHERE 'technique' = ANY (:kinds::text[])
UNION ALL
SELECT 'camera', NULL, row_number() OVER (ORDER BY c.name, c.camera_id), c.name, c.camera_id, NULL, NULL
FROM cameras AS c, LATERAL (SELECT sightline.name_words(c.name) || sightline.name_words(c.camera_id)) AS own (words)
WHERE 'camera' = ANY (:kinds::text[]) AND cardinality(:words::text[]) > 0
  AND NOT EXISTS (SELECT FROM unnest(:words::text[]) AS given, unnest(sightline.name_words(given)) AS w
                  WHERE NOT EXISTS (SELECT FROM unnest(own.words) AS o WHERE starts_with(o, w)))
  AND EXISTS (SELECT FROM unnest(:words::text[]) AS given, unnest(sightline.name_words(given)) AS w);

-- name: find_everywhere
-- The same in all videos, for the platform itself.
SELECT 'video' AS kind, f.id AS video_id, row_number() OVER () AS place, NULL AS name, NULL::text AS camera_id, NULL::integer AS first_s, NULL::bigint AS times
FROM sightline.find_videos(NULL, NULL, :words::text[], :tags::text[], false, :limit::integer) AS f
WHERE 'video' = ANY (:kinds::text[])
UNION ALL
SELECT 'technique', t.video_id, row_number() OVER (), t.skill_name, NULL, t.first_s, t.times
FROM sightline.find_techniques(NULL, NULL, :words::text[], :limit::integer) AS t
WHERE 'technique' = ANY (:kinds::text[])
UNION ALL
SELECT 'camera', NULL, row_number() OVER (ORDER BY c.name, c.camera_id), c.name, c.camera_id, NULL, NULL
FROM cameras AS c, LATERAL (SELECT sightline.name_words(c.name) || sightline.name_words(c.camera_id)) AS own (words)
WHERE 'camera' = ANY (:kinds::text[]) AND cardinality(:words::text[]) > 0
  AND NOT EXISTS (SELECT FROM unnest(:words::text[]) AS given, unnest(sightline.name_words(given)) AS w
                  WHERE NOT EXISTS (SELECT FROM unnest(own.words) AS o WHERE starts_with(o, w)))
  AND EXISTS (SELECT FROM unnest(:words::text[]) AS given, unnest(sightline.name_words(given)) AS w);
