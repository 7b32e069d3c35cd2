-- Export and erasure of a person's data as they are requested in the page (ADR 0109).

ALTER TYPE job_type ADD VALUE IF NOT EXISTS 'person_export';
ALTER TYPE job_type ADD VALUE IF NOT EXISTS 'person_erasure';

CREATE TABLE person_requests (
    request_id uuid PRIMARY KEY,
    person_id uuid NOT NULL,
    requested_by uuid,
    kind text NOT NULL CHECK (kind IN ('export', 'erasure')),
    with_files boolean NOT NULL DEFAULT false,
    state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'running', 'done', 'failed', 'cancelled', 'expired')),
    job_id uuid NOT NULL,
    due_at timestamptz NOT NULL,
    size_bytes bigint CHECK (size_bytes >= 0),
    expires_at timestamptz,
    error text,
    requested_at timestamptz NOT NULL DEFAULT now(),
    finished_at timestamptz
);
COMMENT ON TABLE person_requests IS
    'Moves: waiting → running → done → expired, or failed; waiting → cancelled. Of an erasure that is done there is no row.';
COMMENT ON COLUMN person_requests.requested_by IS 'The person, or an operator; NULL once the operator was erased.';
COMMENT ON COLUMN person_requests.due_at IS 'When its job runs: an erasure can be cancelled until then.';
COMMENT ON COLUMN person_requests.expires_at IS 'When the file of an export is removed.';
CREATE UNIQUE INDEX person_requests_open ON person_requests (person_id, kind) WHERE state IN ('waiting', 'running');
CREATE INDEX person_requests_newest ON person_requests (person_id, requested_at DESC);
CREATE INDEX person_requests_to_expire ON person_requests (expires_at) WHERE state = 'done';
SELECT sightline.protect('person_requests');
GRANT SELECT ON person_requests TO sightline_user;
CREATE POLICY people_see_their_own ON person_requests FOR SELECT TO sightline_user USING (person_id = (SELECT auth.uid()));
