//go:build of_2020

package main

import (
	"cmp"
	"net/http"
	"net/url"
	"os"
	"time"

	"github.com/google/go-github/v32/github"
)

type (
	Client                       = github.Client
	CreateOrgInvitationOptions   = github.CreateOrgInvitationOptions
	DiscussionComment            = github.DiscussionComment
	ErrorResponse                = github.ErrorResponse
	IDPGroup                     = github.IDPGroup
	IDPGroupList                 = github.IDPGroupList
	ListOptions                  = github.ListOptions
	Membership                   = github.Membership
	NewTeam                      = github.NewTeam
	Repository                   = github.Repository
	Team                         = github.Team
	TeamAddTeamMembershipOptions = github.TeamAddTeamMembershipOptions
	TeamAddTeamRepoOptions       = github.TeamAddTeamRepoOptions
	TeamDiscussion               = github.TeamDiscussion
	TeamListTeamMembersOptions   = github.TeamListTeamMembersOptions
	User                         = github.User
)

var ofThisVersion = []part{{"projects", projects}}

// bearer is a transport that sends a token with each request.
type bearer string

func (token bearer) RoundTrip(request *http.Request) (*http.Response, error) {
	request = request.Clone(request.Context())
	request.Header.Set("Authorization", "Bearer "+string(token))
	return http.DefaultTransport.RoundTrip(request)
}

func connect(token string) *Client {
	client := github.NewClient(&http.Client{Transport: bearer(cmp.Or(os.Getenv(token), "wrong"))})
	base, err := url.Parse(os.Getenv("GUILDHALL_URL") + "/")
	must(err)
	client.BaseURL = base
	return client
}

func createTeam(team NewTeam) (*Team, error) {
	made, _, err := owner.Teams.CreateTeam(ctx, org, team)
	return made, err
}

func editTeam(slug string, team NewTeam, detach bool) (*Team, error) {
	changed, _, err := owner.Teams.EditTeamBySlug(ctx, org, slug, team, detach)
	return changed, err
}

// conditional returns how a request for what has this tag ends.
func conditional(path, tag string) error {
	request, err := owner.NewRequest("GET", path, nil)
	must(err)
	request.Header.Set("If-None-Match", tag)
	_, err = owner.Do(ctx, request, nil)
	return err
}

// limited returns what the library's error says. Its AbuseRateLimitError is for the page of the documentation that described
// the abuse limit in 2020; the refusal is an ErrorResponse.
func limited(err error) (message string, wait time.Duration) {
	refusal := refused(err, 403)
	wait, err = time.ParseDuration(refusal.Response.Header.Get("Retry-After") + "s")
	must(err)
	return refusal.Message, wait
}

func projects() {
	parent := closed("Planners", nil)
	closed("Doers", parent)
	project, _, err := owner.Organizations.CreateProject(ctx, org, &github.ProjectOptions{Name: ptr("Plan")})
	must(err)
	id := project.GetID()
	_, err = owner.Teams.AddTeamProjectBySlug(ctx, org, "planners", id, &github.TeamProjectOptions{Permission: ptr("write")})
	must(err)
	held, _, err := owner.Teams.ReviewTeamProjectsBySlug(ctx, org, "doers", id)
	must(err)
	equal(held.GetName(), "Plan")
	listed, _, err := owner.Teams.ListTeamProjectsBySlug(ctx, org, "doers")
	must(err)
	equal(len(listed), 1)
	_, err = owner.Teams.RemoveTeamProjectBySlug(ctx, org, "planners", id)
	must(err)
	_, err = owner.Projects.DeleteProject(ctx, id)
	must(err)
	gone("planners")
}
