# Teams with their tree, members and repositories.
resource "github_team" "parent" {
  name        = "Parent"
  description = var.description
  privacy     = "closed"
}

resource "github_team" "child" {
  name           = "Child"
  privacy        = "closed"
  parent_team_id = github_team.parent.id
}

resource "github_team" "secret" {
  name    = "Secret"
  privacy = "secret"
}

resource "github_team_members" "parent" {
  team_id = github_team.parent.id
  members {
    username = "max"
    role     = "maintainer"
  }
  members {
    username = "eve"
  }
}

resource "github_team_membership" "child" {
  team_id  = github_team.child.id
  username = "zoe"
  role     = "maintainer"
}

resource "github_repository" "site" {
  name       = "site"
  visibility = "private"
}

resource "github_team_repository" "parent" {
  team_id    = github_team.parent.id
  repository = github_repository.site.name
  permission = "maintain"
}

data "github_team" "parent" {
  slug       = github_team.parent.slug
  depends_on = [github_team_members.parent, github_team_repository.parent, github_team_membership.child]
}

data "github_organization_teams" "all" {
  depends_on = [github_team_members.parent, github_team_repository.parent, github_team.child, github_team.secret]
}

data "github_repository_teams" "site" {
  name       = github_repository.site.name
  depends_on = [github_team_repository.parent]
}

output "granted" {
  value = [for team in data.github_repository_teams.site.teams : "${team.slug} ${team.permission}"]
}
