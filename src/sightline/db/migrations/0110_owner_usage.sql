-- What each owner used, by day, and the quotas that differ from the defaults (ADR 0109).

CREATE TABLE owner_usage (
    owner_id uuid NOT NULL,
    day date NOT NULL,
    measure text NOT NULL CHECK (measure <> ''),
    amount bigint NOT NULL,
    PRIMARY KEY (owner_id, day, measure)
);
COMMENT ON TABLE owner_usage IS
    'What an owner used on a day (UTC). It stays when videos and jobs are removed. Measures that begin with stored_ are what there was when '
    'it was last measured on that day; all others are sums.';
CREATE INDEX owner_usage_of_day ON owner_usage (day, owner_id);
SELECT sightline.protect('owner_usage');
GRANT SELECT ON owner_usage TO sightline_user;
CREATE POLICY people_see_their_own ON owner_usage FOR SELECT TO sightline_user USING (owner_id = (SELECT auth.uid()));

CREATE TABLE owner_usage_changes (
    change_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    owner_id uuid NOT NULL,
    day date NOT NULL DEFAULT (now() AT TIME ZONE 'UTC')::date,
    measure text NOT NULL CHECK (measure <> ''),
    amount bigint NOT NULL
);
COMMENT ON TABLE owner_usage_changes IS
    'What was used since the last time it was added up: only inserted, so that no two transactions wait for the row of an owner.';
CREATE INDEX owner_usage_changes_of_owner ON owner_usage_changes (owner_id, day);
SELECT sightline.protect('owner_usage_changes');
GRANT SELECT ON owner_usage_changes TO sightline_user;
CREATE POLICY people_see_their_own ON owner_usage_changes FOR SELECT TO sightline_user USING (owner_id = (SELECT auth.uid()));

-- Each in the statement that makes the change, whoever runs it: workers of other programs count as well.

CREATE FUNCTION sightline.count_upload() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    INSERT INTO public.owner_usage_changes (owner_id, measure, amount)
    VALUES (NEW.owner_id, 'uploads', 1), (NEW.owner_id, 'uploaded_bytes', coalesce(NEW.size_bytes, 0));
    RETURN NULL;
END
$$;
CREATE TRIGGER count_upload AFTER UPDATE OF status ON videos FOR EACH ROW
    WHEN (OLD.status <> 'UPLOADED' AND NEW.status = 'UPLOADED') EXECUTE FUNCTION sightline.count_upload();

CREATE FUNCTION sightline.count_video_length() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    INSERT INTO public.owner_usage_changes (owner_id, measure, amount) VALUES (NEW.owner_id, 'processed_ms', NEW.duration_ms);
    RETURN NULL;
END
$$;
CREATE TRIGGER count_length AFTER UPDATE OF duration_ms ON videos FOR EACH ROW
    WHEN (OLD.duration_ms IS NULL AND NEW.duration_ms > 0) EXECUTE FUNCTION sightline.count_video_length();

CREATE FUNCTION sightline.count_transcribed() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    INSERT INTO public.owner_usage_changes (owner_id, measure, amount)
    SELECT v.owner_id, 'transcribed_ms', NEW.heard_ms - OLD.heard_ms FROM public.videos AS v WHERE v.id = NEW.video_id;
    RETURN NULL;
END
$$;
CREATE TRIGGER count_transcribed AFTER UPDATE OF heard_ms ON transcripts FOR EACH ROW
    WHEN (NEW.heard_ms > OLD.heard_ms) EXECUTE FUNCTION sightline.count_transcribed();

CREATE FUNCTION sightline.count_job_time() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    INSERT INTO public.owner_usage_changes (owner_id, measure, amount)
    SELECT v.owner_id, counted.measure, counted.amount
    FROM public.videos AS v,
         LATERAL (VALUES ('job_ms.' || NEW.job_type, greatest(0, extract(epoch FROM clock_timestamp() - OLD.started_at) * 1000)::bigint),
                         ('frames_read', CASE WHEN NEW.job_type = 'ocr' AND NEW.status = 'done' AND jsonb_typeof(NEW.payload -> 'frame_paths') = 'array'
                                              THEN jsonb_array_length(NEW.payload -> 'frame_paths') END)) AS counted (measure, amount)
    WHERE v.id = NEW.video_id AND counted.amount > 0;
    RETURN NULL;
END
$$;
-- Jobs without a video belong to the platform or to a camera; they are many, small, and counted for nobody.
CREATE TRIGGER count_time AFTER UPDATE OF status ON jobs FOR EACH ROW
    WHEN (OLD.status = 'processing' AND NEW.status <> 'processing' AND NEW.video_id IS NOT NULL AND OLD.started_at IS NOT NULL)
    EXECUTE FUNCTION sightline.count_job_time();

CREATE FUNCTION sightline.count_notification() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    INSERT INTO public.owner_usage_changes (owner_id, measure, amount) VALUES (NEW.owner_id, 'notifications', 1);
    RETURN NULL;
END
$$;
CREATE TRIGGER count_notification AFTER UPDATE OF status ON messages FOR EACH ROW
    WHEN (OLD.status <> 'completed' AND NEW.status = 'completed' AND NEW.owner_id IS NOT NULL)
    EXECUTE FUNCTION sightline.count_notification();
CREATE TRIGGER count_notification AFTER UPDATE OF status ON mails FOR EACH ROW
    WHEN (OLD.status <> 'sent' AND NEW.status = 'sent' AND NEW.owner_id IS NOT NULL)
    EXECUTE FUNCTION sightline.count_notification();

REVOKE EXECUTE ON FUNCTION sightline.count_upload(), sightline.count_video_length(), sightline.count_transcribed(),
    sightline.count_job_time(), sightline.count_notification() FROM PUBLIC;

CREATE TABLE owner_quotas (
    owner_id uuid PRIMARY KEY,
    storage_bytes bigint CHECK (storage_bytes >= 0),
    videos integer CHECK (videos >= 0),
    open_uploads integer CHECK (open_uploads >= 0),
    minutes_per_month integer CHECK (minutes_per_month >= 0),
    changed_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE owner_quotas IS 'Quotas of owners to whom the defaults of the settings do not apply: NULL is the default, 0 is no limit.';
SELECT sightline.protect('owner_quotas');
GRANT SELECT ON owner_quotas TO sightline_user;
CREATE POLICY people_see_their_own ON owner_quotas FOR SELECT TO sightline_user USING (owner_id = (SELECT auth.uid()));
