-- name: delete_readings_in_range
-- Readings of a part of a video, before they are stored again.
DELETE FROM segments
WHERE video_id = :video_id AND NOT is_merged
  AND t_start >= :from_ms AND (:until_ms::integer IS NULL OR t_start < :until_ms::integer);

-- name: insert_readings
-- Readings of a video, owned as the video is; none if the video was removed. The lock keeps the video until they are stored.
-- Their ids begin like that of the video (segments/local_id.py).
WITH video AS (SELECT id, owner_id, team_id FROM videos WHERE id = :video_id FOR KEY SHARE)
INSERT INTO segments (id, video_id, owner_id, team_id, text, normalized_text, text_hash, t_start, t_end, confidence,
                      bounding_box, language, frame_ms)
SELECT (left(v.id::text, 13) || substr(gen_random_uuid()::text, 14))::uuid, v.id, v.owner_id, v.team_id, r.text, r.normalized_text, r.text_hash, r.t_start, r.t_end, r.confidence,
       jsonb_build_object('x', r.x, 'y', r.y, 'width', r.width, 'height', r.height), r.language, r.t_start
FROM video AS v,
     unnest(:texts::text[], :normalized::text[], :hashes::text[], :starts::integer[], :ends::integer[],
            :confidences::real[], :xs::integer[], :ys::integer[], :widths::integer[], :heights::integer[],
            :languages::text[])
         AS r (text, normalized_text, text_hash, t_start, t_end, confidence, x, y, width, height, language);

-- name: read_readings
-- All unmerged readings of a video, in the order of time and reading.
SELECT id, text, t_start, t_end, confidence, bounding_box, language
FROM segments WHERE video_id = :video_id AND NOT is_merged
ORDER BY t_start, (bounding_box ->> 'y')::numeric, (bounding_box ->> 'x')::numeric, text;

-- name: read_segments
-- All merged segments of a video, or those of one kind, in the order of time; those that begin together in reading order.
SELECT id, video_id, text, normalized_text, t_start, t_end, confidence, bounding_box, language,
       coalesce(frame_ms, t_start) AS frame_ms, readings, kind, words, block, block_kind, block_line, appears_ms
FROM segments WHERE video_id = :video_id AND is_merged AND (:kind::text IS NULL OR kind = :kind::text)
ORDER BY t_start, block, block_line, id;

-- name: delete_merged
-- The merged segments of a video with their entities, and the readings that are merged now. Speech stays.
DELETE FROM segments WHERE video_id = :video_id AND kind = 'text' AND (is_merged OR id = ANY (:readings::uuid[]));

-- name: insert_merged
-- Merged segments of a video, owned as the video is. The lock lets no change of the owner in until they are stored.
WITH video AS (SELECT id, owner_id, team_id FROM videos WHERE id = :video_id FOR KEY SHARE)
INSERT INTO segments (id, video_id, owner_id, team_id, text, normalized_text, text_hash, t_start, t_end, confidence,
                      bounding_box, language, frame_ms, readings, is_merged, block, block_kind, block_line, appears_ms)
SELECT m.id, v.id, v.owner_id, v.team_id, m.text, m.normalized_text, m.text_hash, m.t_start, m.t_end, m.confidence,
       m.box::jsonb, m.language, m.frame_ms, m.readings, true, m.block, m.block_kind, m.block_line, m.appears_ms
FROM video AS v,
     unnest(:ids::uuid[], :texts::text[], :normalized::text[], :hashes::text[], :starts::integer[], :ends::integer[],
            :confidences::real[], :boxes::text[], :languages::text[], :frames::integer[], :readings::integer[],
            :blocks::integer[], :block_kinds::text[], :block_lines::integer[], :appears::integer[])
         AS m (id, text, normalized_text, text_hash, t_start, t_end, confidence, box, language, frame_ms, readings,
               block, block_kind, block_line, appears_ms);

-- name: update_places
-- The blocks and lines of segments whose place has changed.
UPDATE segments AS s SET block = p.block, block_kind = p.block_kind, block_line = p.block_line, appears_ms = p.appears_ms
FROM unnest(:ids::uuid[], :blocks::integer[], :block_kinds::text[], :block_lines::integer[], :appears::integer[])
         AS p (id, block, block_kind, block_line, appears_ms)
WHERE s.id = p.id;

-- name: delete_entities
-- All entities of a video.
DELETE FROM entities AS e USING segments AS s WHERE s.id = e.segment_id AND s.video_id = :video_id;

-- name: insert_entities
-- Entities of segments. Their ids begin like those of the segments (segments/local_id.py).
INSERT INTO entities (id, segment_id, entity_type, value, normalized_value, start_offset)
SELECT (left(e.segment_id::text, 13) || substr(gen_random_uuid()::text, 14))::uuid, e.segment_id, e.entity_type::entity_type, e.value, e.normalized_value, e.start_offset
FROM unnest(:segment_ids::uuid[], :types::text[], :values::text[], :normalized::text[], :starts::integer[])
         AS e (segment_id, entity_type, value, normalized_value, start_offset);

