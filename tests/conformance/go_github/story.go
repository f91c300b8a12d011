// An unmodified go-github, of 2020 or of today, works through the story of teams. Reads the variables of world.py.
//
// newest.go has what only the newest go-github knows, of_2020.go what version 32 does (build tag "of_2020").
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"reflect"
	"sort"
	"strings"
	"time"
)

var (
	ctx                    = context.Background()
	org                    = os.Getenv("GUILDHALL_ORG")
	owner, member, invited = connect("GUILDHALL_TOKEN"), connect("GUILDHALL_MEMBER_TOKEN"), connect("GUILDHALL_OUTSIDER_TOKEN")
)

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

func refused(err error, status int) *ErrorResponse {
	var response *ErrorResponse
	if !errors.As(err, &response) {
		panic(fmt.Errorf("accepted or no answer: %v", err))
	}
	equal(response.Response.StatusCode, status)
	return response
}

func closed(name string, parent *Team) *Team {
	team, err := createTeam(NewTeam{Name: name, Privacy: ptr("closed"), ParentTeamID: parentID(parent)})
	must(err)
	return team
}

func parentID(parent *Team) *int64 {
	if parent == nil {
		return nil
	}
	return parent.ID
}

func gone(slug string) {
	_, err := owner.Teams.DeleteTeamBySlug(ctx, org, slug)
	must(err)
}

func bySlug(client *Client, slug string) (*Team, error) {
	team, _, err := client.Teams.GetTeamBySlug(ctx, org, slug)
	return team, err
}

func slugs(teams []*Team, _ any, err error) []string {
	must(err)
	found := []string{}
	for _, team := range teams {
		found = append(found, team.GetSlug())
	}
	return found
}

func logins(people []*User, _ any, err error) []string {
	must(err)
	found := []string{}
	for _, person := range people {
		found = append(found, person.GetLogin())
	}
	sort.Strings(found)
	return found
}

func start() {
	me, _, err := owner.Users.Get(ctx, "")
	must(err)
	equal(me.GetLogin(), "olivia")
	found, _, err := owner.Organizations.Get(ctx, org)
	must(err)
	equal(found.GetName(), "Acme")
	people, _, err := owner.Organizations.ListMembers(ctx, org, nil)
	equal(logins(people, nil, err), []string{"eve", "max", "olivia", "zoe"})
	organizations, response, err := owner.Organizations.List(ctx, "", nil)
	must(err)
	equal([]any{len(organizations), response.Rate.Limit > 0}, []any{1, true})
}

func teams() {
	_, _, err := owner.Repositories.Create(ctx, org, &Repository{Name: ptr("site"), Private: ptr(true)})
	must(err)
	team, err := createTeam(NewTeam{
		Name: "Core Team", Privacy: ptr("closed"), Maintainers: []string{"max"}, RepoNames: []string{org + "/site"},
	})
	must(err)
	equal([]any{team.GetSlug(), team.GetMembersCount(), team.GetReposCount()}, []any{"core-team", 2, 1})
	changed, err := editTeam("core-team", NewTeam{Name: "Core Team", Description: ptr("second")}, false)
	must(err)
	equal(changed.GetDescription(), "second")
	same, _, err := owner.Teams.GetTeamByID(ctx, team.GetOrganization().GetID(), team.GetID())
	must(err)
	equal(same.GetDescription(), "second")
	listed, _, err := owner.Teams.ListTeams(ctx, org, nil)
	equal(slugs(listed, nil, err), []string{"core-team"})
	mine, _, err := owner.Teams.ListUserTeams(ctx, nil)
	equal(slugs(mine, nil, err), []string{"core-team"})
	gone("core-team")
	_, err = bySlug(owner, "core-team")
	refused(err, 404)
}

func nesting() {
	parent := closed("Parent", nil)
	child := closed("Child", parent)
	equal(child.GetParent().GetSlug(), "parent")
	below, _, err := owner.Teams.ListChildTeamsByParentSlug(ctx, org, "parent", nil)
	equal(slugs(below, nil, err), []string{"child"})
	detached, err := editTeam("child", NewTeam{Name: "Child"}, true)
	must(err)
	equal(detached.GetParent() == nil, true)
	_, err = editTeam("child", NewTeam{Name: "Child", ParentTeamID: parent.ID}, false)
	must(err)
	gone("parent")
	_, err = bySlug(owner, "child")
	refused(err, 404)
}

func renaming() {
	team := closed("Before", nil)
	changed, err := editTeam("before", NewTeam{Name: "After"}, false)
	must(err)
	equal(changed.GetSlug(), "after")
	// net/http follows the redirect.
	old, err := bySlug(owner, "before")
	must(err)
	equal(old.GetID(), team.GetID())
	gone("after")
}

