-- name: record
-- Adds an email unless its status change has one; returns its id if it is new.
INSERT INTO mails (
    id, video_id, template, move, owner_id, language, recipient, subject, body_text, body_html, variables, status, last_error
)
VALUES (
    :id, :video_id, :template, :move, :owner_id, :language, :recipient, :subject, :body_text, :body_html, :variables,
    CASE WHEN :skip_reason::text IS NULL THEN 'queued'::mail_status ELSE 'skipped' END,
    :skip_reason
)
ON CONFLICT (video_id, template, move) DO NOTHING
RETURNING id;

-- name: claim
-- Claims an email that is queued, failed, or left by a sender whose lease ended.
UPDATE mails
SET status = 'sending', attempts = attempts + 1, channel = :channel, lease_until = now() + :lease::interval
WHERE id = :id AND (status IN ('queued', 'failed') OR status = 'sending' AND lease_until < now())
RETURNING id, video_id, template, move, owner_id, language, recipient, subject, body_text AS text, body_html AS html, variables,
    status, channel, provider_id, attempts, last_error, created_at, updated_at, sent_at;

-- name: state_of
-- The status of an email, and how long another sender's lease lasts.
SELECT status, greatest(lease_until - now(), interval '0') AS lease_left, last_error
FROM mails
WHERE id = :id;

-- name: mark_sent
-- The email was sent; only the attempt that holds it may say so.
UPDATE mails
SET status = 'sent', provider_id = :provider_id, last_error = NULL, lease_until = NULL, sent_at = now()
WHERE id = :id AND status = 'sending' AND attempts = :attempt;

-- name: mark_kept
-- The email stays here, because no mail server is set; only the attempt that holds it may say so.
UPDATE mails
SET status = 'kept', provider_id = NULL, last_error = NULL, lease_until = NULL
WHERE id = :id AND status = 'sending' AND attempts = :attempt;

-- name: release
-- The attempt that holds it failed: it is queued again, or failed for good.
UPDATE mails
SET status = CASE WHEN :is_final THEN 'failed'::mail_status ELSE 'queued' END, last_error = :error, lease_until = NULL
WHERE id = :id AND status = 'sending' AND attempts = :attempt;

-- name: requeue
-- Queues an email again that failed, was only kept, or whose sender died.
UPDATE mails
SET status = 'queued', lease_until = NULL
WHERE id = :id AND (status IN ('failed', 'kept') OR status = 'sending' AND lease_until < now());

-- name: list_mails
-- The newest emails that the transaction's role may see, after the cursor.
SELECT id, video_id, template, move, owner_id, language, recipient, subject, body_text AS text, body_html AS html, variables,
    status, channel, provider_id, attempts, last_error, created_at, updated_at, sent_at
FROM mails
WHERE (:status::mail_status IS NULL OR status = :status)
    AND (:template::text IS NULL OR template = :template)
    AND (:video_id::uuid IS NULL OR video_id = :video_id)
    AND (:before_at::timestamptz IS NULL OR (created_at, id) < (:before_at, :before_id::uuid))
ORDER BY created_at DESC, id DESC
LIMIT :limit;

-- name: get_mail
-- One email, if the transaction's role may see it.
SELECT id, video_id, template, move, owner_id, language, recipient, subject, body_text AS text, body_html AS html, variables,
    status, channel, provider_id, attempts, last_error, created_at, updated_at, sent_at
FROM mails
WHERE id = :id;

-- name: sweep
-- Removes a batch of old emails, except those that are being sent.
DELETE FROM mails
WHERE id IN (
    SELECT id FROM mails
    WHERE created_at < now() - :keep::interval AND NOT (status = 'sending' AND lease_until >= now())
    ORDER BY created_at
    LIMIT :limit
);
