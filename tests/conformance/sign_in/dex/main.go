package main

import (
	"encoding/json"
	"os"
	"slices"
	"strings"

	"github.com/dexidp/dex/connector"
	"github.com/dexidp/dex/connector/github"
	"github.com/sirupsen/logrus"

	. "guildhall/story"
)

// dexIdentity is what Dex knows of a person after it has asked again. Dex insists on TLS and knows the host only.
func dexIdentity(token string) (connector.Identity, error) {
	host := strings.TrimSuffix(strings.TrimPrefix(Base, "https://"), "/api/v3")
	config := github.Config{
		Orgs: []github.Org{{Name: Org}}, HostName: host, RootCA: os.Getenv("SSL_CERT_FILE"), TeamNameField: "slug",
	}
	opened, err := config.Open("github", logrus.New())
	Must(err)
	data, err := json.Marshal(map[string]string{"accessToken": token})
	Must(err)
	known := connector.Identity{ConnectorData: data}
	return opened.(connector.RefreshConnector).Refresh(Ctx, connector.Scopes{Groups: true}, known)
}

func dexGroups() {
	found, err := dexIdentity(Member)
	Must(err)
	Check(found.Email == "max@example.com", found.Email)
	Check(slices.Equal(found.Groups, []string{Org + ":core-team"}), found.Groups)
}

func dexRefuses() {
	found, err := dexIdentity(Outsider)
	Check(err != nil, found.Groups)
}

func main() {
	Run(Part{Name: "groups of a person", Run: dexGroups},
		Part{Name: "refuse an outsider", Run: dexRefuses})
}
