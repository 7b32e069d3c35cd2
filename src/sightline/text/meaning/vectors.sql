-- name: vectors_are_there
-- Whether the server has pgvector, and so the table of vectors.
SELECT to_regclass('public.passage_vectors') IS NOT NULL;

-- name: forget_embedded
-- The text of a video has changed: its vectors are to be made again.
DELETE FROM embedded_videos WHERE video_id = :video_id;

-- name: stored_passages
-- The passages of a video that have a vector of a model.
SELECT id FROM passage_vectors WHERE video_id = :video_id AND model = :model;

-- name: store_passages
-- Passages of a video with their vectors; none if the video was removed. The lock keeps the video until they are stored.
WITH video AS (SELECT id FROM videos WHERE id = :video_id FOR KEY SHARE)
SELECT sightline.store_passages(video.id, :model, :ids::uuid[], :segments::jsonb, :starts::integer[], :ends::integer[],
                                :languages::text[], :vectors::real[], :dimensions::integer)
FROM video;

-- name: delete_other_passages
-- Vectors of a video that are no longer true: of other texts, or of another model.
DELETE FROM passage_vectors WHERE video_id = :video_id AND NOT (id = ANY (:ids::uuid[]));

-- name: mark_embedded
-- All of the video has vectors of this model.
INSERT INTO embedded_videos (video_id, model, passages)
SELECT id, :model, :passages FROM videos WHERE id = :video_id
ON CONFLICT (video_id) DO UPDATE SET model = excluded.model, passages = excluded.passages, embedded_at = now();

-- name: videos_to_embed
-- Videos without vectors of this model, one of each owner before the second of any, newest first. Those with a job that waits or runs
-- are left out, and for a day those whose job has failed.
SELECT v.id
FROM (
    SELECT w.id, w.created_at, row_number() OVER (PARTITION BY w.owner_id ORDER BY w.created_at DESC, w.id) AS turn
    FROM videos AS w
    WHERE w.status = 'COMPLETED'
      AND NOT EXISTS (SELECT FROM embedded_videos AS e WHERE e.video_id = w.id AND e.model = :model)
      AND NOT EXISTS (
          SELECT FROM jobs AS j
          WHERE j.video_id = w.id AND j.job_type = 'embed'
            AND (j.status IN ('queued', 'processing') OR j.status = 'failed' AND j.updated_at > now() - interval '1 day'))
) AS v
ORDER BY v.turn, v.created_at DESC, v.id
LIMIT :limit;

-- name: waiting_jobs
-- How many jobs wait to embed a video.
SELECT count(*) FROM jobs WHERE job_type = 'embed' AND status = 'queued';

-- name: search_as_caller
-- The passages nearest in meaning that the caller may see.
SELECT segment_ids, video_id, similarity
FROM sightline.search_meaning_as_caller(:vector::real[], :model, :min_similarity::real, :limit::integer, :filters::jsonb);

-- name: search_everywhere
-- The same among all videos, for the platform itself.
SELECT segment_ids, video_id, similarity
FROM sightline.search_meaning(NULL, NULL, :vector::real[], :model, :min_similarity::real, :limit::integer, :filters::jsonb);

-- name: vector_as_caller
-- The vector of the passage of a segment, in a video that the caller may see.
SELECT sightline.vector_of_segment_as_caller(:segment_id, :video_id, :model);

-- name: vector_everywhere
-- The same for the platform itself.
SELECT sightline.vector_of_segment(:segment_id, :video_id, :model);
