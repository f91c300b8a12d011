package main

import (
	"net/url"
	"os"
	"slices"

	"github.com/oauth2-proxy/oauth2-proxy/v7/pkg/apis/options"
	"github.com/oauth2-proxy/oauth2-proxy/v7/pkg/apis/sessions"
	"github.com/oauth2-proxy/oauth2-proxy/v7/providers"

	. "guildhall/story"
)

// proxySession is what oauth2-proxy makes of a session with the restrictions of its options.
func proxySession(token string, restrictions options.GitHubOptions) (*sessions.SessionState, error) {
	validate, err := url.Parse(Base + "/")
	Must(err)
	provider := providers.NewGitHubProvider(&providers.ProviderData{ValidateURL: validate}, restrictions)
	session := &sessions.SessionState{AccessToken: token}
	return session, provider.EnrichSession(Ctx, session)
}

func proxyTeams() {
	found, err := proxySession(Member, options.GitHubOptions{Org: Org, Team: "core-team"})
	Must(err)
	Check(found.Email == "max@example.com" && found.User == "max", found)
	Check(slices.Contains(found.Groups, Org+":core-team"), found.Groups)
}

func proxyRepository() {
	found, err := proxySession(Member, options.GitHubOptions{Repo: Org + "/site", Token: os.Getenv("GUILDHALL_TOKEN")})
	Must(err)
	Check(found.User == "max", found)
}

func proxyRefuses() {
	found, err := proxySession(Outsider, options.GitHubOptions{Org: Org, Team: "core-team"})
	Check(err != nil, found)
}

func main() {
	Run(Part{Name: "teams of a person", Run: proxyTeams},
		Part{Name: "collaborators of a repository", Run: proxyRepository},
		Part{Name: "refuse an outsider", Run: proxyRefuses})
}
