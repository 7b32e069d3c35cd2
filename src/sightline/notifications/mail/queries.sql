-- name: record
-- Writes a mail down unless its move has one already; says its id if it was new.
INSERT INTO mails (
    id, video_id, template, move, owner_id, language, recipient, subject, body_text, body_html, variables, status, last_error
)
VALUES (
    :id, :video_id, :template, :move, :owner_id, :language, :recipient, :subject, :body_text, :body_html, :variables,
    CASE WHEN :recipient::text IS NULL THEN 'skipped'::mail_status ELSE 'queued' END,
    CASE WHEN :recipient::text IS NULL THEN 'the video has no e-mail address' END
)
ON CONFLICT (video_id, template, move) DO NOTHING
RETURNING id;

-- name: claim
-- Takes a mail in hand to send it, if it waits, failed, or is left over from a sender whose lease ended.
UPDATE mails
SET status = 'sending', attempts = attempts + 1, channel = :channel, lease_until = now() + :lease::interval
WHERE id = :id AND (status IN ('queued', 'failed') OR status = 'sending' AND lease_until < now())
RETURNING id, video_id, template, move, owner_id, language, recipient, subject, body_text AS text, body_html AS html, variables,
    status, channel, provider_id, attempts, last_error, created_at, updated_at, sent_at;

-- name: state_of
-- The state of a mail, and for how long somebody else has it in hand.
SELECT status, greatest(lease_until - now(), interval '0') AS lease_left
FROM mails
WHERE id = :id;

-- name: mark_sent
-- The mail is on its way; only the attempt that has it in hand may say so.
UPDATE mails
SET status = 'sent', provider_id = :provider_id, last_error = NULL, lease_until = NULL, sent_at = now()
WHERE id = :id AND status = 'sending' AND attempts = :attempt;

-- name: release
-- The attempt that has it in hand failed: it waits for the next one, or has failed for good.
UPDATE mails
SET status = CASE WHEN :is_final THEN 'failed'::mail_status ELSE 'queued' END, last_error = :error, lease_until = NULL
WHERE id = :id AND status = 'sending' AND attempts = :attempt;

-- name: requeue
-- A failed mail, or one whose sender is gone for good, waits once more.
UPDATE mails
SET status = 'queued', lease_until = NULL
WHERE id = :id AND (status = 'failed' OR status = 'sending' AND lease_until < now());

-- name: list_mails
-- The newest mails that the transaction's role may see, from behind the given position.
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
-- One mail, if the transaction's role may see it.
SELECT id, video_id, template, move, owner_id, language, recipient, subject, body_text AS text, body_html AS html, variables,
    status, channel, provider_id, attempts, last_error, created_at, updated_at, sent_at
FROM mails
WHERE id = :id;

-- name: sweep
-- Removes some of the mails that were kept long enough. One that is in hand stays.
DELETE FROM mails
WHERE id IN (
    SELECT id FROM mails
    WHERE created_at < now() - :keep::interval AND NOT (status = 'sending' AND lease_until >= now())
    ORDER BY created_at
    LIMIT :limit
);
