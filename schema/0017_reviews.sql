-- How a request for a review to a team is passed on to its members (decision 60), for clients that set it. Nothing here
-- acts on it.
ALTER TABLE teams ADD COLUMN review_enabled BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE teams ADD COLUMN review_algorithm TEXT NOT NULL DEFAULT 'round_robin'
    CHECK (review_algorithm IN ('round_robin', 'load_balance'));
ALTER TABLE teams ADD COLUMN review_members BIGINT NOT NULL DEFAULT 1;
ALTER TABLE teams ADD COLUMN review_notify BOOLEAN NOT NULL DEFAULT TRUE;