-- name: list_segments
-- Merged segments of a video by time and reading order, one page of them; on screen in the given time.
SELECT id, video_id, text, normalized_text, t_start, t_end, confidence, bounding_box, language,
       coalesce(frame_ms, t_start) AS frame_ms, readings, kind, words, block, block_kind, block_line, appears_ms
FROM segments
WHERE video_id = :video_id AND is_merged
  AND (:from_ms::integer IS NULL OR t_end > :from_ms::integer)
  AND (:until_ms::integer IS NULL OR t_start < :until_ms::integer)
  AND (:min_confidence::real IS NULL OR confidence >= :min_confidence::real)
  AND (:language::text IS NULL OR language = :language::text)
  AND (:kind::text IS NULL OR kind = :kind::text)
ORDER BY coalesce(appears_ms, t_start), block, block_line, t_start, id
LIMIT :limit OFFSET :offset;

-- name: count_segments
-- How many merged segments list_segments pages through.
SELECT count(*) FROM segments
WHERE video_id = :video_id AND is_merged
  AND (:from_ms::integer IS NULL OR t_end > :from_ms::integer)
  AND (:until_ms::integer IS NULL OR t_start < :until_ms::integer)
  AND (:min_confidence::real IS NULL OR confidence >= :min_confidence::real)
  AND (:language::text IS NULL OR language = :language::text)
  AND (:kind::text IS NULL OR kind = :kind::text);

-- name: list_entities
-- Entities of a video with the time they are on screen, one page of them.
SELECT e.id, e.segment_id, e.entity_type::text AS entity_type, e.value, e.normalized_value, e.start_offset, s.t_start, s.t_end, s.text
FROM segments AS s JOIN entities AS e ON e.segment_id = s.id
WHERE s.video_id = :video_id AND s.is_merged
  AND (:entity_type::text IS NULL OR e.entity_type = :entity_type::text::entity_type)
  AND (:normalized::text[] IS NULL OR e.normalized_value = ANY (:normalized::text[]))
ORDER BY s.t_start, s.id, e.start_offset, e.id
LIMIT :limit OFFSET :offset;

-- name: count_entities
-- How many entities list_entities pages through.
SELECT count(*)
FROM segments AS s JOIN entities AS e ON e.segment_id = s.id
WHERE s.video_id = :video_id AND s.is_merged
  AND (:entity_type::text IS NULL OR e.entity_type = :entity_type::text::entity_type)
  AND (:normalized::text[] IS NULL OR e.normalized_value = ANY (:normalized::text[]));

-- name: adopt_segments
-- Segments that another program stored: they count as merged, and belong to the owner of the video.
UPDATE segments AS s SET is_merged = true, owner_id = v.owner_id, team_id = v.team_id
FROM videos AS v
WHERE v.id = :video_id AND s.video_id = v.id
  AND (NOT s.is_merged OR (s.owner_id, s.team_id) IS DISTINCT FROM (v.owner_id, v.team_id));

-- name: entities_of_video
-- All entities of a video.
SELECT e.id, e.segment_id, e.entity_type::text AS entity_type, e.value, e.normalized_value, coalesce(e.start_offset, 0) AS start_offset
FROM segments AS s JOIN entities AS e ON e.segment_id = s.id
WHERE s.video_id = :video_id AND s.is_merged;

-- name: normalize_entities
-- Gives entities the form by which they are searched.
UPDATE entities AS e SET normalized_value = n.normalized
FROM unnest(:ids::uuid[], :normalized::text[]) AS n (id, normalized)
WHERE e.id = n.id;

-- name: delete_speech
-- Spoken segments of a part of a video, before they are stored again.
DELETE FROM segments WHERE video_id = :video_id AND kind = 'speech' AND t_start >= :from_ms AND t_start < :until_ms;

-- name: insert_speech
-- Spoken segments of a video, owned as the video is. Their ids begin like that of the video (segments/local_id.py).
-- The lock lets no change of the owner in until they are stored.
WITH video AS (SELECT id, owner_id, team_id FROM videos WHERE id = :video_id FOR KEY SHARE)
INSERT INTO segments (id, video_id, owner_id, team_id, kind, text, normalized_text, text_hash, t_start, t_end, confidence,
                      bounding_box, language, frame_ms, words, is_merged)
SELECT (left(v.id::text, 13) || substr(gen_random_uuid()::text, 14))::uuid, v.id, v.owner_id, v.team_id, 'speech', s.text, s.normalized, s.hash, s.t_start, s.t_end, s.confidence,
       '{"x": 0, "y": 0, "width": 0, "height": 0}', s.language, s.t_start, s.words::jsonb, true
FROM video AS v,
     unnest(:texts::text[], :normalized::text[], :hashes::text[], :starts::integer[], :ends::integer[],
            :confidences::real[], :languages::text[], :words::text[])
         AS s (text, normalized, hash, t_start, t_end, confidence, language, words);
