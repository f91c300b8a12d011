//go:build debian

package main

import (
	"net/http"
	"net/url"
	"os"

	// Debian installs one version, outside modules: the import path has no version.
	"github.com/google/go-github/github"
)

const libraryVersion = github.Version

type (
	Client                       = github.Client
	DiscussionComment            = github.DiscussionComment
	ErrorResponse                = github.ErrorResponse
	Invitation                   = github.Invitation
	ListOptions                  = github.ListOptions
	Repository                   = github.Repository
	Team                         = github.Team
	TeamAddTeamMembershipOptions = github.TeamAddTeamMembershipOptions
	TeamAddTeamRepoOptions       = github.TeamAddTeamRepoOptions
	TeamDiscussion               = github.TeamDiscussion
)

// bearer is a transport that sends a token with each request.
type bearer string

func (token bearer) RoundTrip(request *http.Request) (*http.Response, error) {
	request = request.Clone(request.Context())
	request.Header.Set("Authorization", "Bearer "+string(token))
	return http.DefaultTransport.RoundTrip(request)
}

func connect(token string) *Client {
	client := github.NewClient(&http.Client{Transport: bearer(os.Getenv(token))})
	base, err := url.Parse(os.Getenv("GUILDHALL_URL") + "/")
	must(err)
	client.BaseURL = base
	return client
}

func createTeam(name string) (*Team, error) {
	team, _, err := owner.Teams.CreateTeam(ctx, org, github.NewTeam{
		Name: name, Privacy: github.String("closed"), Description: github.String("new"),
	})
	return team, err
}

func describeTeam(team *Team, description string) (*Team, error) {
	changed, _, err := owner.Teams.EditTeamBySlug(ctx, org, team.GetSlug(), github.NewTeam{
		Name: team.GetName(), Description: github.String(description),
	}, false)
	return changed, err
}

// cancelInvitation removes the invited user from the organization: this go-github has no call for the invitation itself.
func cancelInvitation(invitation *Invitation) error {
	_, err := owner.Organizations.RemoveOrgMembership(ctx, invitation.GetLogin(), org)
	return err
}
