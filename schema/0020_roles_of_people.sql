-- The people to whom their organization gave the role security_manager themselves, not through a team. A row ends with
-- the membership, whichever program ends that.
CREATE TABLE user_security_managers (
    org_id BIGINT NOT NULL,
    user_id BIGINT NOT NULL,
    PRIMARY KEY (org_id, user_id),
    FOREIGN KEY (org_id, user_id) REFERENCES org_members (org_id, user_id) ON DELETE CASCADE
) {keyed};
CREATE INDEX user_security_managers_user ON user_security_managers (user_id);
