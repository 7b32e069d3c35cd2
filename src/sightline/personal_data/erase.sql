-- name: traces_in_events
-- Other people's events that the person acknowledged, resolved or was given: the name goes, the event stays.
WITH found AS (
    SELECT id FROM events
    WHERE owner_id <> :person AND (assigned_to = :person OR acknowledged_by = ANY (:names) OR resolved_by = ANY (:names))
    LIMIT :limit
)
UPDATE events AS e
SET assigned_to = CASE WHEN e.assigned_to = :person THEN NULL ELSE e.assigned_to END,
    assignee = CASE WHEN e.assigned_to = :person THEN NULL ELSE e.assignee END,
    acknowledged_by = CASE WHEN e.acknowledged_by = ANY (:names) THEN :label ELSE e.acknowledged_by END,
    resolved_by = CASE WHEN e.resolved_by = ANY (:names) THEN :label ELSE e.resolved_by END
FROM found WHERE e.id = found.id;

-- name: traces_in_archived_events
-- The same in archived events.
WITH found AS (
    SELECT id FROM events_archive
    WHERE owner_id <> :person AND (assigned_to = :person OR acknowledged_by = ANY (:names) OR resolved_by = ANY (:names))
    LIMIT :limit
)
UPDATE events_archive AS e
SET assigned_to = CASE WHEN e.assigned_to = :person THEN NULL ELSE e.assigned_to END,
    assignee = CASE WHEN e.assigned_to = :person THEN NULL ELSE e.assignee END,
    acknowledged_by = CASE WHEN e.acknowledged_by = ANY (:names) THEN :label ELSE e.acknowledged_by END,
    resolved_by = CASE WHEN e.resolved_by = ANY (:names) THEN :label ELSE e.resolved_by END
FROM found WHERE e.id = found.id;

-- name: traces_in_history
-- What the person did with events: it stays in their history, without who it was.
UPDATE event_history SET actor_id = NULL, actor = :label
WHERE entry_id IN (SELECT entry_id FROM event_history WHERE actor_id = :person OR actor = ANY (:names) LIMIT :limit);

-- name: traces_in_history_details
-- Where the history of an event names the person, as the one it was given to.
WITH found AS (
    SELECT DISTINCT ON (h.entry_id) h.entry_id,
        CAST(replace(h.details::text, to_jsonb(n.name)::text, to_jsonb(:label::text)::text) AS jsonb) AS details
    FROM event_history AS h JOIN unnest(:names::text[]) AS n (name) ON strpos(h.details::text, to_jsonb(n.name)::text) > 0
    LIMIT :limit
)
UPDATE event_history AS h SET details = found.details FROM found WHERE h.entry_id = found.entry_id;

-- name: traces_in_alerts
-- Who settled other people's alerts.
UPDATE alerts SET settled_by = :label
WHERE alert_id IN (SELECT alert_id FROM alerts WHERE owner_id <> :person AND settled_by = ANY (:names) LIMIT :limit);

-- name: traces_in_alert_rules
-- Steps of other people's rules that would notify the person.
UPDATE alert_rules
SET escalation = (SELECT coalesce(jsonb_agg(step ORDER BY number), '[]')
                  FROM jsonb_array_elements(escalation) WITH ORDINALITY AS s (step, number)
                  WHERE step ->> 'user_id' IS DISTINCT FROM :person::uuid::text)
WHERE rule_id IN (SELECT rule_id FROM alert_rules
                  WHERE owner_id <> :person AND strpos(escalation::text, :person::uuid::text) > 0 LIMIT :limit);

-- name: traces_in_jobs
-- Who retried or cancelled jobs.
WITH found AS (
    SELECT id FROM jobs
    WHERE EXISTS (SELECT FROM unnest(moves) AS m WHERE m.by = ANY (:names) OR split_part(m.by, ' ', 2) = ANY (:names))
    LIMIT :limit
)
UPDATE jobs AS j
SET moves = ARRAY(
    SELECT ROW(m.status, m.at,
               CASE WHEN m.by = ANY (:names) OR split_part(m.by, ' ', 2) = ANY (:names) THEN :label ELSE m.by END,
               m.note)::sightline.job_move
    FROM unnest(j.moves) WITH ORDINALITY AS m (status, at, by, note, number) ORDER BY m.number)
FROM found WHERE j.id = found.id;

-- name: traces_in_settings
-- Who changed settings, which stay in force.
UPDATE stored_settings SET changed_by = :label
WHERE (section, field) IN (SELECT section, field FROM stored_settings WHERE changed_by = ANY (:names) LIMIT :limit);

-- name: traces_in_clips
-- Who made clips of other people's videos, which belong to the video.
UPDATE clips SET created_by = NULL WHERE id IN (SELECT id FROM clips WHERE created_by = :person LIMIT :limit);

-- name: traces_in_event_clips
-- Who asked for clips of events.
UPDATE event_clips SET requested_by = NULL
WHERE event_id IN (SELECT event_id FROM event_clips WHERE requested_by = :person LIMIT :limit);

