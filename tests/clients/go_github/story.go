// An unmodified go-github works with teams, memberships, repositories and discussions of a running server.
//
// Reads GUILDHALL_URL (base URL, with or without /api/v3), GUILDHALL_ORG, GUILDHALL_TOKEN (an owner's),
// GUILDHALL_MEMBER_TOKEN, GUILDHALL_MEMBER (a plain member) and GUILDHALL_OUTSIDER (a registered person outside the
// organization). Ends with "N passed, N failed".
//
// newest.go connects and sends what the newest go-github wants, debian.go what the version packaged by Debian wants
// (build tag "debian").
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"reflect"
	"runtime"
	"strings"
)

var (
	ctx      = context.Background()
	org      = os.Getenv("GUILDHALL_ORG")
	member   = os.Getenv("GUILDHALL_MEMBER")
	outsider = os.Getenv("GUILDHALL_OUTSIDER")
	run      = fmt.Sprintf("go-github-%d", os.Getpid())
	owner    = connect("GUILDHALL_TOKEN")
)

// ptr is what optional fields take.
func ptr[T any](value T) *T { return &value }

// must ends the part that runs: main counts it as failed.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

func equal(found, wanted any) {
	if !reflect.DeepEqual(found, wanted) {
		panic(fmt.Errorf("found %v, wanted %v", found, wanted))
	}
}

// refused expects an error response with this status and message.
func refused(err error, status int, message string) {
	var response *ErrorResponse
	if !errors.As(err, &response) {
		panic(fmt.Errorf("accepted or no answer: %v", err))
	}
	equal([]any{response.Response.StatusCode, response.Message}, []any{status, message})
}

func newTeam(name string) *Team {
	team, err := createTeam(run + " " + name)
	must(err)
	return team
}

func deleteTeam(team *Team) {
	_, err := owner.Teams.DeleteTeamBySlug(ctx, org, team.GetSlug())
	must(err)
}

func aTeam() {
	team := newTeam("team")
	read, _, err := owner.Teams.GetTeamBySlug(ctx, org, team.GetSlug())
	must(err)
	again, _, err := owner.Teams.GetTeamByID(ctx, read.GetOrganization().GetID(), team.GetID())
	must(err)
	equal(again, read)
	changed, err := describeTeam(team, "changed")
	must(err)
	equal([]string{changed.GetName(), changed.GetDescription()}, []string{team.GetName(), "changed"})
	_, err = createTeam(team.GetName())
	refused(err, 422, "Validation Failed")
	_, _, err = owner.Teams.GetTeamBySlug(ctx, org, run+"-nowhere")
	refused(err, 404, "Not Found")
	_, err = connect("GUILDHALL_MEMBER_TOKEN").Teams.DeleteTeamBySlug(ctx, org, team.GetSlug())
	refused(err, 403, "Must have admin rights to Repository.")
	deleteTeam(team)
}

func pages() {
	all, response, err := owner.Teams.ListTeams(ctx, org, &ListOptions{PerPage: 100})
	must(err)
	equal(response.NextPage, 0)
	var paged []*Team
	options := &ListOptions{PerPage: 7}
	for {
		page, response, err := owner.Teams.ListTeams(ctx, org, options)
		must(err)
		paged = append(paged, page...)
		if response.NextPage == 0 {
			break
		}
		equal(response.LastPage, (len(all)+6)/7)
		options.Page = response.NextPage
	}
	equal(paged, all)
	equal(response.Rate.Limit > 0, true)
}

func memberships() {
	team := newTeam("people")
	slug := team.GetSlug()
	given, _, err := owner.Teams.AddTeamMembershipBySlug(ctx, org, slug, member,
		&TeamAddTeamMembershipOptions{Role: "maintainer"})
	must(err)
	equal([]string{given.GetState(), given.GetRole()}, []string{"active", "maintainer"})
	people, _, err := owner.Teams.ListTeamMembersBySlug(ctx, org, slug, nil)
	must(err)
	equal(len(people), 2)
	pending, _, err := owner.Teams.AddTeamMembershipBySlug(ctx, org, slug, outsider, nil)
	must(err)
	equal(pending.GetState(), "pending")
	invitations, _, err := owner.Teams.ListPendingTeamInvitationsBySlug(ctx, org, slug, nil)
	must(err)
	equal(len(invitations), 1)
	must(cancelInvitation(invitations[0]))
	invitations, _, err = owner.Teams.ListPendingTeamInvitationsBySlug(ctx, org, slug, nil)
	must(err)
	equal(len(invitations), 0)
	_, err = owner.Teams.RemoveTeamMembershipBySlug(ctx, org, slug, member)
	must(err)
	_, _, err = owner.Teams.GetTeamMembershipBySlug(ctx, org, slug, member)
	refused(err, 404, "Not Found")
	deleteTeam(team)
}

