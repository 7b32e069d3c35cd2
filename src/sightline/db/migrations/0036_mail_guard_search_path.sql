-- Migration 0031 replaced this function and with it the search_path that migration 0027 had pinned: a restore works with an empty one.
ALTER FUNCTION sightline.guard_mail_moves() SET search_path = public, pg_temp;
