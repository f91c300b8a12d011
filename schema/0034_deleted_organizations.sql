-- The organizations that were deleted, for their journals and for events that are still to be delivered (decision 73).
CREATE TABLE deleted_orgs (
    id BIGINT NOT NULL PRIMARY KEY,
    login TEXT NOT NULL,
    login_key TEXT NOT NULL,
    description TEXT,
    deleted_at BIGINT NOT NULL
) {keyed};
CREATE INDEX deleted_orgs_login ON deleted_orgs (login_key, id);
