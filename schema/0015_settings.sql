-- Effective teams (decision 63).

-- Whether the teams above a person's own count as theirs for the clients that use this token.
ALTER TABLE tokens ADD COLUMN effective_teams BOOLEAN NOT NULL DEFAULT FALSE;
