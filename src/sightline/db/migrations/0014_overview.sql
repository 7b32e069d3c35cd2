-- What the overview counts, and lists of a caller's own among a million of others'.

-- The rule of sightline.caller_may_see, written out. PostgreSQL does not inline a function with sub-selects: it ran for every row
-- of the table (2.5 s for half a million videos), and no index could be used. So written, both indexes of videos serve.
ALTER POLICY people_see_their_own ON videos
    USING (owner_id = (SELECT auth.uid()) OR team_id = ANY ((SELECT sightline.caller_teams())::uuid[]));
ALTER POLICY people_see_their_own ON events
    USING (owner_id = (SELECT auth.uid()) OR team_id = ANY ((SELECT sightline.caller_teams())::uuid[]));
ALTER POLICY people_see_their_own ON events_archive
    USING (owner_id = (SELECT auth.uid()) OR team_id = ANY ((SELECT sightline.caller_teams())::uuid[]));

-- Jobs by when they ended, answered from the index alone. None of its columns changes while a job is claimed or renewed, so that
-- these stay HOT updates (ADR 0011); "dead" stands in for the status.
CREATE INDEX jobs_finished ON jobs (finished_at, job_type, dead, created_at) WHERE finished_at IS NOT NULL;
CREATE INDEX video_moves_ended ON video_moves (at, status) WHERE status IN ('COMPLETED', 'FAILED');
CREATE INDEX events_critical_waiting ON events (created_at DESC) WHERE risk_level = 'critical' AND acknowledged_at IS NULL;
