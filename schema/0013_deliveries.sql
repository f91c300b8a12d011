-- Deliveries of events to receivers (docs/decisions/0025).

-- How far the events of a journal are expanded: all entries up to this one, and so many parts of the next one. A journal
-- without a row is not followed.
CREATE TABLE delivery_cursors (
    org_id BIGINT NOT NULL PRIMARY KEY,
    entry BIGINT NOT NULL,
    part BIGINT NOT NULL
) {keyed};

-- An event that at least one receiver wants, as it is sent to all of them.
CREATE TABLE delivery_events (
    id {id},
    org_id BIGINT NOT NULL,
    entry BIGINT NOT NULL,
    part BIGINT NOT NULL,
    guid TEXT NOT NULL,
    event TEXT NOT NULL,
    action TEXT,
    order_key BIGINT NOT NULL,
    payload TEXT NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX delivery_events_of_entry ON delivery_events (org_id, entry, part);

-- One row for each event and receiver. Those of a receiver with the same order key are sent one after the other: each has
-- its `next_at` set to the moment when it no longer waits for the one before.
CREATE TABLE deliveries (
    id {id},
    event_id BIGINT NOT NULL REFERENCES delivery_events,
    kind TEXT NOT NULL CHECK (kind IN ('hook')),
    target_id BIGINT NOT NULL,
    order_key BIGINT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('waiting', 'delivered', 'dead')),
    attempts BIGINT NOT NULL,
    last_status TEXT,
    next_at BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    finished_at BIGINT,
    redelivery BOOLEAN NOT NULL
);
CREATE INDEX deliveries_due ON deliveries (kind, target_id, next_at) WHERE state = 'waiting';
CREATE INDEX deliveries_in_order ON deliveries (kind, target_id, order_key, id) WHERE state = 'waiting';
CREATE INDEX deliveries_waiting ON deliveries (id) WHERE state = 'waiting';
CREATE INDEX deliveries_dead ON deliveries (id) WHERE state = 'dead';
CREATE INDEX deliveries_of_event ON deliveries (event_id);

-- What came of each attempt to send a delivery.
CREATE TABLE delivery_attempts (
    id {id},
    delivery_id BIGINT NOT NULL,
    event_id BIGINT NOT NULL,
    target_id BIGINT NOT NULL,
    at BIGINT NOT NULL,
    redelivery BOOLEAN NOT NULL,
    duration_ms BIGINT NOT NULL,
    ok BOOLEAN NOT NULL,
    status TEXT NOT NULL,
    status_code BIGINT NOT NULL,
    request_headers TEXT NOT NULL,
    response_headers TEXT,
    response_body TEXT
);
CREATE INDEX delivery_attempts_of_target ON delivery_attempts (target_id, id);

-- Which node sends to a receiver, and until when.
CREATE TABLE delivery_leases (
    kind TEXT NOT NULL,
    target_id BIGINT NOT NULL,
    node TEXT NOT NULL,
    until BIGINT NOT NULL,
    PRIMARY KEY (kind, target_id)
) {keyed};
