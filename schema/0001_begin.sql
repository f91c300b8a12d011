-- The first schema. Words in braces are replaced for each engine (STYLE.md, SQL).
-- Times are UTC microseconds. Choices are text with a check. Levels are ranks: 1 pull .. 5 admin.

CREATE TABLE users (
    id {id},
    login TEXT NOT NULL,
    name TEXT,
    company TEXT,
    blog TEXT,
    location TEXT,
    bio TEXT,
    site_admin BOOLEAN NOT NULL DEFAULT FALSE,
    suspended BOOLEAN NOT NULL DEFAULT FALSE,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);

CREATE TABLE orgs (
    id {id},
    login TEXT NOT NULL,
    name TEXT,
    description TEXT,
    company TEXT,
    blog TEXT,
    location TEXT,
    email TEXT,
    twitter_username TEXT,
    billing_email TEXT,
    plan TEXT NOT NULL DEFAULT 'free',
    default_repository_permission TEXT NOT NULL DEFAULT 'read'
        CHECK (default_repository_permission IN ('none', 'read', 'write', 'admin')),
    members_can_create_teams BOOLEAN NOT NULL DEFAULT TRUE,
    members_can_create_repositories BOOLEAN NOT NULL DEFAULT TRUE,
    has_organization_projects BOOLEAN NOT NULL DEFAULT TRUE,
    has_repository_projects BOOLEAN NOT NULL DEFAULT TRUE,
    public_repos BIGINT NOT NULL DEFAULT 0,
    private_repos BIGINT NOT NULL DEFAULT 0,
    version BIGINT NOT NULL DEFAULT 0,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);

-- One name space for people and organizations. A name once used stays here, so that nobody else can take it.
CREATE TABLE logins (
    login_key TEXT NOT NULL PRIMARY KEY,
    user_id BIGINT REFERENCES users (id) ON DELETE SET NULL,
    org_id BIGINT REFERENCES orgs (id) ON DELETE SET NULL,
    current BOOLEAN NOT NULL
) {keyed};
CREATE INDEX logins_user ON logins (user_id);
CREATE INDEX logins_org ON logins (org_id);

CREATE TABLE emails (
    id {id},
    user_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    email TEXT NOT NULL,
    email_key TEXT NOT NULL,
    is_primary BOOLEAN NOT NULL,
    verified BOOLEAN NOT NULL,
    CONSTRAINT emails_email_key UNIQUE (email_key)
);
CREATE INDEX emails_user ON emails (user_id);

CREATE TABLE tokens (
    id {id},
    user_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    kind TEXT NOT NULL CHECK (kind IN ('personal', 'impersonation', 'bootstrap')),
    made_by BIGINT REFERENCES users (id) ON DELETE SET NULL,
    hash {bytes} NOT NULL,
    last_eight TEXT NOT NULL,
    scopes TEXT NOT NULL,
    note TEXT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    expires_at BIGINT,
    last_used_at BIGINT,
    CONSTRAINT tokens_hash UNIQUE (hash)
);
CREATE INDEX tokens_user ON tokens (user_id);
CREATE INDEX tokens_made_by ON tokens (made_by);

CREATE TABLE org_members (
    org_id BIGINT NOT NULL REFERENCES orgs (id) ON DELETE CASCADE,
    user_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    role TEXT NOT NULL CHECK (role IN ('admin', 'member', 'billing_manager')),
    is_public BOOLEAN NOT NULL DEFAULT FALSE,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (org_id, user_id)
) {keyed};
CREATE INDEX org_members_user ON org_members (user_id, org_id);
CREATE INDEX org_members_role ON org_members (org_id, role, user_id);

-- What somebody was before they left, for an explicit `reinstate`.
CREATE TABLE former_members (
    org_id BIGINT NOT NULL REFERENCES orgs (id) ON DELETE CASCADE,
    user_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    role TEXT NOT NULL,
    left_at BIGINT NOT NULL,
    PRIMARY KEY (org_id, user_id)
) {keyed};
CREATE INDEX former_members_user ON former_members (user_id);

CREATE TABLE invitations (
    id {id},
    org_id BIGINT NOT NULL REFERENCES orgs (id) ON DELETE CASCADE,
    user_id BIGINT REFERENCES users (id) ON DELETE CASCADE,
    email TEXT,
    email_key TEXT,
    role TEXT NOT NULL CHECK (role IN ('direct_member', 'admin', 'billing_manager', 'hiring_manager', 'reinstate')),
    inviter_id BIGINT REFERENCES users (id) ON DELETE SET NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    mailed_at BIGINT,
    failed_at BIGINT,
    failed_reason TEXT
);
-- At most one invitation of a person to an organization is open; failed ones stay as a record.
CREATE UNIQUE INDEX invitations_open_user ON invitations (org_id, user_id) WHERE failed_at IS NULL AND user_id IS NOT NULL;
CREATE UNIQUE INDEX invitations_open_email ON invitations (org_id, email_key) WHERE failed_at IS NULL AND email_key IS NOT NULL;
CREATE INDEX invitations_user ON invitations (user_id);
CREATE INDEX invitations_inviter ON invitations (inviter_id);
CREATE INDEX invitations_org ON invitations (org_id, id);