func privacy() {
	_, err := createTeam(NewTeam{Name: "Hidden"})
	must(err)
	closed("Open", nil)
	seen, _, err := member.Teams.ListTeams(ctx, org, nil)
	equal(slugs(seen, nil, err), []string{"open"})
	_, err = bySlug(member, "hidden")
	refused(err, 404)
	_, err = editTeam("hidden", NewTeam{Name: "Hidden", Privacy: ptr("closed")}, false)
	must(err)
	found, err := bySlug(member, "hidden")
	must(err)
	equal(found.GetPrivacy(), "closed")
	gone("hidden")
	gone("open")
}

func memberships() {
	closed("People", nil)
	for _, role := range []string{"member", "maintainer"} {
		given, _, err := owner.Teams.AddTeamMembershipBySlug(ctx, org, "people", "max", &TeamAddTeamMembershipOptions{Role: role})
		must(err)
		equal(given.GetRole(), role)
	}
	held, _, err := owner.Teams.GetTeamMembershipBySlug(ctx, org, "people", "max")
	must(err)
	equal(held.GetState(), "active")
	people, _, err := owner.Teams.ListTeamMembersBySlug(ctx, org, "people", &TeamListTeamMembersOptions{Role: "maintainer"})
	equal(logins(people, nil, err), []string{"max", "olivia"})
	_, err = owner.Teams.RemoveTeamMembershipBySlug(ctx, org, "people", "max")
	must(err)
	_, _, err = owner.Teams.GetTeamMembershipBySlug(ctx, org, "people", "max")
	refused(err, 404)
	gone("people")
}

func invitations() {
	team := closed("Welcome", nil)
	pending, _, err := owner.Teams.AddTeamMembershipBySlug(ctx, org, "welcome", "nina", nil)
	must(err)
	equal(pending.GetState(), "pending")
	found, _, err := owner.Teams.ListPendingTeamInvitationsBySlug(ctx, org, "welcome", nil)
	must(err)
	equal([]any{len(found), found[0].GetLogin()}, []any{1, "nina"})
	active, _, err := invited.Organizations.EditOrgMembership(ctx, "", org, &Membership{State: ptr("active")})
	must(err)
	equal(active.GetState(), "active")
	_, err = owner.Organizations.RemoveOrgMembership(ctx, "nina", org)
	must(err)
	_, _, err = owner.Organizations.CreateOrgInvitation(ctx, org,
		&CreateOrgInvitationOptions{Email: ptr("new@example.com"), TeamID: []int64{team.GetID()}})
	must(err)
	open, _, err := owner.Organizations.ListPendingOrgInvitations(ctx, org, nil)
	must(err)
	equal([]any{len(open), open[0].GetEmail()}, []any{1, "new@example.com"})
	gone("welcome")
}

func repositories() {
	parent := closed("Owners", nil)
	closed("Helpers", parent)
	_, _, err := owner.Repositories.Create(ctx, org, &Repository{Name: ptr("engine"), Private: ptr(true)})
	must(err)
	_, _, err = owner.Teams.IsTeamRepoBySlug(ctx, org, "owners", org, "engine")
	refused(err, 404)
	_, err = owner.Teams.AddTeamRepoBySlug(ctx, org, "owners", org, "engine", &TeamAddTeamRepoOptions{Permission: "maintain"})
	must(err)
	_, _, err = owner.Teams.IsTeamRepoBySlug(ctx, org, "helpers", org, "engine")
	must(err)
	repos, _, err := owner.Teams.ListTeamReposBySlug(ctx, org, "helpers", nil)
	must(err)
	equal([]any{len(repos), repos[0].GetName()}, []any{1, "engine"})
	granted, _, err := owner.Repositories.ListTeams(ctx, org, "engine", nil)
	equal(slugs(granted, nil, err), []string{"owners", "helpers"})
	_, err = owner.Teams.RemoveTeamRepoBySlug(ctx, org, "owners", org, "engine")
	must(err)
	_, err = owner.Repositories.Delete(ctx, org, "engine")
	must(err)
	gone("owners")
}

func discussions() {
	closed("Board", nil)
	made, _, err := owner.Teams.CreateDiscussionBySlug(ctx, org, "board", TeamDiscussion{Title: ptr("Hello"), Body: ptr("**All**")})
	must(err)
	equal(made.GetBodyHTML(), "<p><strong>All</strong></p>")
	changed, _, err := owner.Teams.EditDiscussionBySlug(ctx, org, "board", 1, TeamDiscussion{Title: ptr("Hi")})
	must(err)
	read, _, err := owner.Teams.GetDiscussionBySlug(ctx, org, "board", 1)
	must(err)
	equal(read.GetTitle(), changed.GetTitle())
	posts, _, err := owner.Teams.ListDiscussionsBySlug(ctx, org, "board", nil)
	must(err)
	equal(len(posts), 1)
	_, _, err = owner.Teams.CreateCommentBySlug(ctx, org, "board", 1, DiscussionComment{Body: ptr("Welcome")})
	must(err)
	_, _, err = owner.Teams.EditCommentBySlug(ctx, org, "board", 1, 1, DiscussionComment{Body: ptr("Thanks")})
	must(err)
	comment, _, err := owner.Teams.GetCommentBySlug(ctx, org, "board", 1, 1)
	must(err)
	equal(comment.GetBody(), "Thanks")
	comments, _, err := owner.Teams.ListCommentsBySlug(ctx, org, "board", 1, nil)
	must(err)
	equal(len(comments), 1)
	_, err = owner.Teams.DeleteCommentBySlug(ctx, org, "board", 1, 1)
	must(err)
	_, err = owner.Teams.DeleteDiscussionBySlug(ctx, org, "board", 1)
	must(err)
	gone("board")
}

