-- The teams that have the role security_manager in their organization. The teams below them have it too.
CREATE TABLE security_managers (
    org_id BIGINT NOT NULL REFERENCES orgs (id) ON DELETE CASCADE,
    team_id BIGINT NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
    PRIMARY KEY (org_id, team_id)
) {keyed};
CREATE INDEX security_managers_team ON security_managers (team_id);
