-- What a person may see while they are not there: alert rules watch a team's cameras only as long as their owner is a member.

CREATE TABLE caller_memberships (
    user_id uuid PRIMARY KEY,
    team_ids uuid[] NOT NULL,
    issued_at timestamptz NOT NULL,
    seen_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL
);
COMMENT ON TABLE caller_memberships IS 'The teams that each person''s newest token named.';
COMMENT ON COLUMN caller_memberships.issued_at IS 'When that token was issued: an older one that is still valid changes nothing.';
COMMENT ON COLUMN caller_memberships.expires_at IS 'Until when it counts without the person''s return.';
SELECT sightline.protect('caller_memberships');
GRANT SELECT ON caller_memberships TO sightline_user;
CREATE POLICY people_see_their_own ON caller_memberships FOR SELECT TO sightline_user USING (user_id = (SELECT auth.uid()));

CREATE FUNCTION sightline.is_member(person uuid, team uuid) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE
AS $$
    SELECT EXISTS (SELECT FROM caller_memberships AS m
                   WHERE m.user_id = person AND team = ANY (m.team_ids) AND m.expires_at > now())
$$;
COMMENT ON FUNCTION sightline.is_member(uuid, uuid) IS
    'Whether a person belongs to a team by the claims last seen of them, for work that runs without them.';

-- Rules that watch a team today go on until their owner's next sign-in says otherwise, or does not happen.
INSERT INTO caller_memberships (user_id, team_ids, issued_at, expires_at)
SELECT owner_id, array_agg(DISTINCT team_id), '-infinity', now() + interval '7 days'
FROM alert_rules WHERE team_id IS NOT NULL
GROUP BY owner_id;
