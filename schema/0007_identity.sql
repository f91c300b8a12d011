-- Identity providers: what they say of people and groups, and which teams follow which groups (decisions 48 and 49).

-- A person as the provider of an organization describes them. `user_id` is the account that is tied to it,
-- `offered_to` one whose owner may accept the tie. Of `active` null says nothing, and counts as true. `attributes` is the
-- rest of what was sent, as JSON.
CREATE TABLE scim_users (
    id {id},
    org_id BIGINT NOT NULL REFERENCES orgs (id) ON DELETE CASCADE,
    user_name TEXT NOT NULL,
    user_key TEXT COLLATE {binary} NOT NULL,
    external_id TEXT,
    active BOOLEAN,
    attributes TEXT NOT NULL,
    user_id BIGINT REFERENCES users (id) ON DELETE SET NULL,
    offered_to BIGINT REFERENCES users (id) ON DELETE SET NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    CONSTRAINT scim_users_org_id_user_key UNIQUE (org_id, user_key)
);
CREATE UNIQUE INDEX scim_users_tied ON scim_users (user_id, org_id);
CREATE INDEX scim_users_offered ON scim_users (offered_to, org_id);
CREATE INDEX scim_users_external ON scim_users (org_id, external_id);
CREATE INDEX scim_users_org ON scim_users (org_id, id);

-- The addresses of these people. They count for invitations of the organization and for nothing else.
CREATE TABLE scim_emails (
    org_id BIGINT NOT NULL REFERENCES orgs (id) ON DELETE CASCADE,
    email_key TEXT COLLATE {binary} NOT NULL,
    member_id BIGINT NOT NULL REFERENCES scim_users (id) ON DELETE CASCADE,
    PRIMARY KEY (org_id, email_key, member_id)
) {keyed};
CREATE INDEX scim_emails_member ON scim_emails (member_id);

CREATE TABLE scim_groups (
    id {id},
    org_id BIGINT NOT NULL REFERENCES orgs (id) ON DELETE CASCADE,
    display_name TEXT NOT NULL,
    display_key TEXT COLLATE {binary} NOT NULL,
    external_id TEXT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    CONSTRAINT scim_groups_org_id_display_key UNIQUE (org_id, display_key)
);
CREATE INDEX scim_groups_external ON scim_groups (org_id, external_id);
CREATE INDEX scim_groups_org ON scim_groups (org_id, id);

-- `named` ends when the person leaves the organization, and comes back when the provider names them again.
CREATE TABLE scim_group_members (
    group_id BIGINT NOT NULL REFERENCES scim_groups (id) ON DELETE CASCADE,
    member_id BIGINT NOT NULL REFERENCES scim_users (id) ON DELETE CASCADE,
    named BOOLEAN NOT NULL DEFAULT TRUE,
    PRIMARY KEY (group_id, member_id)
) {keyed};
CREATE INDEX scim_group_members_member ON scim_group_members (member_id, group_id);

-- Teams that follow groups.
CREATE TABLE team_groups (
    team_id BIGINT NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
    group_id BIGINT NOT NULL REFERENCES scim_groups (id) ON DELETE CASCADE,
    linked_at BIGINT NOT NULL,
    PRIMARY KEY (team_id, group_id)
) {keyed};
CREATE INDEX team_groups_group ON team_groups (group_id, team_id);

-- Accounts that SCIM made: the organization manages them. `suspended` is true while it has suspended the account.
CREATE TABLE managed_accounts (
    user_id BIGINT NOT NULL PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    org_id BIGINT NOT NULL REFERENCES orgs (id) ON DELETE CASCADE,
    suspended BOOLEAN NOT NULL DEFAULT FALSE
) {keyed};
CREATE INDEX managed_accounts_org ON managed_accounts (org_id);
