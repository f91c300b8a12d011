-- The teams that read every repository of their organization: those that have the role security_manager, and the teams
-- below them. A team has a row for each team that the role was given to. The tables have no aliases, so that tests find
-- their names in query plans.
CREATE VIEW reading_teams AS
    SELECT security_managers.org_id AS org_id, security_managers.team_id AS given_to,
           team_tree.descendant_id AS team_id, team_tree.depth AS depth
    FROM security_managers JOIN team_tree ON team_tree.ancestor_id = security_managers.team_id;

-- Who edited the text of a discussion or a comment last.
ALTER TABLE discussions ADD COLUMN editor_id BIGINT REFERENCES users (id) ON DELETE SET NULL;
ALTER TABLE comments ADD COLUMN editor_id BIGINT REFERENCES users (id) ON DELETE SET NULL;
CREATE INDEX discussions_editor ON discussions (editor_id) WHERE editor_id IS NOT NULL;
CREATE INDEX comments_editor ON comments (editor_id) WHERE editor_id IS NOT NULL;
