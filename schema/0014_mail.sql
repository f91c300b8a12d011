-- Mail, and the inboxes of people (decisions 25 to 29, 37, 46 and 69).

-- Links in mails about an invitation carry its generation. Sending it again raises it, and ends the earlier links.
ALTER TABLE invitations ADD COLUMN generation BIGINT NOT NULL DEFAULT 1;
ALTER TABLE invitations ADD COLUMN reminded_at BIGINT;

-- Deliveries are mails, too. SQLite cannot change a constraint, so it gets the table anew, with the same identifiers.
{postgres}ALTER TABLE deliveries DROP CONSTRAINT deliveries_kind_check;
{postgres}ALTER TABLE deliveries ADD CONSTRAINT deliveries_kind_check CHECK (kind IN ('hook', 'mail'));
{sqlite}CREATE TABLE deliveries_with_mail (
{sqlite}    id {id},
{sqlite}    event_id BIGINT NOT NULL REFERENCES delivery_events,
{sqlite}    kind TEXT NOT NULL CHECK (kind IN ('hook', 'mail')),
{sqlite}    target_id BIGINT NOT NULL,
{sqlite}    order_key BIGINT NOT NULL,
{sqlite}    state TEXT NOT NULL CHECK (state IN ('waiting', 'delivered', 'dead')),
{sqlite}    attempts BIGINT NOT NULL,
{sqlite}    last_status TEXT,
{sqlite}    next_at BIGINT NOT NULL,
{sqlite}    created_at BIGINT NOT NULL,
{sqlite}    expires_at BIGINT NOT NULL,
{sqlite}    finished_at BIGINT,
{sqlite}    redelivery BOOLEAN NOT NULL
{sqlite});
{sqlite}INSERT INTO deliveries_with_mail SELECT * FROM deliveries;
{sqlite}DELETE FROM sqlite_sequence WHERE name = 'deliveries_with_mail';
{sqlite}INSERT INTO sqlite_sequence (name, seq)
{sqlite}    SELECT 'deliveries_with_mail', seq FROM sqlite_sequence WHERE name = 'deliveries';
{sqlite}DROP TABLE deliveries;
{sqlite}ALTER TABLE deliveries_with_mail RENAME TO deliveries;
{sqlite}CREATE INDEX deliveries_due ON deliveries (kind, target_id, next_at) WHERE state = 'waiting';
{sqlite}CREATE INDEX deliveries_in_order ON deliveries (kind, target_id, order_key, id) WHERE state = 'waiting';
{sqlite}CREATE INDEX deliveries_waiting ON deliveries (id) WHERE state = 'waiting';
{sqlite}CREATE INDEX deliveries_dead ON deliveries (id) WHERE state = 'dead';
{sqlite}CREATE INDEX deliveries_of_event ON deliveries (event_id);
-- The mails about an invitation have minus its identifier as their order key.
CREATE INDEX deliveries_of_invitation ON deliveries (order_key, id) WHERE kind = 'mail' AND order_key < 0;

-- The inbox: one row for each person and discussion that they were told of. `comment_id` is the newest comment that they
-- were told of. A row that is done comes back when something happens in the discussion.
CREATE TABLE notices (
    id {id},
    user_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    discussion_id BIGINT NOT NULL REFERENCES discussions (id) ON DELETE CASCADE,
    comment_id BIGINT REFERENCES comments (id) ON DELETE SET NULL,
    reason TEXT NOT NULL CHECK (reason IN ('author', 'comment', 'manual', 'mention', 'subscribed')),
    unread BOOLEAN NOT NULL,
    done BOOLEAN NOT NULL,
    updated_at BIGINT NOT NULL,
    last_read_at BIGINT,
    CONSTRAINT notices_user_id_discussion_id UNIQUE (user_id, discussion_id)
);
CREATE INDEX notices_newest ON notices (user_id, updated_at, id) WHERE done = FALSE;
CREATE INDEX notices_discussion ON notices (discussion_id);
CREATE INDEX notices_comment ON notices (comment_id) WHERE comment_id IS NOT NULL;

-- What people have chosen for a discussion: to be told of everything, or of nothing.
CREATE TABLE subscriptions (
    user_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    discussion_id BIGINT NOT NULL REFERENCES discussions (id) ON DELETE CASCADE,
    ignored BOOLEAN NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (user_id, discussion_id)
) {keyed};
CREATE INDEX subscriptions_discussion ON subscriptions (discussion_id);

-- Which mails about posts people want; without a row, all.
CREATE TABLE mail_settings (
    user_id BIGINT NOT NULL PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    posts TEXT NOT NULL CHECK (posts IN ('all', 'mentions', 'none'))
) {keyed};
