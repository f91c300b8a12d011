// An unmodified golang.org/x/oauth2 signs max in. It asks for no form of response, and gets GitHub's.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"os"

	"golang.org/x/oauth2"

	. "guildhall/story"
)

const callback = "http://127.0.0.1:1/callback"

var (
	origin = func() *url.URL {
		base, err := url.Parse(Base)
		Must(err)
		return &url.URL{Scheme: base.Scheme, Host: base.Host}
	}()
	login = os.Getenv("GUILDHALL_MEMBER")
	max   *person
)

// config is what a program has of an application. Nothing says how the secret is sent, so the library tries it out.
func config(token string, options ...string) *oauth2.Config {
	id, secret := register("Go "+token, options...)
	at := func(path string) string { return origin.JoinPath(path).String() }
	return &oauth2.Config{
		ClientID: id, ClientSecret: secret, Scopes: []string{"read:org", "user:email"}, RedirectURL: callback,
		Endpoint: oauth2.Endpoint{
			AuthURL: at("/login/oauth/authorize"), TokenURL: at("/login/oauth/" + token), DeviceAuthURL: at("/login/device/code"),
		},
	}
}

func web(token string) *oauth2.Config { return config(token, "--redirect-uri", callback, "--trusted") }

// code is the code that max's browser brings back.
func code(of *oauth2.Config, options ...oauth2.AuthCodeOption) string {
	max.open(of.AuthCodeURL("a state", options...), nil)
	if max.at.Host == origin.Host {
		max.press("Allow", nil)
	}
	Check(max.at.Query().Get("state") == "a state", max.at)
	return max.at.Query().Get("code")
}

func get(client *http.Client, path string, into any) int {
	response, err := client.Get(Base + path)
	Must(err)
	defer response.Body.Close()
	if response.StatusCode == http.StatusOK {
		Must(json.NewDecoder(response.Body).Decode(into))
	}
	return response.StatusCode
}

// actsFor checks that the token stands for max, who is on a team of an organization and has an e-mail address.
func actsFor(of *oauth2.Config, token *oauth2.Token) {
	var user, team, org, email struct{ Login, Slug, Email string }
	client := of.Client(Ctx, token)
	Check(get(client, "/user", &user) == 200 && user.Login == login, user)
	for path, want := range map[string]any{"/user/teams": &team, "/user/orgs": &org, "/user/emails": &email} {
		found := []any{want}
		Check(get(client, path, &found) == 200 && len(found) == 1, path)
	}
	Check(team.Slug == "core-team" && org.Login == Org && email.Email == login+"@example.com", []any{team, org, email})
}

func refused(word string, err error) {
	var refusal *oauth2.RetrieveError
	Check(errors.As(err, &refusal) && refusal.ErrorCode == word, err)
}

func signIn() {
	for _, token := range []string{"access_token", "token"} {
		of, verifier := web(token), oauth2.GenerateVerifier()
		got, err := of.Exchange(Ctx, code(of, oauth2.S256ChallengeOption(verifier)), oauth2.VerifierOption(verifier))
		Must(err)
		Check(got.Type() == "Bearer" && got.Expiry.IsZero() == (token == "access_token"), got)
		actsFor(of, got)
	}
}

func signInToDesktop() {
	of, verifier := config("access_token", "--redirect-uri", callback, "--public", "--trusted"), oauth2.GenerateVerifier()
	got, err := of.Exchange(Ctx, code(of, oauth2.S256ChallengeOption(verifier)), oauth2.VerifierOption(verifier))
	Must(err)
	actsFor(of, got)
}

func refuse() {
	for token, words := range map[string][2]string{
		"access_token": {"bad_verification_code", "incorrect_client_credentials"}, "token": {"invalid_grant", "invalid_client"},
	} {
		of, verifier := web(token), oauth2.GenerateVerifier()
		_, err := of.Exchange(Ctx, code(of, oauth2.S256ChallengeOption(verifier)), oauth2.VerifierOption(oauth2.GenerateVerifier()))
		refused(words[0], err)
		once := code(of)
		wrong := *of
		wrong.ClientSecret = "wrong"
		_, err = wrong.Exchange(Ctx, once)
		refused(words[1], err)
		got, err := of.Exchange(Ctx, once)
		Must(err)
		actsFor(of, got)
		_, err = of.Exchange(Ctx, once)
		refused(words[0], err)
		Check(get(of.Client(Ctx, got), "/user", nil) == 401, "a token that works after the second use of its code")
	}
}

// devices begins two sign-ins, of which max allows the first. The library waits for the interval before it asks.
func devices() {
	of := config("access_token", "--device-flow", "--trusted")
	type outcome struct {
		token *oauth2.Token
		err   error
	}
	outcomes := []chan outcome{make(chan outcome, 1), make(chan outcome, 1)}
	for place, button := range []string{"Yes, connect it", "No, this is not me"} {
		device, err := of.DeviceAuth(context.Background())
		Must(err)
		max.open(device.VerificationURI, nil)
		max.press("Continue", url.Values{"user_code": {device.UserCode}})
		max.press(button, nil)
		go func() {
			token, err := of.DeviceAccessToken(Ctx, device)
			outcomes[place] <- outcome{token, err}
		}()
	}
	allowed, denied := <-outcomes[0], <-outcomes[1]
	Must(allowed.err)
	actsFor(of, allowed.token)
	refused("access_denied", denied.err)
}

func main() {
	max = signedIn(login)
	Run(Part{Name: "sign in with PKCE", Run: signIn},
		Part{Name: "sign in to a program without a secret", Run: signInToDesktop},
		Part{Name: "refuse a verifier or a secret or a code used twice", Run: refuse},
		Part{Name: "connect a device", Run: devices})
}
