-- name: list
-- The saved searches that the transaction's role may see, by name, each with its newest alerts.
SELECT s.*, coalesce((
    SELECT jsonb_agg(jsonb_build_object('video_id', a.video_id, 'video_name', v.name, 'hits', a.hits, 'at', a.alerted_at) ORDER BY a.alerted_at DESC)
    FROM (SELECT * FROM saved_search_alerts AS a WHERE a.search_id = s.search_id ORDER BY a.alerted_at DESC LIMIT 5) AS a
    JOIN videos AS v ON v.id = a.video_id), '[]') AS alerts
FROM saved_searches AS s ORDER BY lower(s.name), s.search_id;

-- name: get
-- One saved search, if the transaction's role may see it.
SELECT s.*, '[]'::jsonb AS alerts FROM saved_searches AS s WHERE s.search_id = :search_id;

-- name: lock_owner
-- Saved searches of one owner are counted and added one after the other.
SELECT pg_advisory_xact_lock(hashtextextended('sightline.saved_searches/' || :owner_id::uuid::text, 0));

-- name: count
-- How many a person has.
SELECT count(*) FROM saved_searches WHERE owner_id = :owner_id;

-- name: insert
-- A new one; no row if its owner has one of that name.
INSERT INTO saved_searches (owner_id, owner_email, name, q, alerts_since)
VALUES (:owner_id, :owner_email, :name, :q, CASE WHEN :has_alerts::boolean THEN now() END)
ON CONFLICT (owner_id, name) DO NOTHING
RETURNING *, '[]'::jsonb AS alerts;

-- name: update
-- Changes what is given. Alerts count from when they were switched on, and anew for another query.
UPDATE saved_searches SET name = coalesce(:name, name), q = coalesce(:q, q), owner_email = :owner_email, updated_at = now(),
    alerts_since = CASE WHEN NOT coalesce(:has_alerts::boolean, alerts_since IS NOT NULL) THEN NULL
                        WHEN alerts_since IS NULL OR q IS DISTINCT FROM coalesce(:q, q) THEN now() ELSE alerts_since END
WHERE search_id = :search_id AND owner_id = :owner_id
RETURNING *, '[]'::jsonb AS alerts;

-- name: delete
-- Removes one with what it was notified of.
DELETE FROM saved_searches WHERE search_id = :search_id AND owner_id = :owner_id;

-- name: to_run_on
-- Searches with alerts of those who may see a completed video (its owner, and members of its team as last seen), which was completed
-- since the alerts were switched on, and of which they were not notified yet. With the teams of each owner.
SELECT s.*, '[]'::jsonb AS alerts, coalesce(m.team_ids, '{}') || ARRAY(SELECT t.team_id FROM team_members AS t WHERE t.user_id = s.owner_id) AS team_ids
FROM videos AS v
JOIN saved_searches AS s ON s.alerts_since IS NOT NULL
    AND (s.owner_id = v.owner_id OR v.team_id IS NOT NULL AND sightline.is_member(s.owner_id, v.team_id))
LEFT JOIN caller_memberships AS m ON m.user_id = s.owner_id AND m.expires_at > now()
WHERE v.id = :video_id AND v.status = 'COMPLETED'
  AND (SELECT min(c.at) FROM video_moves AS c WHERE c.video_id = v.id AND c.status = 'COMPLETED') >= s.alerts_since
  AND NOT EXISTS (SELECT FROM saved_search_alerts AS a WHERE a.search_id = s.search_id AND a.video_id = v.id)
ORDER BY s.search_id;

-- name: note_alert
-- Notes that a search found a video; nothing if that is noted already, or one of them is gone.
INSERT INTO saved_search_alerts (search_id, video_id, owner_id, hits)
SELECT s.search_id, v.id, s.owner_id, :hits FROM saved_searches AS s, videos AS v
WHERE s.search_id = :search_id AND v.id = :video_id
ON CONFLICT DO NOTHING;
