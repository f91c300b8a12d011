-- The organization of each request to join a team, which is that of the team, so that owners find the open ones without
-- their teams.
ALTER TABLE join_requests ADD COLUMN org_id BIGINT;
UPDATE join_requests SET org_id = (SELECT t.org_id FROM teams t WHERE t.id = join_requests.team_id);
CREATE INDEX join_requests_open ON join_requests (org_id, id) WHERE state = 'open';
