-- Retention of archived events counts from when they were archived; the time of an event is what its sender says.
ALTER TABLE sightline.bus_archived_events ADD COLUMN archived_at timestamptz NOT NULL DEFAULT now();
CREATE INDEX bus_archived_events_by_age ON sightline.bus_archived_events (archive_id, archived_at);
