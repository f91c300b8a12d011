# How requests for review are spread over a team.
resource "github_team" "reviewers" {
  name        = "Reviewers"
  description = var.description
  privacy     = "closed"
}

resource "github_team_settings" "reviewers" {
  team_id = github_team.reviewers.id
  review_request_delegation {
    algorithm    = "LOAD_BALANCE"
    member_count = 1
    notify       = true
  }
}
