// The server of Dex, unmodified, with its connector github and one client, and its data in memory.
//
// Usage: dex_server FOLDER_OF_DEX ADDRESS REDIRECT_URI CLIENT_ID CLIENT_SECRET. Reads GUILDHALL_URL, GUILDHALL_ORG and
// SSL_CERT_FILE. Dex's own command does not build: a library of one of its databases is gone.
package main

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/dexidp/dex/connector/github"
	"github.com/dexidp/dex/server"
	"github.com/dexidp/dex/storage"
	"github.com/dexidp/dex/storage/memory"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/sirupsen/logrus"
)

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// connector is the one to Guildhall, as the configuration of Dex would have it.
func connector(issuer, id, secret string) storage.Connector {
	config, err := json.Marshal(github.Config{
		ClientID: id, ClientSecret: secret, RedirectURI: issuer + "/callback",
		Orgs:     []github.Org{{Name: os.Getenv("GUILDHALL_ORG"), Teams: []string{"core-team"}}},
		HostName: strings.TrimSuffix(strings.TrimPrefix(os.Getenv("GUILDHALL_URL"), "https://"), "/api/v3"),
		RootCA:   os.Getenv("SSL_CERT_FILE"), TeamNameField: "slug",
	})
	must(err)
	return storage.Connector{ID: "github", Type: "github", Name: "Guildhall", Config: config}
}

func main() {
	folder, address, redirect := os.Args[1], os.Args[2], os.Args[3]
	issuer := "http://" + address
	logger := logrus.New()
	data := storage.WithStaticClients(memory.New(logger), []storage.Client{
		{ID: "wiki", Name: "Wiki", Secret: "secret", RedirectURIs: []string{redirect}},
	})
	must(data.CreateConnector(connector(issuer, os.Args[4], os.Args[5])))
	dex, err := server.NewServer(context.Background(), server.Config{
		Issuer: issuer, Storage: data, SkipApprovalScreen: true, Logger: logger,
		Web: server.WebConfig{Dir: filepath.Join(folder, "web")}, PrometheusRegistry: prometheus.NewRegistry(),
	})
	must(err)
	must(http.ListenAndServe(address, dex))
}
