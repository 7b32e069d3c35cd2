-- name: subjects
-- People whom an identity provider calls so. Ids of teams are recorded among them, but no provider gave them.
SELECT issuer, owner_id FROM owner_identities
WHERE kind = 'person' AND subject = :subject AND issuer <> 'urn:sightline:teams' ORDER BY issuer;

-- name: is_team
-- Whether a team has this id, or had it.
SELECT EXISTS (SELECT FROM owner_identities WHERE issuer = 'urn:sightline:teams' AND kind = 'team' AND owner_id = :person);

-- name: is_known
-- Whether a person has this id, and no team.
SELECT NOT EXISTS (SELECT FROM owner_identities WHERE issuer = 'urn:sightline:teams' AND kind = 'team' AND owner_id = :person)
    AND (EXISTS (SELECT FROM owner_identities WHERE kind = 'person' AND owner_id = :person)
        OR EXISTS (SELECT FROM caller_memberships WHERE user_id = :person)
        OR EXISTS (SELECT FROM videos WHERE owner_id = :person)
        OR EXISTS (SELECT FROM cameras WHERE owner_id = :person));

-- name: named
-- People whose newest token had this address.
SELECT user_id FROM caller_memberships WHERE lower(name) = lower(:name);

-- name: names
-- Addresses by which the person is named in rows of others.
SELECT DISTINCT name FROM (
    SELECT name FROM caller_memberships WHERE user_id = :person
    UNION ALL SELECT email FROM page_sessions WHERE user_id = :person
    UNION ALL SELECT owner_email FROM api_keys WHERE owner_id = :person
    UNION ALL SELECT owner_email FROM videos WHERE owner_id = :person OR uploaded_by = :person
    UNION ALL SELECT owner_email FROM cameras WHERE owner_id = :person
    UNION ALL SELECT owner_email FROM alert_rules WHERE owner_id = :person
    UNION ALL SELECT owner_email FROM saved_searches WHERE owner_id = :person
    UNION ALL SELECT actor FROM event_history WHERE actor_id = :person
    UNION ALL SELECT author FROM event_comments WHERE author_id = :person
    UNION ALL SELECT actor FROM audit_log WHERE actor_id = :person
    UNION ALL SELECT address FROM notification_addresses WHERE owner_id = :person AND channel = 'email' AND confirmed_at IS NOT NULL
) AS found
WHERE length(name) >= 3 AND name <> :label;

-- name: videos
-- Some videos of the person, and of teams that nobody else belongs to, with the upload that may still be open.
SELECT v.id, u.store_upload_id FROM videos AS v
LEFT JOIN uploads AS u ON u.video_id = v.id AND u.ended_at IS NULL
WHERE v.owner_id = :person
   OR v.owner_id IN (SELECT m.team_id FROM team_members AS m WHERE m.user_id = :person
                     AND NOT EXISTS (SELECT FROM team_members AS o WHERE o.team_id = m.team_id AND o.user_id <> :person))
ORDER BY v.id LIMIT :limit;

-- name: tus_uploads
-- Uploads by tus that have become no video.
SELECT id FROM tus_uploads WHERE owner_id = :person LIMIT :limit;

-- name: remove_tus_uploads
-- Forgets them, once their pieces are gone.
DELETE FROM tus_uploads WHERE id = ANY (:ids::uuid[]);

-- name: camera_keys
-- The person's cameras.
SELECT camera_key, camera_id FROM cameras WHERE owner_id = :person ORDER BY camera_key;

-- name: detections
-- Some detections of a camera, with their pictures.
SELECT id, image_key FROM detections WHERE camera_key = :camera_key LIMIT :limit;

-- name: remove_detections
-- Removes them, once their pictures are gone.
DELETE FROM detections WHERE id = ANY (:ids::bigint[]);

-- name: remove_recordings
-- Some recordings of a camera; the sweep removes everything below the camera's prefix once the camera is gone.
DELETE FROM recordings WHERE recording_id IN (SELECT recording_id FROM recordings WHERE camera_key = :camera_key LIMIT :limit);

-- name: remove_jobs_of_camera
-- Jobs that would work on the camera; a worker that runs one of them can no longer change it.
DELETE FROM jobs WHERE video_id IS NULL AND (
    payload ->> 'camera_key' = :camera_key::uuid::text
    OR payload ->> 'batch_id' IN (SELECT batch_id FROM detection_batches WHERE camera_key = :camera_key));

-- name: remove_camera
-- A camera with everything that refers to it.
DELETE FROM cameras WHERE camera_key = :camera_key;

-- name: events
-- Some of the person's events, archived ones too.
SELECT id, picture_key FROM known_events WHERE owner_id = :person LIMIT :limit;

-- name: remove_events
-- Removes them with all that others have about them.
WITH gone AS (SELECT unnest(:ids::bigint[]) AS id),
     alerts AS (DELETE FROM alerts WHERE event_id IN (SELECT id FROM gone)),
     clips AS (DELETE FROM event_clips WHERE event_id IN (SELECT id FROM gone)),
     comments AS (DELETE FROM event_comments WHERE event_id IN (SELECT id FROM gone)),
     history AS (DELETE FROM event_history WHERE event_id IN (SELECT id FROM gone)),
     archived AS (DELETE FROM events_archive WHERE id IN (SELECT id FROM gone))
DELETE FROM events WHERE id IN (SELECT id FROM gone);

-- name: accounts
-- The person's account at the AWS endpoint.
SELECT account_id FROM sightline.bus_accounts WHERE owner_id = :person;

-- name: remove_account_rows
-- What an account has beside the resources of the topology.
WITH connections AS (DELETE FROM sightline.bus_connections WHERE account_id = :account_id),
     destinations AS (DELETE FROM sightline.bus_api_destinations WHERE account_id = :account_id),
     replays AS (DELETE FROM sightline.bus_replays WHERE account_id = :account_id),
     move_tasks AS (DELETE FROM sightline.bus_move_tasks WHERE account_id = :account_id)
DELETE FROM sightline.bus_schedule_groups WHERE account_id = :account_id;

-- name: remove_messages_of_queues
-- Messages in the queues of an account.
DELETE FROM sightline.bus_messages WHERE ctid IN (
    SELECT ctid FROM sightline.bus_messages
    WHERE queue_id IN (SELECT id FROM sightline.bus_queues WHERE account_id = :account_id) LIMIT :limit);

-- name: remove_archived_events
-- Events in the archives of an account.
DELETE FROM sightline.bus_archived_events WHERE ctid IN (
    SELECT ctid FROM sightline.bus_archived_events
    WHERE archive_id IN (SELECT archive_id FROM sightline.bus_archives WHERE account_id = :account_id) LIMIT :limit);

-- name: exports
-- Requests of the person's data, whose files may be there.
SELECT request_id FROM person_requests WHERE person_id = :person AND kind = 'export';

-- name: remove_exports
-- Forgets them, once their files are gone.
DELETE FROM person_requests WHERE request_id = ANY (:ids::uuid[]);
