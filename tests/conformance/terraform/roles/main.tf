# Roles in the organization, of teams and of people.
data "github_organization_roles" "all" {}

locals {
  manager = one([for role in data.github_organization_roles.all.roles : role if role.name == "security_manager"])
}

resource "github_team" "guards" {
  name        = "Guards"
  description = var.description
  privacy     = "closed"
}

resource "github_organization_role_team" "guards" {
  role_id   = local.manager.role_id
  team_slug = github_team.guards.slug
}

resource "github_team" "auditors" {
  name    = "Auditors"
  privacy = "closed"
}

# The same with the older resource.
resource "github_organization_role_team_assignment" "auditors" {
  role_id   = local.manager.role_id
  team_slug = github_team.auditors.slug
}

resource "github_organization_role_user" "max" {
  role_id = local.manager.role_id
  login   = "max"
}

data "github_organization_security_managers" "all" {
  depends_on = [github_organization_role_team.guards]
}

data "github_organization_role" "manager" {
  role_id = local.manager.role_id
}

data "github_organization_role_teams" "manager" {
  role_id    = local.manager.role_id
  depends_on = [github_organization_role_team.guards]
}

data "github_organization_role_users" "manager" {
  role_id    = local.manager.role_id
  depends_on = [github_organization_role_team.guards, github_organization_role_user.max]
}
