-- Who gave each level on a repository or project, and when (decision 67); null for levels from before. IDs are never
-- reused, so the column needs no reference: the ID of a deleted account finds no row.
ALTER TABLE team_repos ADD COLUMN granted_by BIGINT;
ALTER TABLE team_repos ADD COLUMN granted_at BIGINT;
ALTER TABLE repo_collaborators ADD COLUMN granted_by BIGINT;
ALTER TABLE repo_collaborators ADD COLUMN granted_at BIGINT;
ALTER TABLE team_projects ADD COLUMN granted_by BIGINT;
ALTER TABLE team_projects ADD COLUMN granted_at BIGINT;
ALTER TABLE project_collaborators ADD COLUMN granted_by BIGINT;
ALTER TABLE project_collaborators ADD COLUMN granted_at BIGINT;

-- People as a list of who has access finds them: by their login or name, with ASCII letters in lower case. The table has
-- no alias, so that tests find its name in query plans.
CREATE VIEW searched_people AS
    SELECT users.id AS id, users.login AS login,
{sqlite}           lower(users.login) AS login_text, coalesce(lower(users.name), '') AS name_text
{postgres}           lower(users.login COLLATE "C") AS login_text, coalesce(lower(users.name COLLATE "C"), '') AS name_text
    FROM users;
