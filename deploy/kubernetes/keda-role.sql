-- A login for KEDA that can count jobs and messages, and read nothing else of them. Run it once as the owner of the tables, after the
-- migration: psql "$SIGHTLINE_DATABASE_URL" -v ON_ERROR_STOP=1 -f keda-role.sql, then: \password sightline_keda
CREATE ROLE sightline_keda LOGIN CONNECTION LIMIT 10;
ALTER ROLE sightline_keda SET statement_timeout = '5s';
ALTER ROLE sightline_keda SET default_transaction_read_only = on;

GRANT USAGE ON SCHEMA public, sightline TO sightline_keda;
GRANT SELECT (id, job_type, status, open, run_after, depends_on) ON jobs TO sightline_keda;
CREATE POLICY keda_counts_jobs ON jobs FOR SELECT TO sightline_keda USING (true);

-- For the overlay `postgres` alone: the depth of queues in the database.
GRANT SELECT (id, is_declared, is_dead_letter) ON sightline.bus_queues TO sightline_keda;
GRANT SELECT (queue_id, visible_at, parked_until) ON sightline.bus_messages TO sightline_keda;
