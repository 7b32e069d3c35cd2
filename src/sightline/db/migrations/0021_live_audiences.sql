-- Numbers of the live feed that a caller sees count the messages for that caller, and nothing else (ADR 0039).

CREATE TABLE live_audiences (
    stream text NOT NULL,
    owner_id uuid,
    team_id uuid,
    top bigint NOT NULL DEFAULT 0,
    removed bigint NOT NULL DEFAULT 0 CHECK (removed <= top),
    UNIQUE NULLS NOT DISTINCT (stream, owner_id, team_id)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
COMMENT ON TABLE live_audiences IS
    'How many messages there were for each pair of owner and team. A caller''s number is the sum over the pairs that they may see.';
COMMENT ON COLUMN live_audiences.removed IS 'How many of them are no longer kept.';
CREATE INDEX live_audiences_of_team ON live_audiences (stream, team_id) WHERE team_id IS NOT NULL;
SELECT sightline.protect('live_audiences');
GRANT SELECT ON live_audiences TO sightline_user;
CREATE POLICY people_see_their_own_and_what_is_for_all ON live_audiences FOR SELECT TO sightline_user
    USING (owner_id IS NULL AND team_id IS NULL OR sightline.caller_may_see(owner_id, team_id));

CREATE FUNCTION sightline.count_removed_messages() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    -- As those who append do: first the stream, then its counts.
    PERFORM FROM live_streams WHERE stream IN (SELECT stream FROM gone) ORDER BY stream FOR UPDATE;
    UPDATE live_audiences AS a SET removed = a.removed + g.count
    FROM (SELECT stream, owner_id, team_id, count(*) FROM gone GROUP BY stream, owner_id, team_id) AS g
    WHERE a.stream = g.stream AND a.owner_id IS NOT DISTINCT FROM g.owner_id AND a.team_id IS NOT DISTINCT FROM g.team_id;
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION sightline.count_removed_messages() IS 'Keeps the number of a message the same when older ones go.';
CREATE TRIGGER count_removed AFTER DELETE ON live_messages REFERENCING OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION sightline.count_removed_messages();

-- Each count goes on from the stream's number, so no caller's number is lower than one that their clients already have. Where the
-- messages were all for one audience, as on an installation of one person, numbers stay what they were and clients resume.
-- Elsewhere they change, and so does the epoch: clients are told to load afresh.
INSERT INTO live_audiences (stream, owner_id, team_id, top, removed)
SELECT m.stream, m.owner_id, m.team_id, s.top, s.top - count(*)
FROM live_messages AS m JOIN live_streams AS s ON s.stream = m.stream
GROUP BY m.stream, m.owner_id, m.team_id, s.top;
UPDATE live_streams AS s SET epoch = substr(md5(gen_random_uuid()::text), 1, 8)
WHERE (SELECT count(*) FROM live_audiences AS a WHERE a.stream = s.stream) > 1;
