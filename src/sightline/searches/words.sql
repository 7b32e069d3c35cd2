-- name: lock
-- One process at a time counts words and runs saved searches.
SELECT pg_try_advisory_xact_lock(hashtextextended('sightline.search_changes', 0));

-- name: next_change
-- A video whose search rows were changed, the oldest change first.
SELECT video_id FROM search_changes WHERE changed_at <= now() ORDER BY changed_at LIMIT 1 FOR UPDATE SKIP LOCKED;

-- name: forget_change
-- The change was dealt with.
DELETE FROM search_changes WHERE video_id = :video_id;

-- name: postpone_change
-- The change could not be dealt with; the others come first.
UPDATE search_changes SET changed_at = now() + make_interval(secs => :seconds) WHERE video_id = :video_id;

-- name: texts_of_video
-- The searchable texts of a video, folded.
SELECT folded FROM search_rows WHERE video_id = :video_id;

-- name: counted_words
-- The words of a video as they were counted.
SELECT owner_id, team_id, words FROM video_words WHERE video_id = :video_id;

-- name: add_words
-- Counts words of one more video.
INSERT INTO search_vocabulary AS v (scope, word, videos)
SELECT scope, word, 1 FROM unnest(:scopes::uuid[]) AS scope, unnest(:words::text[]) AS word
ON CONFLICT (scope, word) DO UPDATE SET videos = v.videos + 1;

-- name: remove_words
-- Takes words of a video back; words of no video are removed.
WITH fewer AS (
    UPDATE search_vocabulary SET videos = videos - 1 WHERE scope = ANY (:scopes::uuid[]) AND word = ANY (:words::text[]) AND videos > 1
    RETURNING scope, word
)
DELETE FROM search_vocabulary AS v WHERE v.scope = ANY (:scopes::uuid[]) AND v.word = ANY (:words::text[]) AND v.videos <= 1
  AND NOT EXISTS (SELECT FROM fewer AS f WHERE (f.scope, f.word) = (v.scope, v.word));

-- name: store_words
-- What was counted of a video.
INSERT INTO video_words (video_id, owner_id, team_id, words) VALUES (:video_id, :owner_id, :team_id, :words::text[])
ON CONFLICT (video_id) DO UPDATE SET owner_id = excluded.owner_id, team_id = excluded.team_id, words = excluded.words;

-- name: forget_words
-- Nothing is counted of a video any more.
DELETE FROM video_words WHERE video_id = :video_id;

-- name: suggest
-- Words and tags of the caller's videos with this beginning, the most frequent first, and names of videos with such a word.
SELECT 'word' AS kind, w.word AS text, w.videos, row_number() OVER () AS place
FROM sightline.suggest_words_as_caller(:beginning::text, :limit::integer) AS w WHERE 'word' = ANY (:kinds::text[])
UNION ALL
SELECT 'tag', t.tag, t.videos, row_number() OVER ()
FROM sightline.suggest_tags_as_caller(:value::text, :limit::integer) AS t WHERE 'tag' = ANY (:kinds::text[])
UNION ALL
SELECT 'video', v.name, NULL, row_number() OVER (ORDER BY f.rank, v.created_at DESC)
FROM sightline.find_videos_as_caller(ARRAY[:value::text], '{}', true, :limit::integer) AS f JOIN videos AS v ON v.id = f.id
WHERE 'video' = ANY (:kinds::text[])
ORDER BY kind, place;
