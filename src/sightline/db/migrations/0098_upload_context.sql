-- The trace of an upload continues when another request, an event of the store, or the scanner completes it.

ALTER TABLE uploads ADD COLUMN context jsonb;
COMMENT ON COLUMN uploads.context IS 'Correlation id and trace of the request that began it.';
