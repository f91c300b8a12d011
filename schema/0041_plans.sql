-- Plans over HTTP (decision 75): the file and its name, the flags, and the plan as JSON. `size` is the length of both in bytes.
CREATE TABLE plans (
    id {id},
    org_id BIGINT NOT NULL REFERENCES orgs (id) ON DELETE CASCADE,
    user_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    expires_at BIGINT NOT NULL,
    flags TEXT NOT NULL,
    file TEXT NOT NULL,
    source TEXT NOT NULL,
    plan TEXT NOT NULL,
    size BIGINT NOT NULL
);
CREATE INDEX plans_of_org ON plans (org_id);
CREATE INDEX plans_of_person ON plans (user_id, id);
CREATE INDEX plans_expire ON plans (expires_at);