-- name: traces_in_recording_detections
-- Who asked to look through recordings.
UPDATE recording_detections SET requested_by = NULL
WHERE job_id IN (SELECT job_id FROM recording_detections WHERE requested_by = :person LIMIT :limit);

-- name: traces_in_marks
-- Who marked or corrected techniques in other people's videos: that somebody did stays, so that no run replaces it.
UPDATE technique_marks
SET created_by = CASE WHEN created_by = :person THEN :pseudonym ELSE created_by END,
    changed_by = CASE WHEN changed_by = :person THEN :pseudonym ELSE changed_by END
WHERE id IN (SELECT id FROM technique_marks WHERE created_by = :person OR changed_by = :person LIMIT :limit);

-- name: traces_in_reviews
-- Who published techniques.
UPDATE technique_reviews SET published_by = :pseudonym
WHERE video_id IN (SELECT video_id FROM technique_reviews WHERE published_by = :person ORDER BY video_id LIMIT :limit FOR UPDATE);

-- name: traces_in_api_keys
-- Whose keys an operator revoked.
UPDATE api_keys SET revoked_by = NULL
WHERE key_id IN (SELECT key_id FROM api_keys WHERE owner_id <> :person AND revoked_by = :person LIMIT :limit);

-- name: traces_in_shares
-- Whose links an operator or another member revoked.
UPDATE shares SET revoked_by = NULL
WHERE id IN (SELECT id FROM shares WHERE owner_id <> :person AND created_by <> :person AND revoked_by = :person LIMIT :limit);

-- name: traces_in_team_videos
-- Videos of teams that the person uploaded: they stay with the team.
UPDATE videos SET uploaded_by = NULL, owner_email = NULL
WHERE id IN (SELECT id FROM videos WHERE uploaded_by = :person AND owner_id <> :person LIMIT :limit);

-- name: traces_in_operator_grants
-- Whom the person made an operator.
UPDATE operator_grants SET granted_by = NULL WHERE granted_by = :person AND user_id <> :person;

-- name: traces_in_team_roles
-- Teams of which the person is the only owner get the editor who was there first as owner, else the viewer.
WITH locked AS MATERIALIZED (
    SELECT t.id FROM teams AS t
    WHERE EXISTS (SELECT FROM team_members AS m WHERE m.team_id = t.id AND m.user_id = :person)
      AND NOT EXISTS (SELECT FROM team_members AS m WHERE m.team_id = t.id AND m.user_id <> :person AND m.role = 'owner')
    ORDER BY t.id FOR UPDATE
),
heirs AS (
    SELECT DISTINCT ON (m.team_id) m.team_id, m.user_id FROM team_members AS m JOIN locked ON locked.id = m.team_id
    WHERE m.user_id <> :person
    ORDER BY m.team_id, CASE m.role WHEN 'editor' THEN 1 ELSE 2 END, m.joined_at, m.user_id
)
UPDATE team_members AS m SET role = 'owner' FROM heirs AS h WHERE (m.team_id, m.user_id) = (h.team_id, h.user_id);

-- name: team_members
-- Memberships, but in teams that nobody else belongs to: those are removed with their videos, and go last.
DELETE FROM team_members AS m
WHERE m.user_id = :person
  AND EXISTS (SELECT FROM team_members AS o WHERE o.team_id = m.team_id AND o.user_id <> :person AND o.role = 'owner');

-- name: team_invitations
-- Invitations that the person made.
DELETE FROM team_invitations WHERE created_by = :person;

-- name: operator_grants
-- That the person was made an operator.
DELETE FROM operator_grants WHERE user_id = :person;

-- name: page_sessions
-- Signs the person out of every browser.
DELETE FROM page_sessions WHERE session_id IN (SELECT session_id FROM page_sessions WHERE user_id = :person LIMIT :limit);

-- name: api_keys
-- API keys.
DELETE FROM api_keys WHERE key_id IN (SELECT key_id FROM api_keys WHERE owner_id = :person LIMIT :limit);

-- name: shares
-- Share links, those of other people's videos too if the person made them.
DELETE FROM shares WHERE id IN (SELECT id FROM shares WHERE owner_id = :person OR created_by = :person LIMIT :limit);

-- name: push_devices
-- Browsers with notifications.
DELETE FROM push_devices WHERE device_id IN (SELECT device_id FROM push_devices WHERE owner_id = :person LIMIT :limit);

-- name: alerts
-- Alerts of the person.
DELETE FROM alerts WHERE alert_id IN (SELECT alert_id FROM alerts WHERE owner_id = :person LIMIT :limit);

-- name: alert_rules
-- Alert rules.
DELETE FROM alert_rules WHERE rule_id IN (SELECT rule_id FROM alert_rules WHERE owner_id = :person LIMIT :limit);

