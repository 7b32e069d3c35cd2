-- Zones get two more kinds: a mask, in which nothing is looked for, and a line with a direction; and areas may say how long is too long.
-- keeps: the constraints allow more kinds than before

ALTER TABLE camera_zones
    DROP CONSTRAINT camera_zones_kind_check,
    DROP CONSTRAINT camera_zones_polygon_check,
    ADD COLUMN loiter_s integer CHECK (loiter_s BETWEEN 5 AND 86400),
    ADD COLUMN direction text CHECK (direction IN ('both', 'to_right', 'to_left')),
    ADD CONSTRAINT camera_zones_kind_check CHECK (kind IN ('entry', 'restricted', 'public', 'other', 'mask', 'line')),
    ADD CONSTRAINT camera_zones_polygon_check CHECK (
        jsonb_typeof(polygon) = 'array'
        AND CASE WHEN kind = 'line' THEN jsonb_array_length(polygon) = 2 ELSE jsonb_array_length(polygon) >= 3 END
    );
UPDATE camera_zones SET loiter_s = 60 WHERE kind IN ('entry', 'restricted');
ALTER TABLE camera_zones
    ADD CONSTRAINT camera_zones_line_has_direction CHECK ((kind = 'line') = (direction IS NOT NULL)),
    ADD CONSTRAINT camera_zones_areas_have_loitering CHECK (loiter_s IS NULL OR kind NOT IN ('mask', 'line'));
COMMENT ON COLUMN camera_zones.polygon IS
    'Corners as [x, y], each from 0 to 1 of the width and height of the picture; of a line its start and its end.';
COMMENT ON COLUMN camera_zones.loiter_s IS 'Who stays longer than this loiters; NULL: staying is fine.';
COMMENT ON COLUMN camera_zones.direction IS
    'Which crossings of a line count, as seen by somebody who walks from its start to its end.';
