-- What is published for Home Assistant: by which process, how far, and what it was told of.

CREATE TABLE home_assistant_publisher (
    id boolean PRIMARY KEY DEFAULT true CHECK (id),
    sequence bigint NOT NULL,
    held_by uuid NOT NULL,
    held_until timestamptz NOT NULL
);
COMMENT ON TABLE home_assistant_publisher IS 'One row: the process that publishes, until its lease ends, and the last message of the live feed that it published.';

CREATE TABLE home_assistant_entities (
    camera_key uuid NOT NULL,
    label text NOT NULL,
    PRIMARY KEY (camera_key, label)
);
COMMENT ON TABLE home_assistant_entities IS 'Sensors that Home Assistant was told of. They outlive their camera until Home Assistant was told that they are gone.';

SELECT sightline.protect('home_assistant_publisher');
SELECT sightline.protect('home_assistant_entities');
