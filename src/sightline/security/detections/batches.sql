-- name: lock_cameras
-- Another request with detections of the same camera waits; all requests lock in the same order.
SELECT camera_key,
       CASE WHEN last_fast_path_at > now() - make_interval(secs => :pause_s) THEN last_fast_path_points ELSE 0 END AS recent_points
FROM cameras WHERE camera_key = ANY(:camera_keys::uuid[])
ORDER BY camera_key FOR NO KEY UPDATE;

-- name: note_fast_path
-- A detection of the camera is being assessed at once.
UPDATE cameras SET last_fast_path_at = now(), last_fast_path_points = :points WHERE camera_key = :camera_key;

-- name: known_sources
-- The given detections that were reported before.
SELECT d.camera_key, d.source_id
FROM unnest(:camera_keys::uuid[], :source_ids::text[]) AS reported (camera_key, source_id)
JOIN detections AS d ON d.camera_key = reported.camera_key AND d.source_id = reported.source_id;

-- name: open_batch
-- The open batch of a camera, and whether its time is over: what comes after its event was resolved is not part of it.
SELECT batch_id, detection_count,
       CASE WHEN opened_at <= now() - make_interval(secs => :age_s) THEN 'age'
            WHEN last_received_at <= now() - make_interval(secs => :idle_s) THEN 'idle'
            WHEN EXISTS (SELECT FROM events AS e WHERE e.batch_id = b.batch_id AND e.resolved_at IS NOT NULL) THEN 'resolved' END AS over
FROM detection_batches AS b WHERE camera_key = :camera_key AND state = 'open'
FOR UPDATE;

-- name: batches_of_tracks
-- The batch that has the latest sighting of each track, unless it began too long ago or is full; and what its event says already.
SELECT DISTINCT ON (d.attributes ->> 'track_id') d.attributes ->> 'track_id' AS track_id, b.batch_id, b.detection_count,
       coalesce(e.resolved_at IS NOT NULL, false) AS is_resolved, coalesce(e.behaviours, '{}') AS behaviours
FROM detections AS d JOIN detection_batches AS b USING (batch_id) LEFT JOIN events AS e ON e.batch_id = b.batch_id
WHERE d.camera_key = :camera_key AND d.attributes ? 'track_id' AND d.attributes ->> 'track_id' = ANY(:track_ids::text[])
  AND b.opened_at > now() - make_interval(secs => :max_age_s) AND b.detection_count < :max_detections
ORDER BY d.attributes ->> 'track_id', d.created_at DESC;

-- name: request_early
-- Asks for the event of a batch before it closes; nothing if that was asked for less than a moment ago. By the clock and not by now():
-- a transaction that waited for the camera began before the one that it waited for.
UPDATE detection_batches SET early_requested_at = clock_timestamp()
WHERE batch_id = :batch_id
  AND (early_requested_at IS NULL OR early_requested_at <= clock_timestamp() - make_interval(secs => :pause_s))
RETURNING batch_id;

-- name: lock_batch
-- One batch, locked until the transaction ends: sightings that join it wait.
SELECT batch_id, camera_id, state, detection_count, started_at, ended_at, opened_at, closed_at, close_reason
FROM detection_batches WHERE batch_id = :batch_id FOR UPDATE;

-- name: insert_batch
-- A new batch, open, or closed at once for a reason; nothing if the id is taken, by another batch or by an event that outlived its batch.
INSERT INTO detection_batches (batch_id, camera_key, camera_id, started_at, ended_at, state, closed_at, close_reason)
SELECT :batch_id, :camera_key, :camera_id, :started_at, :ended_at,
       CASE WHEN :close_reason::text IS NULL THEN 'open' ELSE 'closed' END,
       CASE WHEN :close_reason IS NOT NULL THEN now() END, :close_reason
WHERE NOT EXISTS (SELECT FROM events WHERE batch_id = :batch_id)
  AND NOT EXISTS (SELECT FROM events_archive WHERE batch_id = :batch_id)
ON CONFLICT (batch_id) DO NOTHING
RETURNING batch_id;

-- name: insert_detections
-- Detections of one batch, all at once; the batch counts them and stretches over them.
WITH reported AS (
    SELECT sightline.random_id() AS id, t.*
    FROM unnest(:object_types::text[], :confidences::float8[], :detected_at::timestamptz[], :xs::float8[], :ys::float8[],
                :widths::float8[], :heights::float8[], :image_keys::text[], :attributes::text[], :source_ids::text[])
         WITH ORDINALITY AS t (object_type, confidence, detected_at, x, y, width, height, image_key, attributes, source_id, n)
), stored AS (
    INSERT INTO detections (id, batch_id, camera_key, camera_id, object_type, confidence, detected_at, box, image_key, attributes, source_id)
    SELECT r.id, :batch_id, :camera_key, :camera_id, r.object_type, r.confidence, r.detected_at,
           CASE WHEN r.x IS NOT NULL THEN ARRAY[r.x, r.y, r.width, r.height] END, r.image_key, r.attributes::jsonb, r.source_id
    FROM reported AS r
    RETURNING id, detected_at
), counted AS (
    UPDATE detection_batches AS b
    SET detection_count = b.detection_count + s.added, started_at = least(b.started_at, s.first), ended_at = greatest(b.ended_at, s.last),
        last_received_at = now()
    FROM (SELECT count(*) AS added, min(detected_at) AS first, max(detected_at) AS last FROM stored) AS s
    WHERE b.batch_id = :batch_id
)
SELECT id FROM reported ORDER BY n;

