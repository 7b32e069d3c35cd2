-- A message is written three times: created, claimed, completed. Each time cost an entry in each of five indexes, because one of them holds
-- the status, and a call of the guard. Now a claim is an update in place, and the guard is called only for a move that it refuses.
-- keeps: the statements of older versions find what they found, by other indexes

DROP INDEX messages_status_newest;
-- What no notification was sent for: the same from the creation to the completion, so that claims and failures do not touch it.
CREATE INDEX messages_unsent_newest ON messages (created_date DESC, message_id DESC) WHERE notification_id IS NULL;

-- Messages expire about in the order in which they were created.
DROP INDEX messages_ttl;
CREATE INDEX messages_ttl ON messages USING brin (ttl) WITH (autosummarize = on);

-- Room for the next version of a row on its page.
ALTER TABLE messages SET (fillfactor = 70);

DROP TRIGGER guard_moves ON messages;
CREATE TRIGGER guard_moves BEFORE UPDATE ON messages FOR EACH ROW
    WHEN (NOT (OLD.status IN ('created', 'failed') AND NEW.status IN ('queued', 'processing')
        OR OLD.status = 'queued' AND NEW.status IN ('queued', 'processing')
        OR OLD.status = 'processing' AND NEW.status IN ('processing', 'completed', 'failed', 'queued')))
    EXECUTE FUNCTION sightline.guard_message_moves();
