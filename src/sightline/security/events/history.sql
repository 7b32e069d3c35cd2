-- name: record
-- One more thing that happened to an event.
INSERT INTO event_history (event_id, action, actor_id, actor, details)
VALUES (:event_id, :action, :actor_id, :actor, :details)
RETURNING entry_id;

-- name: history_of
-- What happened to these events, in order, as far as the caller may see the events.
SELECT entry_id, event_id, at, action, actor_id, actor, details
FROM event_history WHERE event_id = ANY(:event_ids::bigint[]) ORDER BY at, entry_id LIMIT :limit;

-- name: has_resolution
-- Whether a person's notes are kept already, as the resolution or beside it.
SELECT EXISTS (SELECT FROM event_history
               WHERE event_id = :event_id AND action IN ('resolved', 'resolution_added')
                 AND actor_id IS NOT DISTINCT FROM :actor_id::uuid AND details ->> 'notes' = :notes);
