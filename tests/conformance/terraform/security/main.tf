# A team that reads every repository, with the resource that both versions of the provider have.
resource "github_team" "watch" {
  name        = "Watch"
  description = var.description
  privacy     = "closed"
}

resource "github_organization_security_manager" "watch" {
  team_slug = github_team.watch.slug
}
