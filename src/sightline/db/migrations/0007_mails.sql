-- Mails of document 004: one for each move of a video that calls for one, and what became of it.

CREATE TYPE mail_status AS ENUM ('queued', 'sending', 'sent', 'failed', 'skipped');

CREATE TABLE mails (
    id uuid PRIMARY KEY,
    video_id uuid NOT NULL,
    template text NOT NULL,
    move integer NOT NULL CHECK (move >= 1),
    owner_id uuid,
    language text NOT NULL,
    recipient text,
    subject text NOT NULL,
    body_text text NOT NULL,
    body_html text NOT NULL,
    variables jsonb NOT NULL,
    status mail_status NOT NULL DEFAULT 'queued',
    channel text,
    provider_id text,
    attempts integer NOT NULL DEFAULT 0 CHECK (attempts >= 0),
    last_error text,
    lease_until timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    sent_at timestamptz,
    UNIQUE (video_id, template, move),
    CHECK (recipient IS NOT NULL OR status = 'skipped'),
    CHECK ((status = 'sending') = (lease_until IS NOT NULL)),
    CHECK ((status = 'sent') = (sent_at IS NOT NULL))
);
COMMENT ON TABLE mails IS 'One row per mail, whatever channel it leaves by. Moves are guarded by a trigger.';
COMMENT ON COLUMN mails.move IS 'The number of the video''s move that called for it: each move has its mail once.';
COMMENT ON COLUMN mails.variables IS 'What was put into the template, for channels that fill it themselves.';
COMMENT ON COLUMN mails.attempts IS 'How often it was taken in hand; also tells a sender that was given up from its successor.';
COMMENT ON COLUMN mails.lease_until IS 'While it is being sent: until when nobody else may try.';

CREATE INDEX mails_newest ON mails (created_at DESC, id DESC);
CREATE INDEX mails_owner_newest ON mails (owner_id, created_at DESC, id DESC) WHERE owner_id IS NOT NULL;

CREATE FUNCTION sightline.guard_mail_moves() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    IF NOT (OLD.status = 'queued' AND NEW.status = 'sending'
        OR OLD.status = 'failed' AND NEW.status IN ('sending', 'queued')
        -- Taken over, or let go, after its sender vanished.
        OR OLD.status = 'sending' AND NEW.status IN ('sending', 'sent', 'queued', 'failed'))
    THEN
        RAISE EXCEPTION 'mail % cannot go from % to %', OLD.id, OLD.status, NEW.status USING ERRCODE = 'check_violation';
    END IF;
    NEW.updated_at := now();
    RETURN NEW;
END
$$;
COMMENT ON FUNCTION sightline.guard_mail_moves() IS 'Refuses moves that mails do not make; a mail that was sent or skipped stays that.';

CREATE TRIGGER guard_moves BEFORE UPDATE ON mails FOR EACH ROW EXECUTE FUNCTION sightline.guard_mail_moves();

SELECT sightline.protect('mails');
GRANT SELECT ON mails TO sightline_user;
-- A mail is its recipient's, not the team's: it shows an address.
CREATE POLICY people_see_their_own ON mails FOR SELECT TO sightline_user USING (owner_id = (SELECT auth.uid()));
