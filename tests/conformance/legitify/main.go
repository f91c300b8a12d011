// An analysis by legitify, without its policies. The Go module proxy does not serve legitify; these are the requests of its
// collectors, made with the libraries that it makes them with. Reads the variables of world.py.
package main

import (
	"context"
	"os"
	"slices"
	"strings"

	"github.com/google/go-github/v53/github"
	"github.com/shurcooL/githubv4"
	"golang.org/x/oauth2"

	. "guildhall/story"
)

// The clients, as legitify makes them of its SERVER_URL.
var (
	site    = strings.TrimSuffix(Base, "/api/v3")
	token   = oauth2.StaticTokenSource(&oauth2.Token{AccessToken: os.Getenv("GUILDHALL_TOKEN")})
	owner   = oauth2.NewClient(context.Background(), token)
	graphql = githubv4.NewEnterpriseClient(site+"/api/graphql", owner)
	org     = githubv4.String(Org)
	rest    *github.Client
)

type page struct {
	EndCursor       *githubv4.String
	HasNextPage     bool
	HasPreviousPage bool
	StartCursor     *githubv4.String
}

// What it reads of the protection of a default branch.
type protection struct {
	AllowsDeletions                *bool
	AllowsForcePushes              *bool
	BlocksCreations                *bool
	DismissesStaleReviews          *bool
	IsAdminEnforced                *bool
	RequiredApprovingReviewCount   *int
	RequiresStatusChecks           *bool
	RequiresStrictStatusChecks     *bool
	RestrictsPushes                *bool
	RequiresCodeOwnerReviews       *bool
	RequiresLinearHistory          *bool
	RequiresConversationResolution *bool
	RequiresCommitSignatures       *bool
	RestrictsReviewDismissals      *bool
}

type repository struct {
	Name               string
	RebaseMergeAllowed bool
	URL                string
	DatabaseID         int64
	IsPrivate          bool
	ForkingAllowed     bool
	IsArchived         bool
	DefaultBranchRef   *struct {
		Name                 *string
		BranchProtectionRule *protection
	}
	PushedAt         *githubv4.DateTime
	ViewerPermission string
}

type brief struct {
	NameWithOwner    string
	ViewerPermission string
}

func ask(query any, variables map[string]any) { Must(graphql.Query(Ctx, query, variables)) }

// got ends the part unless REST answered.
func got[T any](found T, _ *github.Response, err error) T {
	Must(err)
	return found
}

// organizations lists those of the token, with the role in each.
func organizations() {
	answer, err := owner.Post(site+"/api/graphql", "application/json", nil)
	Must(err)
	Must(answer.Body.Close())
	Check(strings.Contains(answer.Header.Get("X-OAuth-Scopes"), "admin:org"), answer.Header)
	listed := got(rest.Organizations.List(Ctx, "", nil))
	Check(len(listed) == 1 && listed[0].GetLogin() == Org, listed)
	Check(got(rest.Organizations.Get(Ctx, Org)).GetPlan().GetName() == "enterprise", "another plan")
	var role struct {
		Organization struct {
			ViewerCanAdminister *bool
			Repositories        struct {
				Nodes []struct{ ID *githubv4.String }
			} `graphql:"repositories(first: 1)"`
		} `graphql:"organization(login: $login)"`
	}
	ask(&role, map[string]any{"login": org})
	Check(*role.Organization.ViewerCanAdminister && len(role.Organization.Repositories.Nodes) == 1, role)
	var saml struct {
		Organization struct {
			SamlIdentityProvider struct {
				ExternalIdentities struct{ TotalCount int } `graphql:"externalIdentities(first: 1)"`
			}
		} `graphql:"organization(login: $login)"`
	}
	ask(&saml, map[string]any{"login": org})
	Check(saml.Organization.SamlIdentityProvider.ExternalIdentities.TotalCount == 0, saml)
	got(rest.Organizations.ListHooks(Ctx, Org, nil))
}

// members lists owners and members, with what each last did.
func members() {
	var total struct {
		Organization struct {
			MembersWithRole struct{ TotalCount githubv4.Int } `graphql:"membersWithRole(first: 1)"`
		} `graphql:"organization(login: $login)"`
	}
	ask(&total, map[string]any{"login": org})
	people := map[string]string{}
	for _, role := range []string{"member", "admin"} {
		for _, one := range got(rest.Organizations.ListMembers(Ctx, Org, &github.ListMembersOptions{Role: role})) {
			people[one.GetLogin()] = role
			phrase := github.GetAuditLogOptions{
				Phrase: github.String("actor:" + one.GetLogin()), Include: github.String("all"),
				ListCursorOptions: github.ListCursorOptions{PerPage: 1},
			}
			for _, entry := range got(rest.Organizations.GetAuditLog(Ctx, Org, &phrase)) {
				Check(entry.GetActor() == one.GetLogin(), entry)
			}
		}
	}
	Check(len(people) == int(total.Organization.MembersWithRole.TotalCount), people)
	Check(people["olivia"] == "admin" && people["max"] == "member", people)
}

