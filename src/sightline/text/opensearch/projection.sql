-- name: unsent
-- Videos whose searchable text changed since it was sent, longest ago first. Nothing is locked: indexing never waits for a server.
SELECT video_id, generation FROM search_projection
WHERE generation > sent_generation
ORDER BY changed_at, video_id
LIMIT :limit;

-- name: documents
-- The searchable segments of videos, one page of them, in the order of their ids.
SELECT s.id, s.video_id, s.owner_id, s.team_id, s.kind, s.language, s.text, s.t_start, s.t_end, s.confidence,
       v.created_at AS video_created_at
FROM segments AS s JOIN videos AS v ON v.id = s.video_id
WHERE s.video_id = :video_id AND s.is_merged AND v.status = 'COMPLETED'
  AND (:after::uuid IS NULL OR s.id > :after::uuid)
ORDER BY s.id
LIMIT :limit;

-- name: mark_sent
-- Notes what was sent, or why it was refused. A change in the meantime stays unsent; and if another process has sent a newer
-- generation in the meantime, the video is sent again, because older documents may have come after it.
UPDATE search_projection AS p
SET sent_generation = greatest(p.sent_generation, s.generation),
    generation = p.generation + CASE WHEN p.sent_generation > s.generation THEN 1 ELSE 0 END,
    error = s.error
FROM unnest(:video_ids::uuid[], :generations::bigint[], :errors::text[]) AS s (video_id, generation, error)
WHERE p.video_id = s.video_id;

-- name: forget_removed
-- Rows of videos that are gone, here and there.
DELETE FROM search_projection AS p
WHERE p.video_id = ANY (:video_ids::uuid[]) AND p.sent_generation = p.generation AND p.error IS NULL
  AND NOT EXISTS (SELECT 1 FROM videos AS v WHERE v.id = p.video_id);

-- name: lag
-- How many videos have not been sent yet, and how many were refused.
SELECT count(*) FILTER (WHERE generation > sent_generation) AS unsent, count(*) FILTER (WHERE error IS NOT NULL) AS refused
FROM search_projection;
