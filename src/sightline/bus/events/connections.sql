-- name: add_connection
-- Creates a connection; returns nothing if there is one of that name.
INSERT INTO sightline.bus_connections
    (account_id, name, connection_id, description, authorization_type, shown_parameters, sealed_parameters, is_authorized)
VALUES (:account_id, :name, :connection_id, :description, :authorization_type, :shown_parameters, :sealed_parameters, :is_authorized)
ON CONFLICT DO NOTHING RETURNING *;

-- name: update_connection
-- Changes a connection.
UPDATE sightline.bus_connections
SET description = :description, authorization_type = :authorization_type, shown_parameters = :shown_parameters,
    sealed_parameters = :sealed_parameters, is_authorized = :is_authorized, changed_at = now(), authorized_at = now()
WHERE account_id = :account_id AND name = :name RETURNING *;

-- name: find_connection
-- One connection.
SELECT * FROM sightline.bus_connections WHERE account_id = :account_id AND name = :name;

-- name: list_connections
-- Connections of an account by name, those after a name.
SELECT * FROM sightline.bus_connections WHERE account_id = :account_id AND name > :after AND starts_with(name, :prefix)
    AND (:is_authorized::boolean IS NULL OR is_authorized = :is_authorized)
ORDER BY name LIMIT :limit;

-- name: count_connections
-- How many connections an account has.
SELECT count(*) FROM sightline.bus_connections WHERE account_id = :account_id;

-- name: remove_connection
-- Deletes a connection.
DELETE FROM sightline.bus_connections WHERE account_id = :account_id AND name = :name RETURNING *;

-- name: authorized
-- Records that an authorization server gave a token for a connection.
UPDATE sightline.bus_connections SET is_authorized = true, authorized_at = now()
WHERE account_id = :account_id AND name = :name AND NOT is_authorized;

-- name: add_destination
-- Creates an API destination; returns nothing if there is one of that name.
INSERT INTO sightline.bus_api_destinations
    (account_id, name, destination_id, description, connection_arn, endpoint, method, rate_limit)
VALUES (:account_id, :name, :destination_id, :description, :connection_arn, :endpoint, :method, :rate_limit)
ON CONFLICT DO NOTHING RETURNING name;

-- name: update_destination
-- Changes an API destination.
UPDATE sightline.bus_api_destinations
SET description = :description, connection_arn = :connection_arn, endpoint = :endpoint, method = :method, rate_limit = :rate_limit,
    changed_at = now()
WHERE account_id = :account_id AND name = :name RETURNING name;

-- name: find_destination
-- One API destination. It is active while its connection exists and is authorized.
SELECT d.*, EXISTS (SELECT FROM sightline.bus_connections AS c
        WHERE c.account_id = d.account_id AND c.is_authorized
            AND c.name || '/' || c.connection_id = split_part(d.connection_arn, ':connection/', 2)) AS is_active
FROM sightline.bus_api_destinations AS d WHERE account_id = :account_id AND name = :name;

-- name: list_destinations
-- API destinations of an account by name, those after a name.
SELECT d.*, EXISTS (SELECT FROM sightline.bus_connections AS c
        WHERE c.account_id = d.account_id AND c.is_authorized
            AND c.name || '/' || c.connection_id = split_part(d.connection_arn, ':connection/', 2)) AS is_active
FROM sightline.bus_api_destinations AS d WHERE account_id = :account_id AND name > :after AND starts_with(name, :prefix)
    AND (:connection_arn::text IS NULL OR connection_arn = :connection_arn)
ORDER BY name LIMIT :limit;

-- name: count_destinations
-- How many API destinations an account has.
SELECT count(*) FROM sightline.bus_api_destinations WHERE account_id = :account_id;

-- name: remove_destination
-- Deletes an API destination.
DELETE FROM sightline.bus_api_destinations WHERE account_id = :account_id AND name = :name RETURNING name;
