-- What a token says of its email address holds for the session that it began, too.
ALTER TABLE page_sessions ADD COLUMN is_email_verified boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN page_sessions.is_email_verified IS 'The identity provider vouches for the email address.';
