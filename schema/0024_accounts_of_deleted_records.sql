-- The name of the deleted record to which an account was tied, in the form in which names are compared: a later record
-- with this name is tied to it again. Another record is not, even if its name gives the same login.
ALTER TABLE managed_accounts ADD COLUMN left_by TEXT COLLATE {binary};
CREATE INDEX managed_accounts_left_by ON managed_accounts (org_id, left_by);
