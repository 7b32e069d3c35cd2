-- Mails that stay here because no mail server is set have a status of their own: they were never sent.
-- removes: the type mail_status, which gets a value that older versions do not know

ALTER TABLE mails DISABLE TRIGGER guard_moves;
ALTER TABLE mails DROP CONSTRAINT mails_check, DROP CONSTRAINT mails_check1, DROP CONSTRAINT mails_check2;
ALTER TABLE mails ALTER COLUMN status DROP DEFAULT;

-- A value that was added to an enum cannot be used in the same transaction, so the type is made anew.
ALTER TYPE mail_status RENAME TO mail_status_before;
CREATE TYPE mail_status AS ENUM ('queued', 'sending', 'sent', 'kept', 'failed', 'skipped');
ALTER TABLE mails ALTER COLUMN status TYPE mail_status
    USING CASE WHEN status = 'sent' AND channel = 'sink' THEN 'kept' ELSE status::text END::mail_status;
DROP TYPE mail_status_before;
UPDATE mails SET sent_at = NULL, provider_id = NULL WHERE status = 'kept';

ALTER TABLE mails
    ALTER COLUMN status SET DEFAULT 'queued',
    ADD CONSTRAINT mails_recipient_or_skipped CHECK (recipient IS NOT NULL OR status = 'skipped'),
    ADD CONSTRAINT mails_lease_while_sending CHECK ((status = 'sending') = (lease_until IS NOT NULL)),
    ADD CONSTRAINT mails_sent_at_when_sent CHECK ((status = 'sent') = (sent_at IS NOT NULL));
COMMENT ON COLUMN mails.status IS 'kept: no mail server is set, so the mail stays here and was not sent.';

CREATE OR REPLACE FUNCTION sightline.guard_mail_moves() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    IF NOT (OLD.status = 'queued' AND NEW.status = 'sending'
        OR OLD.status = 'failed' AND NEW.status IN ('sending', 'queued')
        -- Sent after all, when a mail server was set.
        OR OLD.status = 'kept' AND NEW.status = 'queued'
        -- Taken over, or let go, after its sender vanished.
        OR OLD.status = 'sending' AND NEW.status IN ('sending', 'sent', 'kept', 'queued', 'failed'))
    THEN
        RAISE EXCEPTION 'mail % cannot go from % to %', OLD.id, OLD.status, NEW.status USING ERRCODE = 'check_violation';
    END IF;
    NEW.updated_at := now();
    RETURN NEW;
END
$$;
ALTER TABLE mails ENABLE TRIGGER guard_moves;
