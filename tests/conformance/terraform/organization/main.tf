# Settings and webhooks of the organization.
resource "github_organization_settings" "acme" {
  billing_email                 = "billing@example.com"
  name                          = "Acme"
  description                   = var.description
  default_repository_permission = "read"
}

resource "github_organization_webhook" "told" {
  events = ["team", "membership"]
  configuration {
    url          = "http://127.0.0.1:9/told"
    content_type = "json"
  }
}

data "github_organization_webhooks" "all" {
  depends_on = [github_organization_webhook.told]
}

data "github_ip_ranges" "all" {}

data "github_rest_api" "teams" {
  endpoint = "orgs/acme/teams"
}
