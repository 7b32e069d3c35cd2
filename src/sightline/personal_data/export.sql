-- name: owner_identities
-- How the identity provider calls the person.
SELECT (to_jsonb(t))::text AS item FROM owner_identities AS t
WHERE t.kind = 'person' AND t.owner_id = :person;

-- name: caller_memberships
-- The teams and the role that the newest token named.
SELECT (to_jsonb(t))::text AS item FROM caller_memberships AS t
WHERE t.user_id = :person;

-- name: page_sessions
-- Browsers that are signed in, without what signs them in.
SELECT (to_jsonb(t) - 'secret_hash' - 'sealed_id_token')::text AS item FROM page_sessions AS t
WHERE t.user_id = :person;

-- name: api_keys
-- API keys, without what they are compared with.
SELECT (to_jsonb(t) - 'secret_hash')::text AS item FROM api_keys AS t
WHERE t.owner_id = :person;

-- name: teams
-- Teams that the person belongs to.
SELECT (to_jsonb(t))::text AS item FROM teams AS t
WHERE t.id IN (SELECT team_id FROM team_members WHERE user_id = :person);

-- name: team_members
-- The person's roles in teams.
SELECT (to_jsonb(t))::text AS item FROM team_members AS t
WHERE t.user_id = :person;

-- name: team_invitations
-- Invitations that the person made, without what they are compared with.
SELECT (to_jsonb(t) - 'token_hash')::text AS item FROM team_invitations AS t
WHERE t.created_by = :person;

-- name: operator_grants
-- That the person was made an operator.
SELECT (to_jsonb(t))::text AS item FROM operator_grants AS t
WHERE t.user_id = :person;

-- name: videos
-- Videos with their descriptions and tags; of those that the person uploaded to a team, this alone.
SELECT (to_jsonb(t))::text AS item FROM videos AS t
WHERE t.owner_id = :person OR t.uploaded_by = :person ORDER BY t.created_at;

-- name: video_moves
-- How each video was processed.
SELECT (to_jsonb(t))::text AS item FROM video_moves AS t
WHERE t.video_id IN (SELECT id FROM videos WHERE owner_id = :person);

-- name: uploads
-- Uploads of videos.
SELECT (to_jsonb(t))::text AS item FROM uploads AS t
WHERE t.video_id IN (SELECT id FROM videos WHERE owner_id = :person);

-- name: upload_parts
-- Parts of uploads.
SELECT (to_jsonb(t))::text AS item FROM upload_parts AS t
WHERE t.video_id IN (SELECT id FROM videos WHERE owner_id = :person);

-- name: segments
-- Text on screen and spoken words.
SELECT (to_jsonb(t))::text AS item FROM segments AS t
WHERE t.video_id IN (SELECT id FROM videos WHERE owner_id = :person);

-- name: transcripts
-- Which speech was heard, by which model.
SELECT (to_jsonb(t))::text AS item FROM transcripts AS t
WHERE t.video_id IN (SELECT id FROM videos WHERE owner_id = :person);

-- name: frame_overviews
-- Overviews of frames.
SELECT (to_jsonb(t))::text AS item FROM frame_overviews AS t
WHERE t.video_id IN (SELECT id FROM videos WHERE owner_id = :person);

-- name: video_tracks
-- People and objects that were followed in videos.
SELECT (to_jsonb(t))::text AS item FROM video_tracks AS t
WHERE t.video_id IN (SELECT id FROM videos WHERE owner_id = :person);

-- name: technique_reviews
-- Reviews of techniques.
SELECT (to_jsonb(t))::text AS item FROM technique_reviews AS t
WHERE t.video_id IN (SELECT id FROM videos WHERE owner_id = :person);

-- name: technique_marks
-- Techniques that people marked or corrected.
SELECT (to_jsonb(t))::text AS item FROM technique_marks AS t
WHERE t.video_id IN (SELECT id FROM videos WHERE owner_id = :person);

-- name: technique_events
-- Techniques as they were received.
SELECT (to_jsonb(t))::text AS item FROM technique_events AS t
WHERE t.video_id IN (SELECT id FROM videos WHERE owner_id = :person);

-- name: technique_strays
-- Technique messages that fit no run.
SELECT (to_jsonb(t))::text AS item FROM technique_strays AS t
WHERE t.video_id IN (SELECT id FROM videos WHERE owner_id = :person);

-- name: technique_publications
-- Publications of techniques.
SELECT (to_jsonb(t))::text AS item FROM technique_publications AS t
WHERE t.video_id IN (SELECT id FROM videos WHERE owner_id = :person);

-- name: video_analysis_status
-- Runs of the technique analysis.
SELECT (to_jsonb(t))::text AS item FROM video_analysis_status AS t
WHERE t.video_id IN (SELECT id FROM videos WHERE owner_id = :person);

-- name: jobs
-- Jobs that worked on videos.
SELECT (to_jsonb(t))::text AS item FROM jobs AS t
WHERE t.video_id IN (SELECT id FROM videos WHERE owner_id = :person);

