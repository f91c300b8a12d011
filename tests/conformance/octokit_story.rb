# An unmodified octokit.rb works through the story of teams. Reads the variables of world.py.

require "octokit"

ORG = ENV.fetch("GUILDHALL_ORG")

def connect(token)
  Octokit::Client.new(access_token: token, api_endpoint: "#{ENV.fetch('GUILDHALL_URL')}/", auto_paginate: true)
end

OWNER, MEMBER, NINA = %w[TOKEN MEMBER_TOKEN OUTSIDER_TOKEN].map { |who| connect(ENV.fetch("GUILDHALL_#{who}")) }

def closed(name, **more)
  OWNER.create_team(ORG, name: name, privacy: "closed", **more)
end

def equal(found, wanted)
  raise "found #{found.inspect}, wanted #{wanted.inspect}" unless found == wanted
end

def refused(error)
  yield
rescue error => refusal
  refusal
else
  raise "accepted, wanted #{error}"
end

PARTS = {
  start: lambda {
    equal(OWNER.user.login, "olivia")
    equal(OWNER.organizations.map(&:login), [ORG])
    equal(OWNER.organization_members(ORG).map(&:login).sort, %w[eve max olivia zoe])
    equal(OWNER.organization_member?(ORG, "nina"), false)
    equal(OWNER.rate_limit!.limit.positive?, true)
  },
  teams: lambda {
    OWNER.create_repository("site", organization: ORG, private: true)
    team = closed("Core Team", maintainers: ["max"], repo_names: ["#{ORG}/site"])
    equal([team.slug, team.members_count, team.repos_count], ["core-team", 2, 1])
    equal(OWNER.update_team(team.id, name: "Core Team", description: "second").description, "second")
    equal(OWNER.team(team.id).description, "second")
    equal(OWNER.team_by_name(ORG, "core-team").id, team.id)
    equal(OWNER.organization_teams(ORG).map(&:slug), ["core-team"])
    equal(OWNER.user_teams.map(&:slug), ["core-team"])
    equal(OWNER.delete_team(team.id), true)
    refused(Octokit::NotFound) { OWNER.team(team.id) }
  },
  nesting: lambda {
    parent = closed("Parent")
    child = closed("Child", parent_team_id: parent.id)
    equal(OWNER.child_teams(parent.id).map(&:slug), ["child"])
    equal(OWNER.update_team(child.id, name: "Child", parent_team_id: nil).parent, nil)
    OWNER.update_team(child.id, name: "Child", parent_team_id: parent.id)
    OWNER.delete_team(parent.id)
    refused(Octokit::NotFound) { OWNER.team(child.id) }
  },
  renaming: lambda {
    team = closed("Before")
    equal(OWNER.update_team(team.id, name: "After").slug, "after")
    equal(OWNER.team_by_name(ORG, "before").id, team.id)
    OWNER.delete_team(team.id)
  },
  privacy: lambda {
    hidden = OWNER.create_team(ORG, name: "Hidden")
    open = closed("Open")
    equal(MEMBER.organization_teams(ORG).map(&:slug), ["open"])
    refused(Octokit::NotFound) { MEMBER.team(hidden.id) }
    OWNER.update_team(hidden.id, name: "Hidden", privacy: "closed")
    equal(MEMBER.team(hidden.id).privacy, "closed")
    [hidden, open].each { |team| OWNER.delete_team(team.id) }
  },
  memberships: lambda {
    team = closed("People")
    equal(OWNER.add_team_membership(team.id, "max", role: "maintainer").role, "maintainer")
    equal(OWNER.team_membership(team.id, "max").state, "active")
    equal(OWNER.team_members(team.id, role: "maintainer").map(&:login), %w[olivia max])
    equal(OWNER.team_member?(team.id, "max"), true)
    equal(OWNER.remove_team_membership(team.id, "max"), true)
    equal(OWNER.add_team_member(team.id, "max"), true)
    equal(OWNER.remove_team_member(team.id, "max"), true)
    refused(Octokit::NotFound) { OWNER.team_membership(team.id, "max") }
    OWNER.delete_team(team.id)
  },
  invitations: lambda {
    team = closed("Welcome")
    equal(OWNER.add_team_membership(team.id, "nina").state, "pending")
    equal(OWNER.team_invitations(team.id).map(&:login), ["nina"])
    equal(OWNER.organization_invitations(ORG).map(&:login), ["nina"])
    equal(NINA.update_organization_membership(ORG, state: "active").state, "active")
    equal(OWNER.team_membership(team.id, "nina").state, "active")
    equal(OWNER.remove_organization_membership(ORG, user: "nina"), true)
    OWNER.delete_team(team.id)
  },
  repositories: lambda {
    parent = closed("Owners")
    child = closed("Helpers", parent_team_id: parent.id)
    OWNER.create_repository("engine", organization: ORG, private: true)
    equal(OWNER.team_repository?(parent.id, "#{ORG}/engine"), false)
    equal(OWNER.add_team_repository(parent.id, "#{ORG}/engine", permission: "maintain"), true)
    equal(OWNER.team_repository?(child.id, "#{ORG}/engine"), true)
    equal(OWNER.team_repositories(child.id).map(&:name), ["engine"])
    equal(OWNER.repository_teams("#{ORG}/engine").map(&:slug), %w[owners helpers])
    equal(OWNER.remove_team_repository(parent.id, "#{ORG}/engine"), true)
    OWNER.delete_repository("#{ORG}/engine")
    OWNER.delete_team(parent.id)
  },
  projects: lambda {
    project = OWNER.create_org_project(ORG, "Plan", body: "first")
    equal(OWNER.update_project(project.id, body: "second").body, "second")
    equal(OWNER.org_projects(ORG).map(&:name), ["Plan"])
    equal(OWNER.delete_project(project.id), true)
  },
  pages: lambda {
    wanted = (100...135).map { |n| closed("Page #{n}").slug }
    OWNER.per_page = 10
    equal(OWNER.organization_teams(ORG).map(&:slug), wanted)
    OWNER.organization_teams(ORG).each { |team| OWNER.delete_team(team.id) }
  },
  conditional: lambda {
    team = closed("Tagged")
    OWNER.team(team.id)
    tagged = { headers: { "If-None-Match" => OWNER.last_response.headers["ETag"] } }
    equal([OWNER.get("teams/#{team.id}", tagged), OWNER.last_response.status], ["", 304])
    OWNER.update_team(team.id, name: "Tagged", description: "changed")
    equal(OWNER.get("teams/#{team.id}", tagged).description, "changed")
    OWNER.delete_team(team.id)
  },
  errors: lambda {
    team = closed("Taken")
    refused(Octokit::Unauthorized) { connect("wrong").user }
    refused(Octokit::Forbidden) { MEMBER.delete("teams/#{team.id}") }
    refused(Octokit::NotFound) { OWNER.team_by_name(ORG, "nowhere") }
    refusal = refused(Octokit::UnprocessableEntity) { closed("taken") }
    equal(refusal.errors[0][:message], "Name must be unique for this org")
    OWNER.delete_team(team.id)
  },
  # Of a member who creates nothing else.
  limits: lambda {
    team = closed("Busy")
    refusal = refused(Octokit::AbuseDetected) do
      100.times { MEMBER.post("teams/#{team.id}/discussions", title: "Hello", body: "All") }
    end
    equal((1..60).cover?(refusal.response_headers["Retry-After"].to_i), true)
    OWNER.delete_team(team.id)
  },
  groups: lambda {
    team = closed("Followers")
    mappings = "orgs/#{ORG}/teams/followers/team-sync/group-mappings"
    groups = OWNER.get("orgs/#{ORG}/team-sync/groups").groups.map(&:to_h)
    equal(OWNER.patch(mappings, groups: groups).groups.map(&:group_name), ["Platform"])
    refusal = refused(Octokit::Forbidden) { OWNER.add_team_membership(team.id, "max") }
    equal(refusal.message.include?("managed by the organization's identity provider"), true)
    OWNER.patch(mappings, groups: [])
    equal(OWNER.add_team_membership(team.id, "max").state, "active")
    OWNER.delete_team(team.id)
  }
}.freeze

def mark(text)
  puts format("%.6f %s", Time.now.to_f, text)
  $stdout.flush
end

PARTS.each do |name, part|
  mark("begin #{name}")
  part.call
  mark("ok #{name}")
rescue StandardError => error
  mark("FAILED #{name}: #{error.message.tr("\n", ' ')}")
  warn(error.full_message)
end
