-- One journal of all changes in the place of `audit`, `outbox`, `changes` and `org_versions` (docs/decisions/0022). All
-- servers stop for this migration: the release before writes to tables that are gone.

-- One chain for each organization (0: the site), each entry hashed over the one before. The typed columns are for
-- memory, which folds them; an entry without an action is left out by the audit.
CREATE TABLE journal (
    org_id BIGINT NOT NULL,
    entry BIGINT NOT NULL,
    at BIGINT NOT NULL,
    kind TEXT NOT NULL,
    team_id BIGINT,
    user_id BIGINT,
    parent_id BIGINT,
    name_key TEXT,
    flag BOOLEAN,
    other_flag BOOLEAN,
    actor_id BIGINT,
    actor_login TEXT,
    impersonator_login TEXT,
    token_id BIGINT,
    request_id TEXT NOT NULL,
    remote_address TEXT,
    action TEXT,
    before TEXT,
    after TEXT,
    facts_hash {bytes},
    format BIGINT NOT NULL,
    hash {bytes} NOT NULL,
    PRIMARY KEY (org_id, entry)
) {keyed};

-- What others are told of an entry, for as long as it may have to be told.
CREATE TABLE journal_facts (
    org_id BIGINT NOT NULL,
    entry BIGINT NOT NULL,
    event TEXT NOT NULL,
    facts TEXT NOT NULL,
    PRIMARY KEY (org_id, entry)
) {keyed};

-- The newest entry of each journal, which is the version of the organization, and what was trimmed at its beginning. A
-- write locks it. It is made with the organization and kept after it.
CREATE TABLE journal_heads (
    org_id BIGINT NOT NULL PRIMARY KEY,
    entry BIGINT NOT NULL,
    hash {bytes},
    first_entry BIGINT NOT NULL,
    trimmed BIGINT NOT NULL,
    trimmed_hash {bytes}
) {keyed};

-- Entries of the audit keep their numbers and hashes: how they are hashed is their format.
INSERT INTO journal (org_id, entry, at, kind, actor_id, actor_login, impersonator_login, token_id, request_id, action,
                     before, after, format, hash)
SELECT org_id, entry, at, 'other', actor_id, actor_login, behind_login, token_id, request_id, action, before, after, 1,
       hash
FROM audit ORDER BY org_id, entry;

INSERT INTO journal_heads (org_id, entry, hash, first_entry, trimmed)
SELECT known.org_id, coalesce(newest.entry, 0), newest.hash, 1, 0
FROM (SELECT 0 AS org_id UNION SELECT id FROM orgs UNION SELECT org_id FROM audit) known
LEFT JOIN audit newest ON newest.org_id = known.org_id
     AND newest.entry = (SELECT max(a.entry) FROM audit a WHERE a.org_id = known.org_id)
ORDER BY known.org_id;

DROP TABLE changes;
DROP TABLE outbox;
DROP TABLE org_versions;
DROP TABLE audit;
