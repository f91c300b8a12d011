# Sourced: installs what the machine lacks, and unmodified clients into target/clients. Reads $root.
clients=$root/target/clients

say() { printf '%s\n' "$@"; }
# Registries refuse for a moment now and then.
retry() { "$@" || { sleep 5; "$@"; }; }

install_packages() {
    local as_root=
    [ $# -gt 0 ] || return 0
    if ! command -v apt-get >/dev/null; then
        say "These are missing and there is no apt-get to install them; install what they hold: $*"
        return 1
    fi
    [ "$(id -u)" -eq 0 ] || as_root=sudo
    say "installing $*"
    # A fresh machine may be installing its own updates: wait for the lock.
    retry $as_root apt-get -o DPkg::Lock::Timeout=300 update
    retry $as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 \
        install -y --no-install-recommends "$@"
}

# once NAME WANTED COMMAND...: runs a command that installs a client, unless the client is there as it is wanted.
once() {
    local name=$1 wanted=$2 mark=$clients/installed/$1
    shift 2
    [ "$(cat "$mark" 2>/dev/null)" != "$wanted" ] || return 0
    say "installing $name into target/clients: $wanted"
    mkdir -p "$clients/installed"
    rm -f "$mark"
    "$@" && echo "$wanted" >"$mark"
}

# install_npm FOLDER PACKAGE...
install_npm() {
    once "npm-$1" "${*:2}" retry npm install --prefix "$clients/$1" --no-save --no-audit --no-fund "${@:2}"
}

# install_python FOLDER PACKAGE...: each folder is an environment of its own.
install_python() { once "$1" "${*:2}" new_environment "$@"; }

new_environment() {
    python3 -m venv --clear "$clients/$1" &&
        retry "$clients/$1/bin/pip" install --quiet --disable-pip-version-check "${@:2}"
}

# install_go NAME MODULE@VERSION PACKAGE: a program of a module, built as its own go.mod says.
# Some modules come with a part of a vendor folder, which does not count.
install_go() { once "$1" "$2 $3" retry build_module "$@"; }

build_module() {
    local folder
    folder=$(cd / && go mod download -json "$2" | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p') && [ -n "$folder" ] || return 1
    env -C "$folder" GOFLAGS=-buildvcs=false nice -n 10 go build -mod=readonly -o "$clients/$1" "$3"
}
