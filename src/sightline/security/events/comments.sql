-- name: insert_comment
-- A comment of a person on an event; nothing if the event has as many as it may.
INSERT INTO event_comments (event_id, author_id, author, body)
SELECT :event_id, :author_id, :author, :body
WHERE (SELECT count(*) FROM event_comments WHERE event_id = :event_id) < :max_comments
RETURNING comment_id, event_id, author_id, author, body, created_at, edited_at;

-- name: comments_of
-- The comments on these events, oldest first, as far as the caller may see the events.
SELECT comment_id, event_id, author_id, author, body, created_at, edited_at
FROM event_comments WHERE event_id = ANY(:event_ids::bigint[]) ORDER BY created_at, comment_id;

-- name: get_comment
-- One comment on an event.
SELECT comment_id, event_id, author_id, author, body, created_at, edited_at
FROM event_comments WHERE event_id = :event_id AND comment_id = :comment_id;

-- name: edit_comment
-- A person changes their own comment.
UPDATE event_comments SET body = :body, edited_at = clock_timestamp()
WHERE event_id = :event_id AND comment_id = :comment_id AND author_id = :author_id
RETURNING comment_id, event_id, author_id, author, body, created_at, edited_at;

-- name: delete_comment
-- A person deletes their own comment.
DELETE FROM event_comments WHERE event_id = :event_id AND comment_id = :comment_id AND author_id = :author_id;

-- name: comment_counts
-- How many comments these events have.
SELECT event_id, count(*) AS comments FROM event_comments WHERE event_id = ANY(:event_ids::bigint[]) GROUP BY event_id;
