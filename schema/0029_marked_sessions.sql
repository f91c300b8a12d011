-- Marked sessions: the site administrator who acts for the person of the session, and the administrator's own session, to
-- which the browser returns.
ALTER TABLE sessions ADD COLUMN made_by BIGINT REFERENCES users (id) ON DELETE CASCADE;
ALTER TABLE sessions ADD COLUMN own_id BIGINT REFERENCES sessions (id) ON DELETE CASCADE;
CREATE INDEX sessions_made_by ON sessions (made_by);
CREATE INDEX sessions_own ON sessions (own_id);
