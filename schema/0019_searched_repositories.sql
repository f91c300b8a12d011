-- The texts of repositories that searches read, in lower case: letters of ASCII only, on both engines. The part of a
-- description is limited, so that a search takes limited time. Topics are in quotation marks, with nothing between them.
-- The table has no alias, so that tests find its name in query plans.
CREATE VIEW searched_repos AS
    SELECT repos.id AS id, repos.name_key AS name,
{sqlite}           coalesce(lower(substr(repos.description, 1, 350)), '') AS description,
{postgres}           coalesce(lower(substr(repos.description, 1, 350) COLLATE "C"), '') AS description,
           replace(replace(replace(coalesce(
{sqlite}               json_extract(repos.settings, '$.topics')
{postgres}               CAST(repos.settings AS JSON) ->> 'topics'
           , ''), '[', ''), ']', ''), ',', '') AS topics
    FROM repos;

-- All public repositories, by ID.
CREATE INDEX repos_private ON repos (private, id);
