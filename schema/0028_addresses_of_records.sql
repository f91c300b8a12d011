-- Finds the records of identity providers that have an e-mail address, whatever organization they belong to (decision 61).
CREATE INDEX scim_emails_key ON scim_emails (email_key, member_id);
