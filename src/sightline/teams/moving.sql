-- name: share_team
-- A team that stays, and whose members stay, until the transaction ends.
SELECT id FROM teams WHERE id = :team_id FOR SHARE;

-- name: lock_video
-- A video whose owner changes. Nothing is being computed for the old owner meanwhile: that takes a lock which this one waits for.
SELECT * FROM videos WHERE id = :video_id FOR UPDATE;

-- name: set_owner
-- Another owner. What is computed from the video follows by a trigger.
UPDATE videos SET owner_id = :owner_id, team_id = :team_id::uuid, uploaded_by = :uploaded_by::uuid, owner_email = :owner_email,
                  updated_at = now()
WHERE id = :video_id
RETURNING *;
