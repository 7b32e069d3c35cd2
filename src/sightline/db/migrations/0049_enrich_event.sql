-- Text in the picture of an event is read after the event exists, as a job of its own (used by later transactions only).
ALTER TYPE job_type ADD VALUE 'enrich_event';