-- name: entities
-- Numbers, dates and names that were found in text.
SELECT (to_jsonb(t))::text AS item FROM entities AS t
WHERE t.segment_id IN (SELECT id FROM segments WHERE video_id IN (SELECT id FROM videos WHERE owner_id = :person));

-- name: technique_candidates
-- Names that techniques may have.
SELECT (to_jsonb(t))::text AS item FROM technique_candidates AS t
WHERE t.event_id IN (SELECT id FROM technique_events WHERE video_id IN (SELECT id FROM videos WHERE owner_id = :person));

-- name: clips
-- Clips of the person's videos, and those that the person made of others'.
SELECT (to_jsonb(t))::text AS item FROM clips AS t
WHERE t.created_by = :person OR t.video_id IN (SELECT id FROM videos WHERE owner_id = :person);

-- name: tus_uploads
-- Uploads by tus.
SELECT (to_jsonb(t))::text AS item FROM tus_uploads AS t
WHERE t.owner_id = :person;

-- name: tus_pieces
-- Their pieces.
SELECT (to_jsonb(t))::text AS item FROM tus_pieces AS t
WHERE t.upload_id IN (SELECT id FROM tus_uploads WHERE owner_id = :person);

-- name: collections
-- Collections of videos.
SELECT (to_jsonb(t))::text AS item FROM collections AS t
WHERE t.owner_id = :person;

-- name: collection_videos
-- Which videos are in which collections.
SELECT (to_jsonb(t))::text AS item FROM collection_videos AS t
WHERE t.collection_id IN (SELECT id FROM collections WHERE owner_id = :person);

-- name: shares
-- Share links, without what opens them.
SELECT (to_jsonb(t) - 'token_hash' - 'sealed_token')::text AS item FROM shares AS t
WHERE t.owner_id = :person OR t.created_by = :person;

-- name: saved_searches
-- Saved searches.
SELECT (to_jsonb(t))::text AS item FROM saved_searches AS t
WHERE t.owner_id = :person;

-- name: saved_search_alerts
-- Videos that a saved search reported.
SELECT (to_jsonb(t))::text AS item FROM saved_search_alerts AS t
WHERE t.owner_id = :person;

-- name: cameras
-- Cameras.
SELECT (to_jsonb(t))::text AS item FROM cameras AS t
WHERE t.owner_id = :person;

-- name: camera_sources
-- Where their pictures come from, without passwords.
SELECT (to_jsonb(t) - 'sealed')::text AS item FROM camera_sources AS t
WHERE t.camera_key IN (SELECT camera_key FROM cameras WHERE owner_id = :person);

-- name: camera_zones
-- Their zones.
SELECT (to_jsonb(t))::text AS item FROM camera_zones AS t
WHERE t.camera_key IN (SELECT camera_key FROM cameras WHERE owner_id = :person);

-- name: camera_activity
-- What was seen when, in numbers.
SELECT (to_jsonb(t))::text AS item FROM camera_activity AS t
WHERE t.camera_key IN (SELECT camera_key FROM cameras WHERE owner_id = :person);

-- name: camera_files
-- Files that were read from their folders.
SELECT (to_jsonb(t))::text AS item FROM camera_files AS t
WHERE t.camera_key IN (SELECT camera_key FROM cameras WHERE owner_id = :person);

-- name: recordings
-- What was recorded.
SELECT (to_jsonb(t))::text AS item FROM recordings AS t
WHERE t.camera_key IN (SELECT camera_key FROM cameras WHERE owner_id = :person);

-- name: recorder_states
-- States of their recorders.
SELECT (to_jsonb(t))::text AS item FROM recorder_states AS t
WHERE t.camera_key IN (SELECT camera_key FROM cameras WHERE owner_id = :person);

-- name: recording_views
-- Until when they are watched live.
SELECT (to_jsonb(t))::text AS item FROM recording_views AS t
WHERE t.camera_key IN (SELECT camera_key FROM cameras WHERE owner_id = :person);

-- name: detection_batches
-- Batches of detections.
SELECT (to_jsonb(t))::text AS item FROM detection_batches AS t
WHERE t.camera_key IN (SELECT camera_key FROM cameras WHERE owner_id = :person);

-- name: detections
-- What was detected.
SELECT (to_jsonb(t))::text AS item FROM detections AS t
WHERE t.camera_key IN (SELECT camera_key FROM cameras WHERE owner_id = :person);

-- name: camera_snoozes
-- Cameras that the person snoozed.
SELECT (to_jsonb(t))::text AS item FROM camera_snoozes AS t
WHERE t.person_id = :person;

-- name: recording_detections
-- Searches of recordings that the person asked for, or of the person's cameras.
SELECT (to_jsonb(t))::text AS item FROM recording_detections AS t
WHERE t.requested_by = :person OR t.camera_key IN (SELECT camera_key FROM cameras WHERE owner_id = :person);

