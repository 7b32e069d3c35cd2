-- Connections by OAuth are authorized once an authorization server has given a token.
ALTER TABLE sightline.bus_connections ADD COLUMN is_authorized boolean NOT NULL DEFAULT true;