-- name: saved_searches
-- Saved searches with their alerts.
DELETE FROM saved_searches WHERE search_id IN (SELECT search_id FROM saved_searches WHERE owner_id = :person LIMIT :limit);

-- name: collections
-- Collections; the videos in them are removed by themselves.
DELETE FROM collections WHERE id IN (SELECT id FROM collections WHERE owner_id = :person LIMIT :limit);

-- name: camera_snoozes
-- Cameras that the person snoozed.
DELETE FROM camera_snoozes
WHERE (camera_key, person_id) IN (SELECT camera_key, person_id FROM camera_snoozes WHERE person_id = :person LIMIT :limit);

-- name: event_comments
-- What the person wrote about events, the person's own and others'.
DELETE FROM event_comments WHERE comment_id IN (SELECT comment_id FROM event_comments WHERE author_id = :person LIMIT :limit);

-- name: notification_addresses
-- Where notifications went.
DELETE FROM notification_addresses WHERE owner_id = :person;

-- name: notification_challenges
-- When addresses had to be proven.
DELETE FROM notification_challenges WHERE owner_id = :person;

-- name: notification_preferences
-- What the person was notified of.
DELETE FROM notification_preferences WHERE owner_id = :person;

-- name: mails
-- Emails to the person.
DELETE FROM mails WHERE id IN (SELECT id FROM mails WHERE owner_id = :person LIMIT :limit);

-- name: message_drafts
-- Messages on their way into the store.
DELETE FROM message_drafts
WHERE message_id IN (SELECT message_id FROM message_drafts WHERE strpos(record::text, :person::uuid::text) > 0 LIMIT :limit);

-- name: messages
-- Messages and notifications.
DELETE FROM messages WHERE message_id IN (SELECT message_id FROM messages WHERE owner_id = :person LIMIT :limit);

-- name: message_schedules
-- Schedules of messages.
DELETE FROM message_schedules
WHERE schedule_id IN (SELECT schedule_id FROM message_schedules WHERE owner_id = :person LIMIT :limit);

-- name: live_acks
-- What was acknowledged on the live feed.
DELETE FROM live_acks WHERE ctid IN (SELECT ctid FROM live_acks WHERE user_id = :person LIMIT :limit);

-- name: live_clients
-- Programs that followed the live feed.
DELETE FROM live_clients WHERE ctid IN (SELECT ctid FROM live_clients WHERE user_id = :person LIMIT :limit);

-- name: live_messages
-- Messages of the live feed, the oldest first, as its numbers need it.
DELETE FROM live_messages WHERE (stream, sequence) IN (
    SELECT stream, sequence FROM live_messages WHERE owner_id = :person ORDER BY sequence LIMIT :limit);

-- name: search_vocabulary
-- Words of the person's videos, which suggestions are made from.
DELETE FROM search_vocabulary WHERE ctid IN (SELECT ctid FROM search_vocabulary WHERE scope = :person LIMIT :limit);

-- name: video_words
-- Words of removed videos, which are taken back from the suggestions of their teams; as the counting does, one process at a time.
WITH alone AS MATERIALIZED (SELECT pg_advisory_xact_lock(hashtextextended('sightline.search_changes', 0))),
gone AS (
    DELETE FROM video_words WHERE video_id IN (
        SELECT w.video_id FROM alone, video_words AS w
        WHERE w.owner_id = :person AND NOT EXISTS (SELECT FROM videos AS v WHERE v.id = w.video_id) LIMIT :limit)
    RETURNING video_id, team_id, words
),
taken AS (
    SELECT team_id AS scope, word, count(*) AS videos FROM gone, unnest(words) AS word WHERE team_id IS NOT NULL GROUP BY 1, 2
),
fewer AS (
    UPDATE search_vocabulary AS v SET videos = v.videos - t.videos FROM taken AS t
    WHERE (v.scope, v.word) = (t.scope, t.word) AND v.videos > t.videos
),
none AS (
    DELETE FROM search_vocabulary AS v USING taken AS t WHERE (v.scope, v.word) = (t.scope, t.word) AND v.videos <= t.videos
)
SELECT video_id FROM gone;

-- name: traces_in_person_requests
-- Which requests of other people's data the person made, as an operator.
UPDATE person_requests SET requested_by = NULL WHERE requested_by = :person AND person_id <> :person;

-- name: owner_usage
-- What the person used, by day.
DELETE FROM owner_usage WHERE owner_id = :person;

-- name: owner_usage_changes
-- The same, before it is added up.
DELETE FROM owner_usage_changes WHERE owner_id = :person;

-- name: owner_quotas
-- Quotas that were set for the person.
DELETE FROM owner_quotas WHERE owner_id = :person;

-- name: owner_quota_warnings
-- Quotas that the person was warned of.
DELETE FROM owner_quota_warnings WHERE owner_id = :person;

-- name: owner_quota_checks
-- That the person's use was to be looked at.
DELETE FROM owner_quota_checks WHERE owner_id = :person;
