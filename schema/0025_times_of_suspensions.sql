-- When an account was suspended, as far as that is known: for earlier suspensions, when the account changed last.
ALTER TABLE users ADD COLUMN suspended_at BIGINT;
UPDATE users SET suspended_at = updated_at WHERE suspended = TRUE;
