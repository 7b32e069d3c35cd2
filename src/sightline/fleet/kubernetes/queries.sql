-- name: jobs_for_workers
-- How many jobs these workers have or could take now, for KEDA. Running ones count: a worker must not be removed under its job.
-- Jobs that wait for a delay or for another job do not: nobody could take them.
SELECT count(*) FROM jobs AS j
WHERE j.job_type = ANY (:job_types::job_type[]) AND j.open AND (j.run_after IS NULL OR j.run_after <= now())
  AND (j.status = 'processing' OR j.depends_on IS NULL
       OR (SELECT d.status FROM jobs AS d WHERE d.id = j.depends_on) = 'done')

-- name: messages_for_consumers
-- How many messages of the platform's own queues could be received now, for KEDA. Queues of clients have consumers elsewhere.
SELECT count(*) FROM sightline.bus_messages AS m JOIN sightline.bus_queues AS q ON q.id = m.queue_id
WHERE q.is_declared AND NOT q.is_dead_letter AND coalesce(m.parked_until, m.visible_at) <= now()
