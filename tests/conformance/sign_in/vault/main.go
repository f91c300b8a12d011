package main

import (
	"slices"
	"time"

	"github.com/hashicorp/vault/builtin/credential/github"
	"github.com/hashicorp/vault/sdk/logical"

	. "guildhall/story"
)

// vault is Vault's backend for GitHub, configured as its documentation says: an organization, and policies for teams.
type vault struct {
	backend logical.Backend
	storage logical.Storage
}

func newVault() vault {
	storage := &logical.InmemStorage{}
	system := &logical.StaticSystemView{DefaultLeaseTTLVal: time.Hour, MaxLeaseTTLVal: time.Hour}
	backend, err := github.Factory(Ctx, &logical.BackendConfig{StorageView: storage, System: system})
	Must(err)
	made := vault{backend, storage}
	_, err = made.ask("config", map[string]any{"organization": Org, "base_url": Base + "/"})
	Must(err)
	_, err = made.ask("map/teams/core-team", map[string]any{"value": "core-policy"})
	Must(err)
	return made
}

func (v vault) ask(path string, data map[string]any) (*logical.Response, error) {
	return v.backend.HandleRequest(Ctx, &logical.Request{
		Operation: logical.UpdateOperation, Path: path, Data: data, Storage: v.storage, Connection: &logical.Connection{},
	})
}

func vaultLogsIn() {
	answer, err := newVault().ask("login", map[string]any{"token": Member})
	Must(err)
	Check(answer.Auth.Metadata["username"] == "max", answer.Auth.Metadata)
}

func vaultMapsTeams() {
	answer, err := newVault().ask("login", map[string]any{"token": Member})
	Must(err)
	Check(slices.Contains(answer.Auth.Policies, "core-policy"), answer.Auth.Policies)
}

func vaultRefuses() {
	answer, err := newVault().ask("login", map[string]any{"token": Outsider})
	Check(err != nil || answer.IsError(), answer)
}

func main() {
	Run(Part{Name: "log in", Run: vaultLogsIn},
		Part{Name: "log in by team", Run: vaultMapsTeams},
		Part{Name: "refuse an outsider", Run: vaultRefuses})
}
