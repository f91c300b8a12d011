-- Devices that ask to act for a person, until they get a token (decision 62). Only hashes of the two codes are stored. A
-- person types the shorter one, so its hash is keyed. A session is that in which the person allowed the device.
CREATE TABLE devices (
    id {id},
    application_id BIGINT NOT NULL REFERENCES applications (id) ON DELETE CASCADE,
    hash {bytes} NOT NULL,
    user_code {bytes} NOT NULL,
    scopes TEXT NOT NULL,
    network TEXT NOT NULL,
    asked_at BIGINT NOT NULL,
    delay BIGINT NOT NULL,
    polled_at BIGINT,
    session_id BIGINT,
    denied BOOLEAN NOT NULL DEFAULT FALSE,
    CONSTRAINT devices_hash UNIQUE (hash),
    CONSTRAINT devices_user_code UNIQUE (user_code)
);
CREATE INDEX devices_asked ON devices (asked_at, denied);
CREATE INDEX devices_application ON devices (application_id);
