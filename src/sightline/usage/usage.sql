-- name: add_changes
-- What was counted in the memory of a process.
INSERT INTO owner_usage_changes (owner_id, measure, amount)
SELECT * FROM unnest(:owner_ids::uuid[], :measures::text[], :amounts::bigint[]);

-- name: add_up
-- Adds some of the changes to the days. Whoever reads in between sees each change once, here or there.
WITH taken AS (
    DELETE FROM owner_usage_changes
    WHERE change_id IN (SELECT change_id FROM owner_usage_changes ORDER BY change_id LIMIT :limit FOR UPDATE SKIP LOCKED)
    RETURNING owner_id, day, measure, amount
), added AS (
    INSERT INTO owner_usage AS u (owner_id, day, measure, amount)
    SELECT owner_id, day, measure, sum(amount)::bigint FROM taken GROUP BY owner_id, day, measure ORDER BY owner_id, day, measure
    ON CONFLICT (owner_id, day, measure) DO UPDATE SET amount = u.amount + excluded.amount
), to_check AS (
    -- As `request_checks`: these owners may have come near to a quota.
    INSERT INTO owner_quota_checks AS c (owner_id)
    SELECT DISTINCT owner_id FROM taken WHERE measure IN ('uploads', 'processed_ms') ORDER BY owner_id
    ON CONFLICT (owner_id) DO UPDATE SET due_at = excluded.due_at WHERE c.due_at > excluded.due_at
)
SELECT count(*) FROM taken;

-- name: days_of_owner
-- What an owner used on each day of a period, if the transaction's role may see it.
SELECT day, measure, sum(amount)::bigint AS amount
FROM (
    SELECT day, measure, amount FROM owner_usage WHERE owner_id = :owner_id AND day >= :first::date AND day < :after::date
    UNION ALL
    SELECT day, measure, amount FROM owner_usage_changes WHERE owner_id = :owner_id AND day >= :first::date AND day < :after::date
) AS used
GROUP BY day, measure
ORDER BY day, measure;

-- name: stored_now
-- What is stored for an owner, as measured last; nothing if that was long ago.
SELECT DISTINCT ON (measure) measure, amount FROM owner_usage
WHERE owner_id = :owner_id AND day >= (now() AT TIME ZONE 'UTC')::date - 1 AND measure LIKE 'stored\_%'
ORDER BY measure, day DESC;

-- name: minutes_used
-- Milliseconds of video that were processed for an owner since the first day of a period.
SELECT coalesce(sum(amount), 0)::bigint FROM (
    SELECT amount FROM owner_usage WHERE owner_id = :owner_id AND day >= :first::date AND measure = 'processed_ms'
    UNION ALL
    SELECT amount FROM owner_usage_changes WHERE owner_id = :owner_id AND day >= :first::date AND measure = 'processed_ms'
) AS used;

