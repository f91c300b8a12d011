-- Only verified e-mail addresses are unique (decision 72). An unverified one has no key, so that nothing finds it, and is
-- never the primary one. `generation` counts how often its link was sent. SQLite cannot allow NULL in a column, so it gets
-- the table anew, with the same identifiers.
{postgres}ALTER TABLE emails ALTER COLUMN email_key DROP NOT NULL;
{postgres}ALTER TABLE emails ADD COLUMN generation BIGINT NOT NULL DEFAULT 1;
{sqlite}CREATE TABLE emails_with_unverified (
{sqlite}    id {id},
{sqlite}    user_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
{sqlite}    email TEXT NOT NULL,
{sqlite}    email_key TEXT,
{sqlite}    is_primary BOOLEAN NOT NULL,
{sqlite}    verified BOOLEAN NOT NULL,
{sqlite}    generation BIGINT NOT NULL DEFAULT 1,
{sqlite}    CONSTRAINT emails_email_key UNIQUE (email_key)
{sqlite});
{sqlite}INSERT INTO emails_with_unverified (id, user_id, email, email_key, is_primary, verified)
{sqlite}    SELECT id, user_id, email, email_key, is_primary, verified FROM emails;
{sqlite}DELETE FROM sqlite_sequence WHERE name = 'emails_with_unverified';
{sqlite}INSERT INTO sqlite_sequence (name, seq)
{sqlite}    SELECT 'emails_with_unverified', seq FROM sqlite_sequence WHERE name = 'emails';
{sqlite}DROP TABLE emails;
{sqlite}ALTER TABLE emails_with_unverified RENAME TO emails;
{sqlite}CREATE INDEX emails_user ON emails (user_id);

UPDATE emails SET email_key = NULL, is_primary = FALSE WHERE verified = FALSE;
UPDATE emails SET is_primary = TRUE
WHERE id IN (SELECT min(v.id) FROM emails v WHERE v.verified = TRUE
             GROUP BY v.user_id HAVING sum(CASE WHEN v.is_primary = TRUE THEN 1 ELSE 0 END) = 0);

-- The primary e-mail address of a person who shows it to everyone.
ALTER TABLE users ADD COLUMN public_email TEXT;

-- How many e-mails with links were asked for in a window of time that lasts so long: to an e-mail address, which is its
-- keyed hash here, and by a person.
CREATE TABLE mail_counts (
    counted TEXT COLLATE {binary} NOT NULL,
    lasts BIGINT NOT NULL,
    ends BIGINT NOT NULL,
    times BIGINT NOT NULL,
    PRIMARY KEY (counted, lasts)
) {keyed};
CREATE INDEX mail_counts_ends ON mail_counts (ends);
