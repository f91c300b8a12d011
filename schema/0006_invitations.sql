-- How much each person has created, for the abuse limit: a window of a minute and one of an hour, each from the
-- first creation in it. One row a person at most.
CREATE TABLE creations (
    user_id BIGINT NOT NULL PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    minute_from BIGINT NOT NULL,
    in_minute BIGINT NOT NULL,
    hour_from BIGINT NOT NULL,
    in_hour BIGINT NOT NULL
) {keyed};