CREATE TABLE teams (
    id {id},
    org_id BIGINT NOT NULL REFERENCES orgs (id) ON DELETE CASCADE,
    parent_id BIGINT REFERENCES teams (id),
    name TEXT NOT NULL,
    name_key TEXT COLLATE {binary} NOT NULL,
    slug TEXT COLLATE {binary} NOT NULL,
    description TEXT,
    privacy TEXT NOT NULL CHECK (privacy IN ('secret', 'closed')),
    permission TEXT NOT NULL DEFAULT 'pull' CHECK (permission IN ('pull', 'push', 'admin')),
    notification_setting TEXT NOT NULL DEFAULT 'notifications_enabled'
        CHECK (notification_setting IN ('notifications_enabled', 'notifications_disabled')),
    members_count BIGINT NOT NULL DEFAULT 0,
    repos_count BIGINT NOT NULL DEFAULT 0,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    CONSTRAINT teams_org_id_slug UNIQUE (org_id, slug)
);
CREATE INDEX teams_parent ON teams (parent_id);
CREATE INDEX teams_name ON teams (org_id, name_key, id);

-- Slugs that a rename left behind.
CREATE TABLE old_slugs (
    org_id BIGINT NOT NULL REFERENCES orgs (id) ON DELETE CASCADE,
    slug TEXT COLLATE {binary} NOT NULL,
    team_id BIGINT NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
    left_at BIGINT NOT NULL,
    PRIMARY KEY (org_id, slug)
) {keyed};
CREATE INDEX old_slugs_team ON old_slugs (team_id);

-- Every team with each of its ancestors and itself (depth 0).
CREATE TABLE team_tree (
    ancestor_id BIGINT NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
    descendant_id BIGINT NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
    depth BIGINT NOT NULL,
    PRIMARY KEY (ancestor_id, descendant_id)
) {keyed};
CREATE INDEX team_tree_up ON team_tree (descendant_id, ancestor_id);

CREATE TABLE team_members (
    team_id BIGINT NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
    user_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    role TEXT NOT NULL CHECK (role IN ('member', 'maintainer')),
    PRIMARY KEY (team_id, user_id)
) {keyed};
CREATE INDEX team_members_user ON team_members (user_id, team_id);

-- The teams that an invitation brings: a pending membership each.
CREATE TABLE invitation_teams (
    invitation_id BIGINT NOT NULL REFERENCES invitations (id) ON DELETE CASCADE,
    team_id BIGINT NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
    role TEXT NOT NULL CHECK (role IN ('member', 'maintainer')),
    PRIMARY KEY (invitation_id, team_id)
) {keyed};
CREATE INDEX invitation_teams_team ON invitation_teams (team_id);

CREATE TABLE repos (
    id {id},
    org_id BIGINT REFERENCES orgs (id) ON DELETE CASCADE,
    user_id BIGINT REFERENCES users (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    name_key TEXT COLLATE {binary} NOT NULL,
    description TEXT,
    private BOOLEAN NOT NULL DEFAULT FALSE,
    archived BOOLEAN NOT NULL DEFAULT FALSE,
    default_branch TEXT NOT NULL DEFAULT 'main',
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    CHECK ((org_id IS NULL) <> (user_id IS NULL)),
    CONSTRAINT repos_org_id_name_key UNIQUE (org_id, name_key),
    CONSTRAINT repos_user_id_name_key UNIQUE (user_id, name_key)
);

CREATE TABLE repo_collaborators (
    repo_id BIGINT NOT NULL REFERENCES repos (id) ON DELETE CASCADE,
    user_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    level BIGINT NOT NULL CHECK (level BETWEEN 1 AND 5),
    PRIMARY KEY (repo_id, user_id)
) {keyed};
CREATE INDEX repo_collaborators_user ON repo_collaborators (user_id);

CREATE TABLE team_repos (
    team_id BIGINT NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
    repo_id BIGINT NOT NULL REFERENCES repos (id) ON DELETE CASCADE,
    level BIGINT NOT NULL CHECK (level BETWEEN 1 AND 5),
    PRIMARY KEY (team_id, repo_id)
) {keyed};
CREATE INDEX team_repos_repo ON team_repos (repo_id, team_id);

-- What changed in an organization's people and tree, for the derived state in memory (house section 16).
CREATE TABLE changes (
    org_id BIGINT NOT NULL REFERENCES orgs (id) ON DELETE CASCADE,
    version BIGINT NOT NULL,
    kind TEXT NOT NULL,
    team_id BIGINT,
    user_id BIGINT,
    parent_id BIGINT,
    name_key TEXT,
    flag BOOLEAN,
    other_flag BOOLEAN,
    PRIMARY KEY (org_id, version)
) {keyed};

-- What happened, for those who must be told; carried out by a worker.
CREATE TABLE outbox (
    id {id},
    org_id BIGINT,
    at BIGINT NOT NULL,
    request_id TEXT NOT NULL,
    actor_id BIGINT,
    event TEXT NOT NULL,
    facts TEXT NOT NULL
);

-- Who did what. One chain per organization (0: the site), each entry hashed over the one before.
CREATE TABLE audit (
    org_id BIGINT NOT NULL,
    entry BIGINT NOT NULL,
    at BIGINT NOT NULL,
    action TEXT NOT NULL,
    actor_id BIGINT,
    actor_login TEXT,
    behind_login TEXT,
    token_id BIGINT,
    request_id TEXT NOT NULL,
    before TEXT NOT NULL,
    after TEXT NOT NULL,
    hash {bytes} NOT NULL,
    PRIMARY KEY (org_id, entry)
);

CREATE TABLE site (
    name TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
);
