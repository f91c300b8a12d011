-- Webhooks of organizations, and of the site under the organization 0. Secrets and credentials are sealed with a key
-- outside the database. A hook is told of entries of its journal after `after_entry`. A deleted one stays until it has
-- been told of that.
CREATE TABLE hooks (
    id {id},
    org_id BIGINT NOT NULL,
    active BOOLEAN NOT NULL,
    url TEXT NOT NULL,
    content_type TEXT NOT NULL CHECK (content_type IN ('form', 'json')),
    insecure_ssl BOOLEAN NOT NULL,
    secret {bytes},
    previous_secret {bytes},
    previous_until BIGINT,
    credentials {bytes},
    events TEXT NOT NULL,
    after_entry BIGINT NOT NULL,
    failing_since BIGINT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    deleted_at BIGINT
);
CREATE INDEX hooks_by_org ON hooks (org_id, id);
