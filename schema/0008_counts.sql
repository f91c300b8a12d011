-- What changes with every write stands apart from what is read with every request: a row that counts is small, so that
-- many of them share a page, and the rows of teams and organizations stay as they are (docs/decisions/0012).

-- How many people are directly in a team, and how many repositories are granted to it directly.
CREATE TABLE team_counts (
    team_id BIGINT NOT NULL PRIMARY KEY REFERENCES teams (id) ON DELETE CASCADE,
    members BIGINT NOT NULL DEFAULT 0,
    repos BIGINT NOT NULL DEFAULT 0
) {keyed};
INSERT INTO team_counts (team_id, members, repos) SELECT id, members_count, repos_count FROM teams;
ALTER TABLE teams DROP COLUMN members_count;
ALTER TABLE teams DROP COLUMN repos_count;

-- The version of an organization's people and tree, which each of its changes raises.
CREATE TABLE org_versions (
    org_id BIGINT NOT NULL PRIMARY KEY REFERENCES orgs (id) ON DELETE CASCADE,
    version BIGINT NOT NULL DEFAULT 0
) {keyed};
INSERT INTO org_versions (org_id, version) SELECT id, version FROM orgs;
ALTER TABLE orgs DROP COLUMN version;