// repositories reads each that is not archived, and then what only REST says.
func repositories() {
	var found struct {
		Organization struct {
			Repositories struct {
				PageInfo page
				Nodes    []repository
			} `graphql:"repositories(first: 50, after: $repositoryCursor, isArchived: false)"`
		} `graphql:"organization(login: $login)"`
	}
	ask(&found, map[string]any{"login": org, "repositoryCursor": (*githubv4.String)(nil)})
	listed := found.Organization.Repositories
	Check(len(listed.Nodes) == 1 && !listed.PageInfo.HasNextPage, listed)
	for _, one := range listed.Nodes {
		wanted := got(rest.Repositories.Get(Ctx, Org, one.Name))
		Check(one == repository{
			Name: wanted.GetName(), RebaseMergeAllowed: wanted.GetAllowRebaseMerge(), URL: wanted.GetHTMLURL(), DatabaseID: wanted.GetID(),
			IsPrivate: wanted.GetPrivate(), ForkingAllowed: wanted.GetAllowForking(), PushedAt: one.PushedAt, ViewerPermission: "ADMIN",
		}, one)
		Check(one.PushedAt.Equal(wanted.GetPushedAt().Time), one.PushedAt)
		onlyInREST(one.Name)
	}
}

func onlyInREST(name string) {
	Check(!got(rest.Repositories.GetVulnerabilityAlerts(Ctx, Org, name)), "alerts")
	Check(len(got(rest.Repositories.ListHooks(Ctx, Org, name, nil))) == 0, "hooks")
	people := got(rest.Repositories.ListCollaborators(Ctx, Org, name, nil))
	Check(slices.ContainsFunc(people, func(one *github.User) bool { return one.GetLogin() == "max" }), people)
	var manifests struct {
		RepositoryOwner struct {
			Repository struct {
				DependencyGraphManifests *struct{ TotalCount int } `graphql:"dependencyGraphManifests(first: 1)"`
			} `graphql:"repository(name: $name)"`
		} `graphql:"repositoryOwner(login: $login)"`
	}
	ask(&manifests, map[string]any{"login": org, "name": githubv4.String(name)})
}

// named reads one repository by its owner, who may be an organization.
func named() {
	var found struct {
		RepositoryOwner struct {
			Organization struct{ ViewerCanAdminister *bool } `graphql:"... on Organization"`
			Login        githubv4.String
			Repository   repository `graphql:"repository(name: $name)"`
		} `graphql:"repositoryOwner(login: $login)"`
	}
	ask(&found, map[string]any{"login": org, "name": githubv4.String("site")})
	Check(found.RepositoryOwner.Repository.Name == "site" && *found.RepositoryOwner.Organization.ViewerCanAdminister, found)
}

// lists is `legitify list-repos`: those of the person and those of the organization.
func lists() {
	var own struct {
		Viewer struct {
			Repositories struct {
				PageInfo page
				Nodes    []brief
			} `graphql:"repositories(first:50, after: $cursor)"`
		}
	}
	ask(&own, map[string]any{"cursor": (*githubv4.String)(nil)})
	var all struct {
		Organization struct {
			Repositories struct {
				PageInfo page
				Nodes    []brief
			} `graphql:"repositories(first: 50, after: $cursor)"`
		} `graphql:"organization(login: $login)"`
	}
	ask(&all, map[string]any{"cursor": (*githubv4.String)(nil), "login": org})
	Check(slices.Equal(append(own.Viewer.Repositories.Nodes, all.Organization.Repositories.Nodes...), []brief{{Org + "/site", "ADMIN"}}), all)
}

func main() {
	var err error
	rest, err = github.NewEnterpriseClient(site, site, owner)
	Must(err)
	Run(Part{Name: "organizations", Run: organizations},
		Part{Name: "organization members", Run: members},
		Part{Name: "organization repositories", Run: repositories},
		Part{Name: "repository by owner", Run: named},
		Part{Name: "list of repositories", Run: lists})
}
