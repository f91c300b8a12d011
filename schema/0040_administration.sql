-- What site administrators look for: people who are suspended or administer the site, and webhooks that fail or are off.
CREATE INDEX users_suspended ON users (id) WHERE suspended = TRUE;
CREATE INDEX users_site_admins ON users (id) WHERE site_admin = TRUE;
CREATE INDEX hooks_off ON hooks (id) WHERE active = FALSE AND deleted_at IS NULL;
CREATE INDEX hooks_failing ON hooks (id) WHERE active = TRUE AND failing_since IS NOT NULL AND deleted_at IS NULL;

-- People by the beginning of their login or name, as the view `searched_people` compares them.
{sqlite}CREATE INDEX users_login_text ON users (lower(login));
{sqlite}CREATE INDEX users_name_text ON users (coalesce(lower(name), ''));
{postgres}CREATE INDEX users_login_text ON users ((lower(login COLLATE "C")));
{postgres}CREATE INDEX users_name_text ON users ((coalesce(lower(name COLLATE "C"), '')));

-- E-mail addresses by their beginning, with ASCII letters in lower case, and organizations by their login or name.
CREATE VIEW searched_emails AS
    SELECT emails.user_id AS user_id,
{sqlite}           lower(emails.email) AS email_text
{postgres}           lower(emails.email COLLATE "C") AS email_text
    FROM emails;
{sqlite}CREATE INDEX emails_text ON emails (lower(email));
{postgres}CREATE INDEX emails_text ON emails ((lower(email COLLATE "C")));
CREATE VIEW searched_orgs AS
    SELECT orgs.id AS id,
{sqlite}           lower(orgs.login) AS login_text, coalesce(lower(orgs.name), '') AS name_text
{postgres}           lower(orgs.login COLLATE "C") AS login_text, coalesce(lower(orgs.name COLLATE "C"), '') AS name_text
    FROM orgs;
{sqlite}CREATE INDEX orgs_login_text ON orgs (lower(login));
{sqlite}CREATE INDEX orgs_name_text ON orgs (coalesce(lower(name), ''));
{postgres}CREATE INDEX orgs_login_text ON orgs ((lower(login COLLATE "C")));
{postgres}CREATE INDEX orgs_name_text ON orgs ((coalesce(lower(name COLLATE "C"), '')));
