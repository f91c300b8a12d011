package main

import (
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"strings"

	. "guildhall/story"
)

// guildhall runs a command of the operator. GUILDHALL_WHERE says where the data is, one argument a line.
func guildhall(words ...string) string {
	command := exec.Command(os.Getenv("GUILDHALL_PROGRAM"), append(words, strings.Split(os.Getenv("GUILDHALL_WHERE"), "\n")...)...)
	command.Stderr = os.Stderr
	printed, err := command.Output()
	Must(err)
	return strings.TrimSpace(string(printed))
}

// register makes an application; its client ID, and its secret if it has one.
func register(name string, options ...string) (string, string) {
	id, secret, _ := strings.Cut(guildhall(append([]string{"app", "create", "--name", name}, options...)...), "\n")
	return strings.TrimPrefix(id, "client_id="), strings.TrimPrefix(secret, "client_secret=")
}

// person is a person in a browser without JavaScript. A redirect to another origin is kept in `at`, and not followed.
type person struct {
	browser *http.Client
	at      *url.URL
	page    string
}

func signedIn(login string) *person {
	jar, err := cookiejar.New(nil)
	Must(err)
	made := &person{browser: &http.Client{Jar: jar}, at: origin}
	made.browser.CheckRedirect = func(next *http.Request, _ []*http.Request) error {
		made.at = next.URL
		if next.URL.Host != origin.Host {
			return http.ErrUseLastResponse
		}
		return nil
	}
	made.open(guildhall("user", "sign-in", login, "--public-url", origin.String()), nil)
	made.press("Sign in", nil)
	return made
}

func (p *person) open(address string, form url.Values) {
	next, err := p.at.Parse(address)
	Must(err)
	p.at = next
	method, body := "GET", ""
	if form != nil {
		method, body = "POST", form.Encode()
	}
	request, err := http.NewRequest(method, next.String(), strings.NewReader(body))
	Must(err)
	if form != nil {
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		request.Header.Set("Origin", origin.String())
	}
	response, err := p.browser.Do(request)
	Must(err)
	page, err := io.ReadAll(response.Body)
	Must(err)
	Must(response.Body.Close())
	p.page = string(page)
}

var (
	forms   = regexp.MustCompile(`(?s)<form ([^>]*)>(.*?)</form>`)
	inputs  = regexp.MustCompile(`<input[^>]*>`)
	buttons = regexp.MustCompile(`(?s)(<button[^>]*>)(.*?)</button>`)
	tags    = regexp.MustCompile(`<[^>]*>`)
)

func attribute(tag, name string) string {
	found := regexp.MustCompile(`\b` + name + `="([^"]*)"`).FindStringSubmatch(tag)
	if found == nil {
		return ""
	}
	return found[1]
}

// press presses the button with this text, in the form with the fields that are typed.
func (p *person) press(text string, typed url.Values) {
	for _, form := range forms.FindAllStringSubmatch(p.page, -1) {
		for _, button := range buttons.FindAllStringSubmatch(form[2], -1) {
			if !strings.HasPrefix(tags.ReplaceAllString(button[2], ""), text) {
				continue
			}
			fields := url.Values{}
			for _, tag := range append(inputs.FindAllString(form[2], -1), button[1]) {
				if name := attribute(tag, "name"); name != "" {
					fields.Set(name, attribute(tag, "value"))
				}
			}
			for name := range typed {
				fields.Set(name, typed.Get(name))
			}
			p.open(attribute(form[1], "action"), fields)
			return
		}
	}
	Check(false, "no button "+text+" at "+p.at.String())
}
