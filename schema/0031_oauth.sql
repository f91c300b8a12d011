-- Applications of OAuth 2 (decision 62). One without an owner belongs to the site.
CREATE TABLE applications (
    id {id},
    client_id TEXT COLLATE {binary} NOT NULL,
    name TEXT NOT NULL,
    user_id BIGINT REFERENCES users (id) ON DELETE CASCADE,
    org_id BIGINT REFERENCES orgs (id) ON DELETE CASCADE,
    public BOOLEAN NOT NULL,
    trusted BOOLEAN NOT NULL,
    device_flow BOOLEAN NOT NULL,
    effective_teams BOOLEAN NOT NULL,
    skip_consent BOOLEAN NOT NULL,
    CONSTRAINT applications_client_id UNIQUE (client_id)
);
CREATE INDEX applications_user ON applications (user_id);
CREATE INDEX applications_org ON applications (org_id);

-- `gh` sends this client ID to every host.
INSERT INTO applications (client_id, name, public, trusted, device_flow, effective_teams, skip_consent)
VALUES ('178c6fc778ccc68e1d6a', 'GitHub CLI', TRUE, TRUE, TRUE, FALSE, FALSE);

-- Only hashes of secrets are stored.
CREATE TABLE application_secrets (
    id {id},
    application_id BIGINT NOT NULL REFERENCES applications (id) ON DELETE CASCADE,
    hash {bytes} NOT NULL,
    CONSTRAINT application_secrets_hash UNIQUE (application_id, hash)
);

CREATE TABLE redirect_uris (
    application_id BIGINT NOT NULL REFERENCES applications (id) ON DELETE CASCADE,
    uri TEXT COLLATE {binary} NOT NULL,
    PRIMARY KEY (application_id, uri)
) {keyed};

-- What a person has allowed an application.
CREATE TABLE consents (
    id {id},
    user_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    application_id BIGINT NOT NULL REFERENCES applications (id) ON DELETE CASCADE,
    scopes TEXT NOT NULL,
    effective_teams BOOLEAN NOT NULL,
    CONSTRAINT consents_of_person UNIQUE (user_id, application_id)
);
CREATE INDEX consents_application ON consents (application_id);

-- Authorization codes that were exchanged, by their hash, each with the token that it gave.
CREATE TABLE used_codes (
    hash {bytes} NOT NULL,
    token_id BIGINT NOT NULL,
    used_at BIGINT NOT NULL,
    PRIMARY KEY (hash)
) {keyed};
CREATE INDEX used_codes_used ON used_codes (used_at);

-- A token may be of an application. SQLite cannot change a check, so it gets the table anew, with the same identifiers.
{postgres}ALTER TABLE tokens DROP CONSTRAINT tokens_kind_check;
{postgres}ALTER TABLE tokens ADD CONSTRAINT tokens_kind_check
{postgres}    CHECK (kind IN ('personal', 'impersonation', 'bootstrap', 'oauth'));
{postgres}ALTER TABLE tokens ADD COLUMN application_id BIGINT REFERENCES applications (id) ON DELETE CASCADE;
{sqlite}CREATE TABLE tokens_with_applications (
{sqlite}    id {id},
{sqlite}    user_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
{sqlite}    kind TEXT NOT NULL CHECK (kind IN ('personal', 'impersonation', 'bootstrap', 'oauth')),
{sqlite}    made_by BIGINT REFERENCES users (id) ON DELETE SET NULL,
{sqlite}    hash {bytes} NOT NULL,
{sqlite}    last_eight TEXT NOT NULL,
{sqlite}    scopes TEXT NOT NULL,
{sqlite}    note TEXT,
{sqlite}    created_at BIGINT NOT NULL,
{sqlite}    updated_at BIGINT NOT NULL,
{sqlite}    expires_at BIGINT,
{sqlite}    last_used_at BIGINT,
{sqlite}    effective_teams BOOLEAN NOT NULL DEFAULT FALSE,
{sqlite}    application_id BIGINT REFERENCES applications (id) ON DELETE CASCADE,
{sqlite}    CONSTRAINT tokens_hash UNIQUE (hash)
{sqlite});
{sqlite}INSERT INTO tokens_with_applications (id, user_id, kind, made_by, hash, last_eight, scopes, note, created_at,
{sqlite}                                      updated_at, expires_at, last_used_at, effective_teams)
{sqlite}    SELECT id, user_id, kind, made_by, hash, last_eight, scopes, note, created_at, updated_at, expires_at,
{sqlite}           last_used_at, effective_teams FROM tokens;
{sqlite}DELETE FROM sqlite_sequence WHERE name = 'tokens_with_applications';
{sqlite}INSERT INTO sqlite_sequence (name, seq)
{sqlite}    SELECT 'tokens_with_applications', seq FROM sqlite_sequence WHERE name = 'tokens';
{sqlite}DROP TABLE tokens;
{sqlite}ALTER TABLE tokens_with_applications RENAME TO tokens;
{sqlite}CREATE INDEX tokens_user ON tokens (user_id);
{sqlite}CREATE INDEX tokens_made_by ON tokens (made_by);
CREATE INDEX tokens_application ON tokens (application_id, user_id);
