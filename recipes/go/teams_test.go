package teams

import (
	"errors"
	"slices"
	"testing"

	"github.com/google/go-github/v92/github"
)

const org = "acme"

func wantTeams(t *testing.T, client *github.Client, want ...string) {
	t.Helper()
	teams, _, err := client.Teams.ListTeams(t.Context(), org, nil)
	if err != nil {
		t.Fatal(err)
	}
	var slugs []string
	for _, team := range teams {
		slugs = append(slugs, team.GetSlug())
	}
	if !slices.Equal(slugs, want) {
		t.Fatalf("teams are %v, want %v", slugs, want)
	}
}

func wantInvitations(t *testing.T, client *github.Client, want int) {
	t.Helper()
	invitations, _, err := client.Organizations.ListPendingOrgInvitations(t.Context(), org, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(invitations) != want {
		t.Fatalf("%d invitations are pending, want %d", len(invitations), want)
	}
}

func TestEachTestBeginsWithTheSeed(t *testing.T) {
	for _, time := range []string{"first", "second"} {
		t.Run(time, func(t *testing.T) {
			client := start(t, "olivia-token")
			wantTeams(t, client, "core", "engineering", "security")
			if _, err := client.Teams.DeleteTeamBySlug(t.Context(), org, "core"); err != nil {
				t.Fatal(err)
			}
			wantTeams(t, client, "engineering", "security")
		})
	}
}

func TestRateLimit(t *testing.T) {
	client := start(t, "olivia-token")
	fail(t, map[string]any{"operation": "teams.list", "name": "rate_limited", "count": 1})
	_, _, err := client.Teams.ListTeams(t.Context(), org, nil)
	var limited *github.RateLimitError
	if !errors.As(err, &limited) {
		t.Fatalf("got %v, want a RateLimitError", err)
	}
}

func TestInvitationExpires(t *testing.T) {
	client := start(t, "olivia-token")
	member := &github.Membership{Role: github.Ptr("member")}
	if _, _, err := client.Organizations.EditOrgMembership(t.Context(), "nina", org, member); err != nil {
		t.Fatal(err)
	}
	wantInvitations(t, client, 1)
	advance(t, "8d")
	wantInvitations(t, client, 0)
}
