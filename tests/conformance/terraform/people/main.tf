# Members of the organization, and what can be read of people.
resource "github_membership" "nina" {
  username = "nina"
  role     = "member"
}

data "github_membership" "max" {
  username = "max"
}

data "github_user" "max" {
  username = "max"
}

data "github_users" "some" {
  usernames = ["max", "nobody-of-that-name"]
}

data "github_organization" "acme" {
  name = "acme"
}

output "description" {
  value = var.description
}
