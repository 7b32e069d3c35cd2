-- A small message of the feed rides in its notification, so that processes need not read it from the table (ADR 0113).

CREATE FUNCTION sightline.notify_live(
    stream text, sequence bigint, epoch text, type text, topic text, requires_ack boolean, owner_id uuid, team_id uuid, data text
) RETURNS void
LANGUAGE sql VOLATILE
SET search_path = pg_catalog
AS $$
    -- A notification may have 8000 bytes. A longer message is only announced.
    SELECT pg_notify('sightline_live', CASE WHEN octet_length(note.text) < 7900 THEN note.text ELSE stream || ' ' || sequence END)
    FROM (SELECT concat_ws(' ', stream, sequence, epoch, type, coalesce(topic, '-'), requires_ack::int, coalesce(owner_id::text, '-'),
                           coalesce(team_id::text, '-'), extract(epoch FROM clock_timestamp())) || E'\n' || data AS text) AS note
$$;
COMMENT ON FUNCTION sightline.notify_live IS
    'Notifies all processes of a message of the feed: a line of words about it, and its data; or only its stream and number.';
REVOKE EXECUTE ON FUNCTION sightline.notify_live FROM PUBLIC;
GRANT EXECUTE ON FUNCTION sightline.notify_live TO sightline_worker;
