-- The sessions of people who signed in. Only hashes of their tokens are stored; browser and network are for people to
-- recognize them.
CREATE TABLE sessions (
    id {id},
    hash {bytes} NOT NULL,
    user_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    signed_in_at BIGINT NOT NULL,
    used_at BIGINT NOT NULL,
    browser TEXT NOT NULL,
    network TEXT NOT NULL,
    CONSTRAINT sessions_hash UNIQUE (hash)
);
CREATE INDEX sessions_user ON sessions (user_id);
CREATE INDEX sessions_signed_in ON sessions (signed_in_at);

-- The browsers in which a person signed in before, by the hash of their cookie.
CREATE TABLE known_browsers (
    user_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    browser {bytes} NOT NULL,
    signed_in_at BIGINT NOT NULL,
    PRIMARY KEY (user_id, browser)
) {keyed};
CREATE INDEX known_browsers_signed_in ON known_browsers (signed_in_at);

-- Codes and links that sign in. One that was asked for has an e-mail address and the hash of the browser's cookie, and
-- no user if no account has the address. One that the operator made has a user alone.
CREATE TABLE sign_ins (
    id {id},
    user_id BIGINT REFERENCES users (id) ON DELETE CASCADE,
    email TEXT,
    email_key TEXT,
    browser {bytes},
    is_known BOOLEAN NOT NULL,
    asked_by TEXT NOT NULL,
    network TEXT NOT NULL,
    asked_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    tries BIGINT NOT NULL DEFAULT 0,
    ended BOOLEAN NOT NULL DEFAULT FALSE
);
CREATE INDEX sign_ins_user ON sign_ins (user_id);
CREATE INDEX sign_ins_email ON sign_ins (email_key, asked_at);
CREATE INDEX sign_ins_browser ON sign_ins (browser, asked_at);
CREATE INDEX sign_ins_network ON sign_ins (network, asked_at);
CREATE INDEX sign_ins_asked ON sign_ins (asked_at);
