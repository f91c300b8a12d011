package teams

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-github/v92/github"
)

const seed = "../../samples/dev/seed.yaml"

// serverURL is the URL of the server that all tests of this package share.
var serverURL string

// TestMain starts a server, unless GUILDHALL_URL names one that is running.
func TestMain(m *testing.M) {
	if serverURL = os.Getenv("GUILDHALL_URL"); serverURL != "" {
		os.Exit(m.Run())
	}
	os.Exit(withServer(m.Run))
}

func withServer(run func() int) int {
	server := exec.Command("guildhall", "dev", "--seed", seed, "--listen", "127.0.0.1:0")
	server.Stderr = os.Stderr
	output, err := server.StdoutPipe()
	if err == nil {
		err = server.Start()
	}
	if err != nil {
		log.Print(err)
		return 1
	}
	defer server.Wait()
	defer server.Process.Kill()
	ready, err := bufio.NewReader(output).ReadString('\n')
	if err != nil {
		log.Print("guildhall dev has not started; its message is on standard error")
		return 1
	}
	words := strings.Fields(ready)
	serverURL = words[len(words)-1]
	return run()
}

// start puts the server back to its seed and returns a client with the token.
func start(t *testing.T, token string) *github.Client {
	t.Helper()
	control(t, "POST", "reset", struct{}{})
	base := serverURL + "/"
	client, err := github.NewClient(github.WithURLs(&base, &base), github.WithAuthToken(token))
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func advance(t *testing.T, duration string) {
	t.Helper()
	control(t, "POST", "clock", map[string]string{"advance": duration})
}

func fail(t *testing.T, fault map[string]any) {
	t.Helper()
	control(t, "PUT", "faults", map[string]any{"faults": []any{fault}})
}

func control(t *testing.T, method, name string, body any) {
	t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequestWithContext(t.Context(), method, serverURL+"/_guildhall/"+name, bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err == nil && response.StatusCode >= 300 {
		err = errors.New(response.Status)
	}
	if err != nil {
		t.Fatal(fmt.Errorf("%s: %w", name, err))
	}
	response.Body.Close()
}
