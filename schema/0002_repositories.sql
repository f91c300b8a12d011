-- Repositories as records with endpoints of their own: settings, forks, and the names that a rename left behind.

ALTER TABLE repos ADD COLUMN homepage TEXT;
ALTER TABLE repos ADD COLUMN has_issues BOOLEAN NOT NULL DEFAULT TRUE;
ALTER TABLE repos ADD COLUMN has_projects BOOLEAN NOT NULL DEFAULT TRUE;
ALTER TABLE repos ADD COLUMN has_wiki BOOLEAN NOT NULL DEFAULT TRUE;
ALTER TABLE repos ADD COLUMN is_template BOOLEAN NOT NULL DEFAULT FALSE;
-- Direct parent, and the repository where the line of forks begins.
ALTER TABLE repos ADD COLUMN fork_of BIGINT REFERENCES repos (id) ON DELETE SET NULL;
ALTER TABLE repos ADD COLUMN source_id BIGINT REFERENCES repos (id) ON DELETE SET NULL;
ALTER TABLE repos ADD COLUMN forks_count BIGINT NOT NULL DEFAULT 0;
CREATE INDEX repos_org ON repos (org_id, private, id);
CREATE INDEX repos_user ON repos (user_id, private, id);
CREATE INDEX repos_fork_of ON repos (fork_of);
CREATE INDEX repos_source ON repos (source_id);

-- Names that a rename left behind. A repository never changes its owner, so that each row repeats it.
CREATE TABLE old_repo_names (
    org_id BIGINT REFERENCES orgs (id) ON DELETE CASCADE,
    user_id BIGINT REFERENCES users (id) ON DELETE CASCADE,
    name_key TEXT COLLATE {binary} NOT NULL,
    repo_id BIGINT NOT NULL REFERENCES repos (id) ON DELETE CASCADE,
    CONSTRAINT old_repo_names_org UNIQUE (org_id, name_key),
    CONSTRAINT old_repo_names_user UNIQUE (user_id, name_key)
);
CREATE INDEX old_repo_names_repo ON old_repo_names (repo_id);