func pages() {
	for n := 1; n <= 5; n++ {
		closed(fmt.Sprintf("Page %d", n), nil)
	}
	var found []string
	options := &ListOptions{PerPage: 2}
	for {
		page, response, err := owner.Teams.ListTeams(ctx, org, options)
		found = append(found, slugs(page, nil, err)...)
		if response.NextPage == 0 {
			break
		}
		equal(response.LastPage, 3)
		options.Page = response.NextPage
	}
	equal(found, []string{"page-1", "page-2", "page-3", "page-4", "page-5"})
	for _, slug := range found {
		gone(slug)
	}
}

func unchanged() {
	closed("Tagged", nil)
	_, response, err := owner.Teams.GetTeamBySlug(ctx, org, "tagged")
	must(err)
	path, tag := "orgs/"+org+"/teams/tagged", response.Header.Get("ETag")
	refused(conditional(path, tag), 304)
	_, err = editTeam("tagged", NewTeam{Name: "Tagged", Description: ptr("changed")}, false)
	must(err)
	must(conditional(path, tag))
	gone("tagged")
}

func refusals() {
	closed("Taken", nil)
	_, _, err := connect("NO_TOKEN").Users.Get(ctx, "")
	refused(err, 401)
	_, err = member.Teams.DeleteTeamBySlug(ctx, org, "taken")
	refused(err, 403)
	_, err = bySlug(owner, "nowhere")
	refused(err, 404)
	_, err = createTeam(NewTeam{Name: "taken"})
	equal(refused(err, 422).Errors[0].Message, "Name must be unique for this org")
	_, _, err = owner.Repositories.Create(ctx, "", &Repository{Name: ptr("mine")})
	must(err)
	_, err = owner.Teams.AddTeamRepoBySlug(ctx, org, "taken", "olivia", "mine", nil)
	equal(refused(err, 422).Errors[0].Code, "not_owned")
	gone("taken")
}

func groups() {
	closed("Followers", nil)
	found, _, err := owner.Teams.ListIDPGroupsInOrganization(ctx, org, nil)
	must(err)
	linked, _, err := owner.Teams.CreateOrUpdateIDPGroupConnectionsBySlug(ctx, org, "followers", *found)
	must(err)
	equal([]any{len(linked.Groups), linked.Groups[0].GetGroupName()}, []any{1, "Platform"})
	_, _, err = owner.Teams.AddTeamMembershipBySlug(ctx, org, "followers", "max", nil)
	equal(strings.Contains(refused(err, 403).Message, "managed by the organization's identity provider"), true)
	_, _, err = owner.Teams.CreateOrUpdateIDPGroupConnectionsBySlug(ctx, org, "followers", IDPGroupList{Groups: []*IDPGroup{}})
	must(err)
	given, _, err := owner.Teams.AddTeamMembershipBySlug(ctx, org, "followers", "max", nil)
	must(err)
	equal(given.GetState(), "active")
	gone("followers")
}

// limits is about a member who creates nothing else.
func limits() {
	closed("Busy", nil)
	var err error
	for n := 0; n < 100 && err == nil; n++ {
		_, _, err = member.Teams.CreateDiscussionBySlug(ctx, org, "busy", TeamDiscussion{Title: ptr("Hello"), Body: ptr("All")})
	}
	message, wait := limited(err)
	equal(strings.Contains(message, "secondary rate limit"), true)
	equal(wait > 0 && wait <= time.Minute, true)
	gone("busy")
}

type part struct {
	name string
	run  func()
}

func mark(text string) { fmt.Printf("%.6f %s\n", float64(time.Now().UnixMicro())/1e6, text) }

// passes runs a part, marks when it began and how it ended, and says whether it came to its end.
func passes(each part) (passed bool) {
	mark("begin " + each.name)
	defer func() {
		if failure := recover(); failure != nil {
			mark(fmt.Sprintf("FAILED %s: %v", each.name, failure))
			passed = false
		}
	}()
	each.run()
	mark("ok " + each.name)
	return true
}

func main() {
	parts := []part{
		{"start", start}, {"teams", teams}, {"nesting", nesting}, {"renaming", renaming}, {"privacy", privacy},
		{"memberships", memberships}, {"invitations", invitations}, {"repositories", repositories},
		{"discussions", discussions}, {"pages", pages}, {"conditional", unchanged}, {"errors", refusals},
		{"groups", groups}, {"limits", limits},
	}
	failed := 0
	for _, each := range append(parts, ofThisVersion...) {
		if !passes(each) {
			failed++
		}
	}
	if failed > 0 {
		os.Exit(1)
	}
}
