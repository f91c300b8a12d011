# Repositories and the people who work on them.
resource "github_repository" "engine" {
  name                   = "engine"
  description            = var.description
  visibility             = "private"
  delete_branch_on_merge = true
  vulnerability_alerts   = true
}

resource "github_repository_topics" "engine" {
  repository = github_repository.engine.name
  topics     = ["rust", "teams"]
}

resource "github_repository_collaborator" "nina" {
  repository = github_repository.engine.name
  username   = "nina"
  permission = "push"
}

resource "github_repository" "tools" {
  name       = "tools"
  visibility = "private"
}

resource "github_team" "users" {
  name    = "Users"
  privacy = "closed"
}

resource "github_team" "keepers" {
  name    = "Keepers"
  privacy = "closed"
}

resource "github_team" "sorters" {
  name    = "Sorters"
  privacy = "closed"
}

resource "github_repository_collaborators" "tools" {
  repository = github_repository.tools.name
  user {
    username   = "max"
    permission = "admin"
  }
  team {
    team_id    = github_team.users.slug
    permission = "pull"
  }
  team {
    team_id    = github_team.keepers.slug
    permission = "maintain"
  }
  team {
    team_id    = github_team.sorters.slug
    permission = "triage"
  }
}

data "github_repository" "engine" {
  full_name  = "acme/engine"
  depends_on = [github_repository_topics.engine]
}

data "github_collaborators" "engine" {
  owner      = "acme"
  repository = github_repository.engine.name
  depends_on = [github_repository_collaborator.nina]
}

# One result a page, so that it takes more than one.
data "github_repositories" "private" {
  query            = "org:acme is:private"
  results_per_page = 1
  include_repo_id  = true
  depends_on       = [github_repository.engine, github_repository.tools]
}

output "private" {
  value = sort(data.github_repositories.private.full_names)
}
