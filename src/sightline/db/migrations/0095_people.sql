-- Operators see who has signed in, and with which role.

ALTER TABLE caller_memberships ADD COLUMN is_operator boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN caller_memberships.is_operator IS 'Whether that token had the role of an operator.';
CREATE INDEX caller_memberships_newest ON caller_memberships (seen_at DESC, user_id);