func repositories() {
	team := newTeam("repositories")
	repo, _, err := owner.Repositories.Create(ctx, org, &Repository{
		Name: ptr(run), Private: ptr(true), AllowSquashMerge: ptr(false),
	})
	must(err)
	equal([]any{repo.GetAllowSquashMerge(), repo.GetAllowMergeCommit()}, []any{false, true})
	equal(repo.GetPushedAt(), repo.GetCreatedAt())
	changed, _, err := owner.Repositories.Edit(ctx, org, run, &Repository{
		DeleteBranchOnMerge: ptr(true), MergeCommitTitle: ptr("PR_TITLE"),
	})
	must(err)
	equal([]any{changed.GetDeleteBranchOnMerge(), changed.GetMergeCommitTitle()}, []any{true, "PR_TITLE"})
	_, err = owner.Teams.AddTeamRepoBySlug(ctx, org, team.GetSlug(), org, run,
		&TeamAddTeamRepoOptions{Permission: "maintain"})
	must(err)
	held, _, err := owner.Teams.IsTeamRepoBySlug(ctx, org, team.GetSlug(), org, run)
	must(err)
	equal(held.GetRoleName(), "maintain")
	teams, _, err := owner.Repositories.ListTeams(ctx, org, run, nil)
	must(err)
	equal([]any{len(teams), teams[0].GetPermission()}, []any{1, "push"})
	_, _, err = owner.Repositories.AddCollaborator(ctx, org, run, outsider, nil)
	must(err)
	invitations, _, err := owner.Repositories.ListInvitations(ctx, org, run, nil)
	must(err)
	equal(len(invitations), 0)
	_, err = owner.Teams.RemoveTeamRepoBySlug(ctx, org, team.GetSlug(), org, run)
	must(err)
	_, err = owner.Repositories.Delete(ctx, org, run)
	must(err)
	deleteTeam(team)
}

func discussions() {
	team := newTeam("discussions")
	slug := team.GetSlug()
	made, _, err := owner.Teams.CreateDiscussionBySlug(ctx, org, slug,
		TeamDiscussion{Title: ptr("First"), Body: ptr("**Hello**")})
	must(err)
	equal([]any{made.GetNumber(), made.GetBodyHTML()}, []any{1, "<p><strong>Hello</strong></p>"})
	_, _, err = owner.Teams.CreateCommentBySlug(ctx, org, slug, 1, DiscussionComment{Body: ptr("Yes")})
	must(err)
	comments, _, err := owner.Teams.ListCommentsBySlug(ctx, org, slug, 1, nil)
	must(err)
	equal([]any{len(comments), comments[0].GetBody()}, []any{1, "Yes"})
	changed, _, err := owner.Teams.EditDiscussionBySlug(ctx, org, slug, 1,
		TeamDiscussion{Title: ptr("Second")})
	must(err)
	equal([]any{changed.GetTitle(), changed.GetCommentsCount()}, []any{"Second", 1})
	_, err = owner.Teams.DeleteDiscussionBySlug(ctx, org, slug, 1)
	must(err)
	_, _, err = owner.Teams.GetDiscussionBySlug(ctx, org, slug, 1)
	refused(err, 404, "Not Found")
	deleteTeam(team)
}

func theCaller() {
	me, _, err := owner.Users.Get(ctx, "")
	must(err)
	membership, _, err := owner.Organizations.GetOrgMembership(ctx, "", org)
	must(err)
	equal([]string{membership.GetUser().GetLogin(), membership.GetRole()}, []string{me.GetLogin(), "admin"})
	found, _, err := owner.Users.Get(ctx, strings.ToUpper(me.GetLogin()))
	must(err)
	equal(found.GetID(), me.GetID())
	everyone, _, err := owner.Users.ListAll(ctx, nil)
	must(err)
	equal(len(everyone), 30)
}

// passes runs a part and says whether it came to its end.
func passes(name string, part func()) (passed bool) {
	defer func() {
		if failure := recover(); failure != nil {
			fmt.Fprintf(os.Stderr, "FAILED %s: %v\n", name, failure)
			passed = false
		}
	}()
	part()
	return true
}

func main() {
	fmt.Printf("go-github %s, built with %s\n", libraryVersion, runtime.Version())
	passed, failed := 0, 0
	parts := []struct {
		name string
		part func()
	}{
		{"a team", aTeam}, {"pages", pages}, {"memberships", memberships}, {"repositories", repositories},
		{"discussions", discussions}, {"the caller", theCaller},
	}
	for _, each := range parts {
		if passes(each.name, each.part) {
			passed++
		} else {
			failed++
		}
	}
	fmt.Printf("%d passed, %d failed\n", passed, failed)
	if failed > 0 {
		os.Exit(1)
	}
}
