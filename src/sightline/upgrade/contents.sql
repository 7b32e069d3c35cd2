-- name: databases
-- Every database that a person or the platform may have put something into.
SELECT datname AS name, datallowconn AS is_open
FROM pg_database
WHERE datname <> 'template0'
ORDER BY datname;

-- name: roles
-- Roles with their passwords, their memberships, and settings of roles and databases.
SELECT format('role %I', rolname) AS name,
       concat_ws(' ', rolsuper, rolinherit, rolcreaterole, rolcreatedb, rolcanlogin, rolreplication, rolbypassrls,
                 rolconnlimit, rolpassword, rolvaliduntil) AS content
FROM pg_authid
WHERE rolname !~ '^pg_'
UNION ALL
SELECT format('membership of %I in %I', member.rolname, granted.rolname), bool_or(m.admin_option)::text
FROM pg_auth_members AS m
JOIN pg_authid AS granted ON granted.oid = m.roleid
JOIN pg_authid AS member ON member.oid = m.member
WHERE member.rolname !~ '^pg_'
GROUP BY member.rolname, granted.rolname
UNION ALL
SELECT format('settings of role %I in database %I', coalesce(r.rolname, 'all'), coalesce(d.datname, 'all')), s.setconfig::text
FROM pg_db_role_setting AS s
LEFT JOIN pg_authid AS r ON r.oid = s.setrole
LEFT JOIN pg_database AS d ON d.oid = s.setdatabase;

-- name: schema_objects
-- The names of all objects of one database, without those that PostgreSQL or an extension brings.
WITH own_schemas AS (
    SELECT oid, nspname FROM pg_namespace WHERE nspname !~ '^pg_' AND nspname <> 'information_schema'
), of_extensions AS (
    SELECT classid, objid FROM pg_depend WHERE deptype = 'e'
)
SELECT format('relation %I.%I of kind %s', n.nspname, c.relname, c.relkind) AS name
FROM pg_class AS c
JOIN own_schemas AS n ON n.oid = c.relnamespace
LEFT JOIN pg_index AS i ON i.indexrelid = c.oid
WHERE c.relpersistence <> 't' AND i.indisvalid IS NOT FALSE
  AND ('pg_class'::regclass, c.oid) NOT IN (SELECT classid, objid FROM of_extensions)
UNION ALL
SELECT format('constraint %I of %s', k.conname, k.conrelid::regclass)
FROM pg_constraint AS k
JOIN own_schemas AS n ON n.oid = k.connamespace
WHERE k.contype <> 'n' -- in the catalog only since PostgreSQL 18
UNION ALL
SELECT format('trigger %I of %s', t.tgname, t.tgrelid::regclass) FROM pg_trigger AS t WHERE NOT t.tgisinternal
UNION ALL
SELECT format('policy %I of %s', p.polname, p.polrelid::regclass) FROM pg_policy AS p
UNION ALL
SELECT format('function %s', p.oid::regprocedure)
FROM pg_proc AS p
JOIN own_schemas AS n ON n.oid = p.pronamespace
WHERE ('pg_proc'::regclass, p.oid) NOT IN (SELECT classid, objid FROM of_extensions)
UNION ALL
SELECT format('extension %I', extname) FROM pg_extension;

-- name: extensions
-- What the new server must have for this database.
SELECT extname AS name FROM pg_extension ORDER BY extname;

-- name: available_extensions
-- What a server has.
SELECT name FROM pg_available_extensions;

-- name: sequences
-- Every sequence and the number that it gave last.
SELECT format('sequence %I.%I', schemaname, sequencename) AS name,
       concat_ws(' ', data_type, start_value, min_value, max_value, increment_by, cycle, last_value) AS content
FROM pg_sequences;

-- name: large_objects
-- Bytes that are kept outside of tables.
SELECT format('large object %s', oid) AS name, md5(lo_get(oid)) AS content FROM pg_largeobject_metadata;

-- name: table_digests
-- For every table a statement that counts its rows and sums up their checksums, in any order of rows. Generated columns are left
-- out: a newer server may compute them in another way, such as the stems of words.
SELECT format('table %I.%I', n.nspname, c.relname) AS name,
       format(
           $$SELECT count(*) AS row_count,
                    concat_ws(' ', sum(('x' || left(md5, 16))::bit(64)::bigint::numeric),
                                   sum(('x' || right(md5, 16))::bit(64)::bigint::numeric)) AS digest
             FROM (SELECT md5(ROW(%s)::text) FROM ONLY %I.%I) AS rows$$,
           (SELECT string_agg(format('%I', a.attname), ', ' ORDER BY a.attnum)
            FROM pg_attribute AS a
            WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''),
           n.nspname, c.relname) AS statement
FROM pg_class AS c
JOIN pg_namespace AS n ON n.oid = c.relnamespace
WHERE c.relkind = 'r' AND c.relpersistence <> 't' AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
  AND NOT EXISTS (
      SELECT FROM pg_depend AS d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
ORDER BY c.relname;
