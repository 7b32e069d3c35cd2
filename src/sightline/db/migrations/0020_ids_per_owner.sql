-- Ids that people choose are per owner: two tenants may both have a camera `front_door` and a schedule `daily`, and neither can find
-- out that the other has. Inside, a camera is named by a key of its own.
-- removes: ids of cameras, events and alerts that count by themselves, and the columns camera_id

ALTER TABLE cameras ADD COLUMN camera_key uuid NOT NULL DEFAULT gen_random_uuid();
COMMENT ON COLUMN cameras.camera_key IS 'Names the camera inside; camera_id is what its owner calls it.';

DROP POLICY people_see_those_of_their_cameras ON camera_zones;
DROP POLICY people_see_those_of_their_cameras ON detection_batches;
DROP POLICY people_see_those_of_their_cameras ON detections;
ALTER TABLE camera_zones DROP CONSTRAINT camera_zones_camera_id_fkey, DROP CONSTRAINT camera_zones_camera_id_name_key;
ALTER TABLE detection_batches DROP CONSTRAINT detection_batches_camera_id_fkey;
ALTER TABLE camera_activity DROP CONSTRAINT camera_activity_camera_id_fkey, DROP CONSTRAINT camera_activity_pkey;
DROP INDEX detection_batches_open;
DROP INDEX detections_by_time;
DROP INDEX detections_source;

ALTER TABLE cameras DROP CONSTRAINT cameras_pkey;
ALTER TABLE cameras ADD PRIMARY KEY (camera_key);
ALTER TABLE cameras ADD CONSTRAINT cameras_of_owner UNIQUE (owner_id, camera_id);
-- The members of a team see each other's cameras, so this tells them nothing new, and an id names one camera among them.
CREATE UNIQUE INDEX cameras_of_team ON cameras (team_id, camera_id) WHERE team_id IS NOT NULL;
CREATE INDEX cameras_by_id ON cameras (camera_id);

ALTER TABLE camera_zones ADD COLUMN camera_key uuid;
ALTER TABLE detection_batches ADD COLUMN camera_key uuid;
ALTER TABLE detections ADD COLUMN camera_key uuid;
ALTER TABLE camera_activity ADD COLUMN camera_key uuid;
UPDATE camera_zones AS t SET camera_key = c.camera_key FROM cameras AS c WHERE c.camera_id = t.camera_id;
UPDATE detection_batches AS t SET camera_key = c.camera_key FROM cameras AS c WHERE c.camera_id = t.camera_id;
UPDATE detections AS t SET camera_key = c.camera_key FROM cameras AS c WHERE c.camera_id = t.camera_id;
UPDATE camera_activity AS t SET camera_key = c.camera_key FROM cameras AS c WHERE c.camera_id = t.camera_id;
ALTER TABLE camera_zones ALTER COLUMN camera_key SET NOT NULL, DROP COLUMN camera_id,
    ADD FOREIGN KEY (camera_key) REFERENCES cameras ON DELETE CASCADE, ADD UNIQUE (camera_key, name);
ALTER TABLE detection_batches ALTER COLUMN camera_key SET NOT NULL,
    ADD FOREIGN KEY (camera_key) REFERENCES cameras ON DELETE CASCADE;
ALTER TABLE detections ALTER COLUMN camera_key SET NOT NULL;
ALTER TABLE camera_activity ALTER COLUMN camera_key SET NOT NULL, DROP COLUMN camera_id,
    ADD FOREIGN KEY (camera_key) REFERENCES cameras ON DELETE CASCADE, ADD PRIMARY KEY (camera_key, day, hour, object_type);

CREATE UNIQUE INDEX detection_batches_open ON detection_batches (camera_key) WHERE state = 'open';
CREATE INDEX detections_by_time ON detections (camera_key, detected_at);
CREATE UNIQUE INDEX detections_source ON detections (camera_key, source_id) WHERE source_id IS NOT NULL;

CREATE POLICY people_see_those_of_their_cameras ON camera_zones FOR SELECT TO sightline_user
    USING (EXISTS (SELECT 1 FROM cameras AS c WHERE c.camera_key = camera_zones.camera_key)); -- which obeys the policies of cameras
CREATE POLICY people_see_those_of_their_cameras ON detection_batches FOR SELECT TO sightline_user
    USING (EXISTS (SELECT 1 FROM cameras AS c WHERE c.camera_key = detection_batches.camera_key));
CREATE POLICY people_see_those_of_their_cameras ON detections FOR SELECT TO sightline_user
    USING (EXISTS (SELECT 1 FROM cameras AS c WHERE c.camera_key = detections.camera_key));

ALTER TABLE message_schedules DROP CONSTRAINT message_schedules_name_key;
ALTER TABLE message_schedules ADD CONSTRAINT message_schedules_of_owner UNIQUE NULLS NOT DISTINCT (owner_id, name);

-- Ids that the platform draws do not count what others do.
CREATE FUNCTION sightline.random_id() RETURNS bigint
LANGUAGE sql VOLATILE PARALLEL SAFE
AS $$
    SELECT (('x' || translate(left(gen_random_uuid()::text, 13), '-', ''))::bit(48)::bigint << 4) | floor(random() * 16)::bigint
$$;
COMMENT ON FUNCTION sightline.random_id() IS
    'A number below 2^52, which every JSON reader keeps exactly. Random: a counter would tell each tenant how busy the others are.';
ALTER TABLE camera_zones ADD COLUMN created_at timestamptz NOT NULL DEFAULT clock_timestamp();
UPDATE camera_zones SET created_at = created_at + zone_id * interval '1 microsecond'; -- in the order in which they were added
ALTER TABLE camera_zones ALTER COLUMN zone_id DROP IDENTITY;
ALTER TABLE camera_zones ALTER COLUMN zone_id SET DEFAULT sightline.random_id();
ALTER TABLE events ALTER COLUMN id DROP IDENTITY;
ALTER TABLE events ALTER COLUMN id SET DEFAULT sightline.random_id();
ALTER TABLE alert_rules ALTER COLUMN rule_id DROP IDENTITY;
ALTER TABLE alert_rules ALTER COLUMN rule_id SET DEFAULT sightline.random_id();
ALTER TABLE alerts ALTER COLUMN alert_id DROP IDENTITY;
ALTER TABLE alerts ALTER COLUMN alert_id SET DEFAULT sightline.random_id();
ALTER TABLE detections ALTER COLUMN id DROP IDENTITY;
ALTER TABLE detections ALTER COLUMN id SET DEFAULT sightline.random_id();
DROP INDEX alerts_newest;
CREATE INDEX alerts_newest ON alerts (owner_id, created_at DESC, alert_id DESC);
DROP INDEX detections_by_age;
CREATE INDEX detections_by_age ON detections (created_at, detected_at, id);
