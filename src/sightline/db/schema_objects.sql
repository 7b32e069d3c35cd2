-- name: current_objects
-- Tables, views, indexes, types, functions, triggers, policies and constraints of the platform's schemas.
WITH spaces AS (SELECT oid, nspname FROM pg_namespace WHERE nspname IN ('public', 'sightline'))
SELECT CASE c.relkind WHEN 'i' THEN 'index' WHEN 'I' THEN 'index' WHEN 'v' THEN 'view' WHEN 'm' THEN 'view' WHEN 'S' THEN 'sequence'
                      ELSE 'table' END AS kind,
       s.nspname || '.' || c.relname AS name
FROM pg_class AS c JOIN spaces AS s ON s.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p', 'i', 'I', 'v', 'm', 'S')
UNION ALL
SELECT 'type', s.nspname || '.' || t.typname
FROM pg_type AS t JOIN spaces AS s ON s.oid = t.typnamespace
WHERE t.typtype IN ('e', 'd') OR t.typtype = 'c' AND EXISTS (SELECT FROM pg_class AS c WHERE c.oid = t.typrelid AND c.relkind = 'c')
UNION ALL
SELECT 'function', s.nspname || '.' || p.proname || '(' || pg_get_function_identity_arguments(p.oid) || ')'
FROM pg_proc AS p JOIN spaces AS s ON s.oid = p.pronamespace
UNION ALL
SELECT 'trigger', s.nspname || '.' || c.relname || '.' || g.tgname
FROM pg_trigger AS g JOIN pg_class AS c ON c.oid = g.tgrelid JOIN spaces AS s ON s.oid = c.relnamespace
WHERE NOT g.tgisinternal
UNION ALL
SELECT 'policy', s.nspname || '.' || c.relname || '.' || o.polname
FROM pg_policy AS o JOIN pg_class AS c ON c.oid = o.polrelid JOIN spaces AS s ON s.oid = c.relnamespace
UNION ALL
SELECT 'constraint', s.nspname || '.' || c.relname || '.' || k.conname
FROM pg_constraint AS k JOIN pg_class AS c ON c.oid = k.conrelid JOIN spaces AS s ON s.oid = c.relnamespace
WHERE k.contype IN ('c', 'f', 'p', 'u', 'x');

-- name: recorded_objects
-- What the migrations have made.
SELECT kind, name FROM sightline.schema_objects;

-- name: has_record
-- Whether the migration that begins the record was applied.
SELECT to_regclass('sightline.schema_objects') IS NOT NULL;

-- name: add_objects
-- Records what a migration has made.
INSERT INTO sightline.schema_objects (kind, name)
SELECT made.kind, made.name FROM unnest(:kinds::text[], :names::text[]) AS made (kind, name)
ON CONFLICT DO NOTHING;

-- name: remove_objects
-- Takes what a migration has removed out of the record.
DELETE FROM sightline.schema_objects AS o
USING unnest(:kinds::text[], :names::text[]) AS gone (kind, name)
WHERE o.kind = gone.kind AND o.name = gone.name;
