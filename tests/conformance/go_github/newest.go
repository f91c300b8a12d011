//go:build !of_2020

package main

import (
	"cmp"
	"errors"
	"os"
	"time"

	"github.com/google/go-github/v92/github"
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
	NewTeam                      = github.CreateTeamRequest
	Repository                   = github.Repository
	Team                         = github.Team
	TeamAddTeamMembershipOptions = github.TeamAddTeamMembershipOptions
	TeamAddTeamRepoOptions       = github.TeamAddTeamRepoOptions
	TeamDiscussion               = github.TeamDiscussion
	TeamListTeamMembersOptions   = github.TeamListTeamMembersOptions
	User                         = github.User
)

var ofThisVersion []part

func connect(token string) *Client {
	base := os.Getenv("GUILDHALL_URL") + "/"
	client, err := github.NewClient(github.WithURLs(&base, &base), github.WithAuthToken(cmp.Or(os.Getenv(token), "wrong")))
	must(err)
	return client
}

func createTeam(team NewTeam) (*Team, error) {
	made, _, err := owner.Teams.CreateTeam(ctx, org, team)
	return made, err
}

func editTeam(slug string, team NewTeam, detach bool) (*Team, error) {
	change := github.UpdateTeamRequest{
		Name: &team.Name, Description: team.Description, Privacy: team.Privacy, ParentTeamID: team.ParentTeamID,
		RemoveParentTeam: detach,
	}
	made, _, err := owner.Teams.UpdateTeamBySlug(ctx, org, slug, change)
	return made, err
}

// conditional returns how a request for what has this tag ends. NewRequest takes other parameters than in 2020.
func conditional(path, tag string) error {
	request, err := owner.NewRequest(ctx, "GET", path, nil)
	must(err)
	request.Header.Set("If-None-Match", tag)
	_, err = owner.Do(request, nil)
	return err
}

// limited returns what the library's error of the abuse limit says. The client keeps it, and sends no request until then.
func limited(err error) (message string, wait time.Duration) {
	var limit *github.AbuseRateLimitError
	if !errors.As(err, &limit) {
		panic(err)
	}
	return limit.Message, limit.GetRetryAfter()
}
