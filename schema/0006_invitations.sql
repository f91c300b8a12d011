-- How much each person has created, for the abuse limit: a window of a minute and one of an hour, each from the
-- first creation in it. One row a person at most.
CREATE TABLE creations (
    user_id BIGINT NOT NULL PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    minute_from BIGINT NOT NULL,
    in_minute BIGINT NOT NULL,
    hour_from BIGINT NOT NULL,
    in_hour BIGINT NOT NULL
) {keyed};

-- Open invitations of an organization, by id and by the time when they end; and those to an address.
CREATE INDEX invitations_open ON invitations (org_id, id) WHERE failed_at IS NULL;
CREATE INDEX invitations_expiry ON invitations (org_id, expires_at) WHERE failed_at IS NULL;
CREATE INDEX invitations_email ON invitations (email_key, org_id) WHERE email_key IS NOT NULL;
