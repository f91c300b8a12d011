-- Effective teams (decision 63), and what clients set of repositories and organizations (decision 52).

-- Whether the teams above a person's own count as theirs for the clients that use this token.
ALTER TABLE tokens ADD COLUMN effective_teams BOOLEAN NOT NULL DEFAULT FALSE;

-- Whether a repository has vulnerability alerts, for clients that set it. Nothing here acts on it.
ALTER TABLE repos ADD COLUMN vulnerability_alerts BOOLEAN NOT NULL DEFAULT FALSE;

-- Which repositories members may create, if they may create any, and whether they may fork private ones.
ALTER TABLE orgs ADD COLUMN members_can_create_public_repositories BOOLEAN NOT NULL DEFAULT TRUE;
ALTER TABLE orgs ADD COLUMN members_can_create_private_repositories BOOLEAN NOT NULL DEFAULT TRUE;
ALTER TABLE orgs ADD COLUMN members_can_fork_private_repositories BOOLEAN NOT NULL DEFAULT TRUE;
-- The switches that nothing here acts on, as JSON: only what differs from the defaults, and null where nothing does.
ALTER TABLE orgs ADD COLUMN switches TEXT;
