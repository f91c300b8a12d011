//go:build !debian

package main

import (
	"os"

	"github.com/google/go-github/v92/github"
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

func connect(token string) *Client {
	base := os.Getenv("GUILDHALL_URL") + "/"
	client, err := github.NewClient(github.WithURLs(&base, &base), github.WithAuthToken(os.Getenv(token)))
	must(err)
	return client
}

func createTeam(name string) (*Team, error) {
	team, _, err := owner.Teams.CreateTeam(ctx, org, github.CreateTeamRequest{
		Name: name, Privacy: github.Ptr("closed"), Description: github.Ptr("new"),
	})
	return team, err
}

func describeTeam(team *Team, description string) (*Team, error) {
	changed, _, err := owner.Teams.UpdateTeamBySlug(ctx, org, team.GetSlug(), github.UpdateTeamRequest{
		Name: github.Ptr(team.GetName()), Description: github.Ptr(description),
	})
	return changed, err
}

func cancelInvitation(invitation *Invitation) error {
	_, err := owner.Organizations.CancelInvite(ctx, org, invitation.GetID())
	return err
}
