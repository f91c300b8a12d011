-- Discussions, their comments, and reactions to both.

-- The board of a team: the last number that was given, which never comes back, and how many posts there are.
CREATE TABLE boards (
    team_id BIGINT NOT NULL PRIMARY KEY REFERENCES teams (id) ON DELETE CASCADE,
    last_number BIGINT NOT NULL,
    public_posts BIGINT NOT NULL,
    private_posts BIGINT NOT NULL
) {keyed};

CREATE TABLE discussions (
    id {id},
    team_id BIGINT NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
    number BIGINT NOT NULL,
    author_id BIGINT REFERENCES users (id) ON DELETE SET NULL,
    private BOOLEAN NOT NULL,
    last_comment BIGINT NOT NULL DEFAULT 0,
    comments_count BIGINT NOT NULL DEFAULT 0,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    last_edited_at BIGINT,
    thumbs_up BIGINT NOT NULL DEFAULT 0,
    thumbs_down BIGINT NOT NULL DEFAULT 0,
    laugh BIGINT NOT NULL DEFAULT 0,
    hooray BIGINT NOT NULL DEFAULT 0,
    confused BIGINT NOT NULL DEFAULT 0,
    heart BIGINT NOT NULL DEFAULT 0,
    rocket BIGINT NOT NULL DEFAULT 0,
    eyes BIGINT NOT NULL DEFAULT 0,
    title TEXT NOT NULL,
    body TEXT NOT NULL,
    body_version TEXT NOT NULL,
    body_html TEXT NOT NULL,
    CONSTRAINT discussions_team_id_number UNIQUE (team_id, number)
);
CREATE INDEX discussions_public ON discussions (team_id, number) WHERE private = FALSE;
CREATE INDEX discussions_author ON discussions (author_id);

CREATE TABLE comments (
    id {id},
    discussion_id BIGINT NOT NULL REFERENCES discussions (id) ON DELETE CASCADE,
    number BIGINT NOT NULL,
    author_id BIGINT REFERENCES users (id) ON DELETE SET NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    last_edited_at BIGINT,
    thumbs_up BIGINT NOT NULL DEFAULT 0,
    thumbs_down BIGINT NOT NULL DEFAULT 0,
    laugh BIGINT NOT NULL DEFAULT 0,
    hooray BIGINT NOT NULL DEFAULT 0,
    confused BIGINT NOT NULL DEFAULT 0,
    heart BIGINT NOT NULL DEFAULT 0,
    rocket BIGINT NOT NULL DEFAULT 0,
    eyes BIGINT NOT NULL DEFAULT 0,
    body TEXT NOT NULL,
    body_version TEXT NOT NULL,
    body_html TEXT NOT NULL,
    CONSTRAINT comments_discussion_id_number UNIQUE (discussion_id, number)
);
CREATE INDEX comments_author ON comments (author_id);

-- A reaction is to a discussion or to a comment. It stays, and counts, when the account of its person is gone.
CREATE TABLE reactions (
    id {id},
    discussion_id BIGINT REFERENCES discussions (id) ON DELETE CASCADE,
    comment_id BIGINT REFERENCES comments (id) ON DELETE CASCADE,
    user_id BIGINT REFERENCES users (id) ON DELETE SET NULL,
    content TEXT NOT NULL
        CHECK (content IN ('+1', '-1', 'laugh', 'hooray', 'confused', 'heart', 'rocket', 'eyes')),
    created_at BIGINT NOT NULL,
    CHECK ((discussion_id IS NULL) <> (comment_id IS NULL)),
    CONSTRAINT reactions_of_discussion UNIQUE (discussion_id, user_id, content),
    CONSTRAINT reactions_of_comment UNIQUE (comment_id, user_id, content)
);
CREATE INDEX reactions_discussion ON reactions (discussion_id, id);
CREATE INDEX reactions_discussion_content ON reactions (discussion_id, content, id);
CREATE INDEX reactions_comment ON reactions (comment_id, id);
CREATE INDEX reactions_comment_content ON reactions (comment_id, content, id);
CREATE INDEX reactions_user ON reactions (user_id);
