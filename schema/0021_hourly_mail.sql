-- The team of an e-mail about a post: a person gets a limited number an hour about the posts of a team (decision 37).
-- `order_key` is the person.
ALTER TABLE deliveries ADD COLUMN team_id BIGINT;
CREATE INDEX deliveries_about_posts ON deliveries (order_key, team_id, created_at) WHERE team_id IS NOT NULL;
