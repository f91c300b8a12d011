-- Requests of members to join teams (decision 65): one for each team and person, which the next one replaces. One that was
-- withdrawn remains, so that the next one sends no e-mail too soon.
CREATE TABLE join_requests (
    id {id},
    team_id BIGINT NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
    user_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    state TEXT NOT NULL CHECK (state IN ('open', 'approved', 'declined', 'withdrawn')),
    message TEXT,
    created_at BIGINT NOT NULL,
    mailed_at BIGINT NOT NULL,
    decided_by BIGINT REFERENCES users (id) ON DELETE SET NULL,
    decided_at BIGINT,
    CONSTRAINT join_requests_of_person UNIQUE (team_id, user_id)
);
CREATE INDEX join_requests_user ON join_requests (user_id);
CREATE INDEX join_requests_decided_by ON join_requests (decided_by) WHERE decided_by IS NOT NULL;

-- Whether members may leave teams without a maintainer (decision 66).
ALTER TABLE orgs ADD COLUMN members_can_leave_teams BOOLEAN NOT NULL DEFAULT FALSE;