-- name: owners
-- All owners with what they have and what they used in a period, sorted by one of the figures and the id, after the given one.
WITH used AS (
    SELECT owner_id,
           coalesce(sum(amount) FILTER (WHERE measure = 'uploads'), 0) AS uploads,
           coalesce(sum(amount) FILTER (WHERE measure = 'uploaded_bytes'), 0) AS uploaded_bytes,
           coalesce(sum(amount) FILTER (WHERE measure = 'processed_ms'), 0) AS processed_ms,
           coalesce(sum(amount) FILTER (WHERE measure = 'transcribed_ms'), 0) AS transcribed_ms,
           coalesce(sum(amount) FILTER (WHERE measure = 'frames_read'), 0) AS frames_read,
           coalesce(sum(amount) FILTER (WHERE measure LIKE 'job\_ms.%'), 0) AS job_ms,
           coalesce(sum(amount) FILTER (WHERE measure = 'api_requests'), 0) AS api_requests,
           coalesce(sum(amount) FILTER (WHERE measure = 'notifications'), 0) AS notifications
    FROM (
        SELECT owner_id, measure, amount FROM owner_usage WHERE day >= :first::date AND day < :after::date
        UNION ALL
        SELECT owner_id, measure, amount FROM owner_usage_changes WHERE day >= :first::date AND day < :after::date
    ) AS all_changes
    GROUP BY owner_id
), has AS (
    SELECT owner_id, count(*) AS videos, coalesce(sum(size_bytes) FILTER (WHERE original_removed_at IS NULL), 0) AS originals_bytes
    FROM videos GROUP BY owner_id
), measured AS (
    SELECT owner_id,
           coalesce(sum(amount) FILTER (WHERE measure = 'stored_derived_bytes'), 0) AS derived_bytes,
           coalesce(sum(amount) FILTER (WHERE measure = 'stored_recordings_bytes'), 0) AS recordings_bytes
    FROM (
        SELECT DISTINCT ON (owner_id, measure) owner_id, measure, amount FROM owner_usage
        WHERE day >= (now() AT TIME ZONE 'UTC')::date - 1 AND measure LIKE 'stored\_%'
        ORDER BY owner_id, measure, day DESC
    ) AS latest
    GROUP BY owner_id
), figures AS (
    SELECT owner_id, coalesce(m.name, t.name) AS name,
           coalesce(h.videos, 0)::bigint AS videos, coalesce(h.originals_bytes, 0)::bigint AS originals_bytes,
           coalesce(d.derived_bytes, 0)::bigint AS derived_bytes, coalesce(d.recordings_bytes, 0)::bigint AS recordings_bytes,
           (coalesce(h.originals_bytes, 0) + coalesce(d.derived_bytes, 0) + coalesce(d.recordings_bytes, 0))::bigint AS stored_bytes,
           coalesce(u.uploads, 0)::bigint AS uploads, coalesce(u.uploaded_bytes, 0)::bigint AS uploaded_bytes,
           coalesce(u.processed_ms, 0)::bigint AS processed_ms, coalesce(u.transcribed_ms, 0)::bigint AS transcribed_ms,
           coalesce(u.frames_read, 0)::bigint AS frames_read, coalesce(u.job_ms, 0)::bigint AS job_ms,
           coalesce(u.api_requests, 0)::bigint AS api_requests, coalesce(u.notifications, 0)::bigint AS notifications
    FROM (SELECT owner_id FROM used UNION SELECT owner_id FROM has UNION SELECT owner_id FROM measured UNION SELECT owner_id FROM owner_quotas) AS o
    LEFT JOIN used AS u USING (owner_id)
    LEFT JOIN has AS h USING (owner_id)
    LEFT JOIN measured AS d USING (owner_id)
    LEFT JOIN caller_memberships AS m ON m.user_id = owner_id
    LEFT JOIN teams AS t ON t.id = owner_id
), sorted AS (
    SELECT *, CASE :sort::text
        WHEN 'videos' THEN videos WHEN 'uploads' THEN uploads WHEN 'processed_ms' THEN processed_ms
        WHEN 'transcribed_ms' THEN transcribed_ms WHEN 'job_ms' THEN job_ms WHEN 'api_requests' THEN api_requests
        ELSE stored_bytes END AS rank
    FROM figures
)
SELECT * FROM sorted
WHERE :rank::bigint IS NULL OR (rank, owner_id) < (:rank::bigint, :owner_id::uuid)
ORDER BY rank DESC, owner_id DESC
LIMIT :limit;

-- name: quotas_of_owner
-- The quotas that were set for an owner; no row if none was.
SELECT storage_bytes, videos, open_uploads, minutes_per_month FROM owner_quotas WHERE owner_id = :owner_id;

-- name: quotas_of_owners
-- The same for several owners.
SELECT owner_id, storage_bytes, videos, open_uploads, minutes_per_month FROM owner_quotas WHERE owner_id = ANY (:owner_ids::uuid[]);

-- name: set_quotas
-- QuotasInForce of an owner in place of those before; NULL is the default.
INSERT INTO owner_quotas (owner_id, storage_bytes, videos, open_uploads, minutes_per_month)
VALUES (:owner_id, :storage_bytes, :videos, :open_uploads, :minutes_per_month)
ON CONFLICT (owner_id) DO UPDATE
    SET storage_bytes = excluded.storage_bytes, videos = excluded.videos, open_uploads = excluded.open_uploads,
        minutes_per_month = excluded.minutes_per_month, changed_at = now();

-- name: clear_quotas
-- The defaults apply to the owner again.
DELETE FROM owner_quotas WHERE owner_id = :owner_id;

-- name: request_checks
-- Has owners' use compared with their quotas after so many seconds, or before that if it was requested for earlier.
INSERT INTO owner_quota_checks AS c (owner_id, due_at)
SELECT DISTINCT owner_id, now() + make_interval(secs => :in_s::float8) FROM unnest(:owner_ids::uuid[]) AS owner_id ORDER BY owner_id
ON CONFLICT (owner_id) DO UPDATE SET due_at = excluded.due_at WHERE c.due_at > excluded.due_at;