-- name: events
-- Security events.
SELECT (to_jsonb(t) - 'words')::text AS item FROM events AS t
WHERE t.owner_id = :person;

-- name: events_archive
-- Archived security events.
SELECT (to_jsonb(t) - 'words')::text AS item FROM events_archive AS t
WHERE t.owner_id = :person;

-- name: event_clips
-- Clips of events.
SELECT (to_jsonb(t))::text AS item FROM event_clips AS t
WHERE t.requested_by = :person OR t.camera_key IN (SELECT camera_key FROM cameras WHERE owner_id = :person);

-- name: event_comments
-- What the person wrote about events.
SELECT (to_jsonb(t))::text AS item FROM event_comments AS t
WHERE t.author_id = :person;

-- name: event_history
-- What the person did with events.
SELECT (to_jsonb(t))::text AS item FROM event_history AS t
WHERE t.actor_id = :person;

-- name: alert_rules
-- Alert rules.
SELECT (to_jsonb(t))::text AS item FROM alert_rules AS t
WHERE t.owner_id = :person;

-- name: alerts
-- Alerts.
SELECT (to_jsonb(t))::text AS item FROM alerts AS t
WHERE t.owner_id = :person;

-- name: event_alert_rules
-- Which rule alerted of which event.
SELECT (to_jsonb(t))::text AS item FROM event_alert_rules AS t
WHERE t.rule_id IN (SELECT rule_id FROM alert_rules WHERE owner_id = :person);

-- name: notification_preferences
-- What the person is notified of.
SELECT (to_jsonb(t))::text AS item FROM notification_preferences AS t
WHERE t.owner_id = :person;

-- name: notification_addresses
-- Where notifications go.
SELECT (to_jsonb(t) - 'challenge' - 'secret_salt' - 'previous_salt')::text AS item FROM notification_addresses AS t
WHERE t.owner_id = :person;

-- name: notification_challenges
-- When addresses had to be proven.
SELECT (to_jsonb(t))::text AS item FROM notification_challenges AS t
WHERE t.owner_id = :person;

-- name: push_devices
-- Browsers with notifications, without their keys.
SELECT (to_jsonb(t) - 'auth_secret' - 'public_key')::text AS item FROM push_devices AS t
WHERE t.owner_id = :person;

-- name: mails
-- Emails about videos.
SELECT (to_jsonb(t))::text AS item FROM mails AS t
WHERE t.owner_id = :person OR t.video_id IN (SELECT id FROM videos WHERE owner_id = :person);

-- name: messages
-- Messages and notifications.
SELECT (to_jsonb(t))::text AS item FROM messages AS t
WHERE t.owner_id = :person;

-- name: message_drafts
-- Messages on their way into the store.
SELECT (to_jsonb(t))::text AS item FROM message_drafts AS t
WHERE strpos(t.record::text, :person::uuid::text) > 0;

-- name: message_schedules
-- Schedules of messages.
SELECT (to_jsonb(t))::text AS item FROM message_schedules AS t
WHERE t.owner_id = :person;

-- name: live_messages
-- Messages of the live feed that are kept.
SELECT (to_jsonb(t))::text AS item FROM live_messages AS t
WHERE t.owner_id = :person;

-- name: live_acks
-- What was acknowledged on the live feed.
SELECT (to_jsonb(t))::text AS item FROM live_acks AS t
WHERE t.user_id = :person;

-- name: live_clients
-- Programs that follow the live feed.
SELECT (to_jsonb(t))::text AS item FROM live_clients AS t
WHERE t.user_id = :person;

-- name: stored_settings
-- Settings that the person changed, without secrets.
SELECT (to_jsonb(t) - 'sealed')::text AS item FROM stored_settings AS t
WHERE t.changed_by = ANY (:names);

-- name: audit_log
-- What the person did, as it is recorded.
SELECT (to_jsonb(t) - 'previous_hash' - 'hash')::text AS item FROM audit_log AS t
WHERE t.actor_id = :person ORDER BY t.number;

-- name: owner_usage
-- What was used, by day.
SELECT (to_jsonb(t))::text AS item FROM owner_usage AS t
WHERE t.owner_id = :person;

-- name: owner_usage_changes
-- What was used a moment ago.
SELECT (to_jsonb(t))::text AS item FROM owner_usage_changes AS t
WHERE t.owner_id = :person;

-- name: owner_quotas
-- Quotas that were set for the person.
SELECT (to_jsonb(t))::text AS item FROM owner_quotas AS t
WHERE t.owner_id = :person;

-- name: owner_quota_warnings
-- Quotas that the person was warned of.
SELECT (to_jsonb(t))::text AS item FROM owner_quota_warnings AS t
WHERE t.owner_id = :person;

-- name: person_requests
-- Requests to export or erase the person's data.
SELECT (to_jsonb(t))::text AS item FROM person_requests AS t
WHERE t.person_id = :person;
