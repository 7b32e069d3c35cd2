-- A device is registered in the transaction in which its caller reads what was missed, so that a handshake needs only one.

CREATE FUNCTION sightline.register_live_device(stream_name text, device text, begin_at bigint) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog
AS $$
DECLARE
    begun_at bigint;
BEGIN
    -- A device that returns is only read: nothing has to be written to disk before it is greeted.
    SELECT c.since INTO begun_at FROM public.live_clients AS c
    WHERE c.stream = stream_name AND c.user_id = auth.uid() AND c.client_id = device AND c.seen_at > now() - interval '1 hour';
    IF FOUND THEN
        RETURN begun_at;
    END IF;
    INSERT INTO public.live_clients AS c (stream, user_id, client_id, since) VALUES (stream_name, auth.uid(), device, begin_at)
    ON CONFLICT (stream, user_id, client_id) DO UPDATE SET seen_at = now()
    RETURNING c.since INTO begun_at;
    RETURN begun_at;
END
$$;
COMMENT ON FUNCTION sightline.register_live_device IS
    'Registers a device of the transaction''s caller; returns the number from which on it has to acknowledge messages, set by its first connection.';
REVOKE EXECUTE ON FUNCTION sightline.register_live_device FROM PUBLIC;
GRANT EXECUTE ON FUNCTION sightline.register_live_device TO sightline_user, sightline_worker;
