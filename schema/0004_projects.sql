-- Projects of organizations, and who may do what with them. Levels are ranks: 0 none, 1 read, 2 write, 3 admin.

-- The highest number that a project of the organization ever had.
ALTER TABLE orgs ADD COLUMN last_project_number BIGINT NOT NULL DEFAULT 0;

CREATE TABLE projects (
    id {id},
    org_id BIGINT NOT NULL REFERENCES orgs (id) ON DELETE CASCADE,
    number BIGINT NOT NULL,
    name TEXT NOT NULL,
    body TEXT,
    state TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'closed')),
    organization_level BIGINT NOT NULL CHECK (organization_level BETWEEN 0 AND 3),
    private BOOLEAN NOT NULL DEFAULT TRUE,
    creator_id BIGINT NOT NULL,
    creator_login TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    CONSTRAINT projects_org_id_number UNIQUE (org_id, number)
);
CREATE INDEX projects_org ON projects (org_id, id);

CREATE TABLE project_collaborators (
    project_id BIGINT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    user_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    level BIGINT NOT NULL CHECK (level BETWEEN 1 AND 3),
    PRIMARY KEY (project_id, user_id)
) {keyed};
CREATE INDEX project_collaborators_user ON project_collaborators (user_id, project_id);

CREATE TABLE team_projects (
    team_id BIGINT NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
    project_id BIGINT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    level BIGINT NOT NULL CHECK (level BETWEEN 1 AND 3),
    PRIMARY KEY (team_id, project_id)
) {keyed};
CREATE INDEX team_projects_project ON team_projects (project_id, team_id);
