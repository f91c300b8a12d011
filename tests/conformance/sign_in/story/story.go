// Package story prepares what programs that people sign in to ask for, and runs their parts. Reads the variables of world.py.
//
// The programs are driven from behind the sign-in itself: with a token of the person, as they have it then.
package story

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
	"time"
)

// Who asks what.
var (
	Ctx      = context.Background()
	Base     = os.Getenv("GUILDHALL_URL")
	Org      = os.Getenv("GUILDHALL_ORG")
	Member   = os.Getenv("GUILDHALL_MEMBER_TOKEN")
	Outsider = os.Getenv("GUILDHALL_OUTSIDER_TOKEN")
)

// Part is a part of a story.
type Part struct {
	Name string
	Run  func()
}

// Must ends the part that runs: it has failed.
func Must(err error) {
	if err != nil {
		panic(err)
	}
}

// Check ends the part that runs unless what it found is right.
func Check(right bool, found any) {
	if !right {
		panic(fmt.Sprintf("found %v", found))
	}
}

// api is a call by the owner, to prepare what the programs ask for.
func api(method, path string, body any) {
	text, err := json.Marshal(body)
	Must(err)
	request, err := http.NewRequest(method, Base+path, bytes.NewReader(text))
	Must(err)
	request.Header.Set("Authorization", "token "+os.Getenv("GUILDHALL_TOKEN"))
	response, err := http.DefaultClient.Do(request)
	Must(err)
	Must(response.Body.Close())
	Check(response.StatusCode < 300, response.Status)
}

func mark(text string) { fmt.Printf("%.6f %s\n", float64(time.Now().UnixMicro())/1e6, text) }

func passes(each Part) (passed bool) {
	mark("begin " + each.Name)
	defer func() {
		if failure := recover(); failure != nil {
			mark(fmt.Sprintf("FAILED %s: %s", each.Name, strings.ReplaceAll(fmt.Sprint(failure), "\n", " ")))
			passed = false
		}
	}()
	each.Run()
	mark("ok " + each.Name)
	return true
}

// Run prepares a team of Max with a repository, and runs the parts.
func Run(parts ...Part) {
	api("POST", "/orgs/"+Org+"/teams", map[string]any{"name": "Core Team", "privacy": "closed", "maintainers": []string{"max"}})
	api("POST", "/orgs/"+Org+"/repos", map[string]any{"name": "site", "private": true})
	api("PUT", "/orgs/"+Org+"/teams/core-team/repos/"+Org+"/site", map[string]any{"permission": "push"})
	failed := false
	for _, each := range parts {
		failed = !passes(each) || failed
	}
	if failed {
		os.Exit(1)
	}
}
