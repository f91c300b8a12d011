# A team that follows a group of the identity provider.
resource "github_team" "platform" {
  name        = "Platform"
  description = var.description
  privacy     = "closed"
}

data "github_organization_team_sync_groups" "all" {}

resource "github_team_sync_group_mapping" "platform" {
  team_slug = github_team.platform.slug

  dynamic "group" {
    for_each = [for group in data.github_organization_team_sync_groups.all.groups : group if group.group_name == "Platform"]
    content {
      group_id          = group.value.group_id
      group_name        = group.value.group_name
      group_description = group.value.group_description
    }
  }
}