-- name: close_batch
-- Closes an open batch.
UPDATE detection_batches SET state = 'closed', closed_at = now(), close_reason = :reason
WHERE batch_id = :batch_id AND state = 'open';

-- name: is_any_open
-- Whether there is an open batch.
SELECT EXISTS (SELECT FROM detection_batches WHERE state = 'open');

-- name: close_due
-- Closes batches that are due; batches that are being added to are left for the next run.
UPDATE detection_batches AS b
SET state = 'closed', closed_at = now(),
    close_reason = CASE WHEN opened_at <= now() - make_interval(secs => :age_s) THEN 'age' ELSE 'idle' END
WHERE batch_id IN (SELECT batch_id FROM detection_batches
                   WHERE state = 'open' AND (opened_at <= now() - make_interval(secs => :age_s)
                                             OR last_received_at <= now() - make_interval(secs => :idle_s))
                   LIMIT :limit FOR UPDATE SKIP LOCKED)
RETURNING b.batch_id, b.close_reason;

-- name: get_batch
-- One batch.
SELECT batch_id, camera_id, state, detection_count, started_at, ended_at, opened_at, closed_at, close_reason
FROM detection_batches WHERE batch_id = :batch_id;

-- name: detections_of
-- The detections of a batch in the order in which they were seen.
SELECT id, batch_id, camera_id, object_type, confidence, detected_at, box, image_key, attributes, source_id
FROM detections WHERE batch_id = :batch_id ORDER BY detected_at, id LIMIT :limit;

-- name: best_detections_of
-- The most certain detection of each kind in each of these batches.
SELECT DISTINCT ON (batch_id, object_type)
       id, batch_id, camera_id, object_type, confidence, detected_at, box, image_key, attributes, source_id
FROM detections WHERE batch_id = ANY(:batch_ids::text[]) ORDER BY batch_id, object_type, confidence DESC, id;

-- name: recent_detections
-- The newest detections that the caller may see, of one camera or of all, and in one video if asked.
SELECT id, batch_id, camera_id, object_type, confidence, detected_at, box, image_key, attributes, source_id
FROM detections
WHERE (:camera_id::text IS NULL OR camera_id = :camera_id)
  AND (:before::bigint IS NULL OR (created_at, detected_at, id)
       < (SELECT b.created_at, b.detected_at, b.id FROM detections AS b WHERE b.id = :before))
  AND (:video_id::text IS NULL OR attributes ? 'video_id' AND attributes ->> 'video_id' = :video_id)
ORDER BY created_at DESC, detected_at DESC, id DESC LIMIT :limit;

-- name: settle_batch
-- Marks a batch as assessed or failed; an assessed batch stays assessed.
UPDATE detection_batches SET state = :state WHERE batch_id = :batch_id AND state IN ('closed', 'failed');

-- name: baselines
-- On how many of the days before, these kinds were seen at about this hour, and how many days the camera was watched at all.
SELECT kind AS object_type,
       (SELECT count(DISTINCT day) FROM camera_activity AS a
        WHERE a.camera_key = :camera_key AND a.day < :day::date AND a.day >= :day::date - :days::int
          AND a.hour = ANY(:hours::int[]) AND a.object_type = kind) AS days_seen,
       (SELECT count(DISTINCT day) FROM camera_activity AS a
        WHERE a.camera_key = :camera_key AND a.day < :day::date AND a.day >= :day::date - :days::int) AS days_watched,
       (SELECT coalesce(sum(a.visits), 0) FROM camera_activity AS a
        WHERE a.camera_key = :camera_key AND a.day < :day::date AND a.day >= :day::date - :days::int
          AND a.hour = ANY(:hours::int[]) AND a.object_type = kind) AS visits
FROM unnest(:kinds::text[]) AS kind;

-- name: note_activity
-- Adds a batch to what the camera has seen by day and hour.
INSERT INTO camera_activity AS known (camera_key, day, hour, object_type, detections)
SELECT camera_key, (detected_at AT TIME ZONE :zone)::date, extract(hour FROM detected_at AT TIME ZONE :zone)::smallint, object_type, count(*)
FROM detections WHERE batch_id = :batch_id
GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
ON CONFLICT (camera_key, day, hour, object_type) DO UPDATE
SET detections = known.detections + excluded.detections, visits = known.visits + 1;

-- name: elsewhere
-- What the other cameras of the same people saw at about that time.
SELECT d.camera_id, c.name, d.object_type, count(*) AS detections,
       (array_agg(d.detected_at ORDER BY abs(extract(epoch FROM d.detected_at - :around::timestamptz)), d.detected_at))[1] AS nearest_at
FROM cameras AS c JOIN detections AS d ON d.camera_key = c.camera_key
WHERE c.camera_key <> :camera_key AND (c.owner_id = :owner_id OR c.team_id = :team_id)
  AND d.detected_at BETWEEN :since AND :until
GROUP BY 1, 2, 3 ORDER BY 1, 3 LIMIT 50;
