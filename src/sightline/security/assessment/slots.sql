-- name: ensure_slots
-- A row for each slot.
INSERT INTO inference_slots (slot) SELECT generate_series(0, :slots::int - 1) ON CONFLICT DO NOTHING;

-- name: claim_slot
-- Claims a free slot, or one whose lease has expired; concurrent callers skip locked rows.
UPDATE inference_slots SET holder = :holder, held_until = now() + make_interval(secs => :lease_s)
WHERE slot = (SELECT slot FROM inference_slots
              WHERE slot < :slots AND (holder IS NULL OR held_until < now())
              ORDER BY slot LIMIT 1 FOR UPDATE SKIP LOCKED)
RETURNING slot;

-- name: release_slot
-- Gives a slot back, if it is still the holder's.
UPDATE inference_slots SET holder = NULL, held_until = NULL WHERE slot = :slot AND holder = :holder;
