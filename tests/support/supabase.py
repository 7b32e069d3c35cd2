"""A database as Supabase makes it: its roles, its schemas auth and extensions, and default privileges that give everything away.

The roles belong to a whole server, so it needs one of its own. The superuser plays `supabase_admin`; `project` plays Supabase's
`postgres`, which owns the database and is no superuser.
"""

import asyncpg

from sightline.db import EmbeddedPostgres

PASSWORD = "supabase"
ROLES = f"""
DROP ROLE IF EXISTS sightline_service, sightline_user, sightline_worker;
CREATE ROLE project LOGIN PASSWORD '{PASSWORD}' NOSUPERUSER CREATEDB CREATEROLE REPLICATION BYPASSRLS;
CREATE ROLE anon NOLOGIN NOINHERIT;
CREATE ROLE authenticated NOLOGIN NOINHERIT;
CREATE ROLE service_role NOLOGIN NOINHERIT BYPASSRLS;
CREATE ROLE authenticator LOGIN PASSWORD '{PASSWORD}' NOINHERIT;
CREATE ROLE supabase_auth_admin LOGIN NOINHERIT CREATEROLE;
GRANT anon, authenticated, service_role TO authenticator;
GRANT anon, authenticated, service_role TO project;
ALTER ROLE anon SET statement_timeout = '3s';
ALTER ROLE authenticated SET statement_timeout = '8s';
"""
SCHEMAS = """
CREATE SCHEMA extensions;
GRANT USAGE ON SCHEMA extensions TO project, anon, authenticated, service_role;
CREATE SCHEMA auth AUTHORIZATION supabase_auth_admin;
CREATE TABLE auth.schema_migrations (version varchar(255) PRIMARY KEY);
CREATE FUNCTION auth.uid() RETURNS uuid LANGUAGE sql STABLE AS $$
    SELECT coalesce(nullif(current_setting('request.jwt.claim.sub', true), ''),
                    nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub')::uuid
$$;
CREATE FUNCTION auth.jwt() RETURNS jsonb LANGUAGE sql STABLE AS $$
    SELECT coalesce(nullif(current_setting('request.jwt.claim', true), ''),
                    nullif(current_setting('request.jwt.claims', true), ''))::jsonb
$$;
ALTER FUNCTION auth.uid() OWNER TO supabase_auth_admin;
ALTER FUNCTION auth.jwt() OWNER TO supabase_auth_admin;
GRANT USAGE ON SCHEMA auth TO project, anon, authenticated, service_role;
GRANT USAGE ON SCHEMA public TO project, anon, authenticated, service_role;
ALTER DEFAULT PRIVILEGES FOR ROLE project IN SCHEMA public GRANT ALL ON TABLES TO project, anon, authenticated, service_role;
ALTER DEFAULT PRIVILEGES FOR ROLE project IN SCHEMA public GRANT ALL ON FUNCTIONS TO project, anon, authenticated, service_role;
ALTER DEFAULT PRIVILEGES FOR ROLE project IN SCHEMA public GRANT ALL ON SEQUENCES TO project, anon, authenticated, service_role;
ALTER ROLE project SET search_path = "$user", public, extensions, auth;
"""


class Supabase:
    def __init__(self, server: EmbeddedPostgres) -> None:
        self._server = server

    def url(self, role: str) -> str:
        """For `project` and `authenticator`."""
        admin = self._server.url_for("postgres", "project")
        credentials = admin.partition("://")[2].partition("@")[0]
        return admin.replace(credentials, f"{role}:{PASSWORD}", 1)

    async def prepare(self) -> None:
        admin = await asyncpg.connect(self._server.url_for("postgres", "postgres"))
        await admin.execute(ROLES)
        await admin.execute("CREATE DATABASE project OWNER project")
        await admin.close()
        admin = await asyncpg.connect(self._server.url_for("postgres", "project"))
        await admin.execute(SCHEMAS)
        await admin.close()
