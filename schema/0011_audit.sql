-- Whether the audit log of an organization shows its owners from which IP addresses members came.
ALTER TABLE orgs ADD COLUMN audit_shows_addresses BOOLEAN NOT NULL DEFAULT FALSE;
