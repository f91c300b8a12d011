# The clients of scripts/conformance to which people sign in with a browser; that script reads this file.

# signed_in TITLE: a product to which people sign in with a browser.
signed_in() {
    group="Signed in" title=$1
    need chromium chromium && install_npm browser playwright-core@1.65.1 || return 1
    variables=("CLIENT_FOLDER=$clients/browser" "PYTHONPATH=$root/tests/clients")
}

# signed_in_oauth2_proxy NAME TITLE VERSION
signed_in_oauth2_proxy() {
    signed_in "$2" && need go && install_go "$1" "github.com/oauth2-proxy/oauth2-proxy/v7@$3" . || return 1
    command=(node "$story/sign_in/oauth2_proxy_story.mjs" "$clients/$1")
}

# signed_in_dex NAME TITLE
signed_in_dex() {
    local server=$story/sign_in/dex_server
    signed_in "$2" && need go || return 1
    once "$1" "$(cat "$server"/* | cksum)" retry env -C "$server" GOFLAGS= nice -n 10 go build -buildvcs=false \
        -o "$clients/$1" . || return 1
    command=(node "$story/sign_in/dex_story.mjs" "$clients/$1" "$(go -C "$server" list -m -f '{{.Dir}}' github.com/dexidp/dex)")
    over_tls
}

# signed_in_gh NAME TITLE: at port 443, which takes root.
signed_in_gh() {
    signed_in "$2" && need go && install_go gh github.com/cli/cli/v2@v2.83.0 ./cmd/gh || return 1
    if ! python3 -c 'import socket; socket.create_server(("127.0.0.1", 443))' 2>/dev/null; then
        say "port 443 is taken, or not for this user"
        return 1
    fi
    command=(python3 "$story/sign_in/gh_story.py" "$clients/gh")
    over_tls
    usual_port=yes
}

# signed_in_omniauth NAME: the one that Debian packages.
signed_in_omniauth() {
    signed_in omniauth-github || return 1
    ruby -e 'require "omniauth-github"; require "webrick"' 2>/dev/null && need rackup ruby-rack ||
        install_packages ruby-omniauth-github ruby-rack ruby-webrick || return 1
    title="omniauth-github $(ruby -e 'require "omniauth-github"; puts OmniAuth::GitHub::VERSION'), signed in"
    command=(node "$story/sign_in/omniauth_story.mjs" "$story/sign_in/omniauth.ru")
}
