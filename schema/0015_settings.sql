-- Effective teams (decision 63), and what clients set of repositories and organizations (decision 52).

-- Whether the teams above a person's own count as theirs for the clients that use this token.
ALTER TABLE tokens ADD COLUMN effective_teams BOOLEAN NOT NULL DEFAULT FALSE;

-- Whether a repository has vulnerability alerts, for clients that set it. Nothing here acts on it.
ALTER TABLE repos ADD COLUMN vulnerability_alerts BOOLEAN NOT NULL DEFAULT FALSE;
