-- The accounts that are connected with the site's identity provider. An account has one connection with an issuer, so that
-- an e-mail address that the provider gives to another person does not connect that person with the account.
CREATE TABLE provider_ties (
    id {id},
    user_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    issuer TEXT COLLATE {binary} NOT NULL,
    subject TEXT COLLATE {binary} NOT NULL,
    tied_at BIGINT NOT NULL,
    CONSTRAINT provider_ties_subject UNIQUE (issuer, subject),
    CONSTRAINT provider_ties_user UNIQUE (user_id, issuer)
);

-- What was begun at the provider and has not come back yet, with the hash of the cookie of the browser. One that has a user
-- connects this person's account.
CREATE TABLE provider_visits (
    id {id},
    browser {bytes} NOT NULL,
    user_id BIGINT REFERENCES users (id) ON DELETE CASCADE,
    return_to TEXT NOT NULL,
    begun_at BIGINT NOT NULL
);
CREATE INDEX provider_visits_user ON provider_visits (user_id);
CREATE INDEX provider_visits_begun ON provider_visits (begun_at);
