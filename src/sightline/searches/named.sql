-- name: techniques_as_caller
-- Techniques of the caller's videos by words of their names.
SELECT t.video_id, v.name AS video_name, v.created_at, t.skill_name, t.first_s, t.times
FROM sightline.find_techniques_as_caller(:words::text[], :limit::integer) AS t JOIN videos AS v ON v.id = t.video_id;

-- name: techniques_everywhere
-- The same in all videos, for the platform itself.
SELECT t.video_id, v.name AS video_name, v.created_at, t.skill_name, t.first_s, t.times
FROM sightline.find_techniques(NULL, NULL, :words::text[], :limit::integer) AS t JOIN videos AS v ON v.id = t.video_id;

-- name: cameras
-- Cameras that the transaction's role may see, with words that begin like all of these in their name or id.
WITH wanted AS (SELECT w FROM unnest(:words::text[]) AS given, unnest(sightline.name_words(given)) AS w)
SELECT c.camera_id, c.name, c.created_at FROM cameras AS c,
       LATERAL (SELECT sightline.name_words(c.name) || sightline.name_words(c.camera_id)) AS own (words)
WHERE EXISTS (SELECT FROM wanted)
  AND NOT EXISTS (SELECT FROM wanted WHERE NOT EXISTS (SELECT FROM unnest(own.words) AS o WHERE starts_with(o, wanted.w)))
ORDER BY c.name, c.camera_id LIMIT :limit;
