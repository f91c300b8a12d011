# Sourced by the programs of this folder: where everything is, and what makes it. Each program makes its artefact in
# target/package; with the argument `check`, it installs and uses it.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
if [ -d "${HOME:-}/.cargo/bin" ]; then PATH=$PATH:$HOME/.cargo/bin; fi
. scripts/packages.sh

out=$root/target/package
# The program that all artefacts hold. packaging/binary makes it.
program=$out/guildhall
version=$(awk -F '"' '/^version = / { print $2; exit }' Cargo.toml)
seed=$root/samples/dev/seed.yaml
mkdir -p "$out"
# What needs to be root begins with this.
as_root=
[ "$(id -u)" -eq 0 ] || as_root=sudo

needs_program() {
    [ -x "$program" ] || { say "run packaging/wheel and packaging/binary first: $program is missing" && return 1; }
}

# use_program PROGRAM: asks a server of it for teams. Its output is in $scratch.
use_program() {
    local url
    "$1" --version | grep -F "$version"
    "$1" dev --seed "$seed" --listen 127.0.0.1:0 >"$scratch/ready" &
    trap 'kill %1; wait; rm -rf "$scratch"' EXIT
    until url=$(sed -n 's/.*listening on //p' "$scratch/ready") && [ -n "$url" ]; do
        kill -0 %1
        sleep 0.1
    done
    curl -fsS -H "Authorization: token olivia-token" "$url/orgs/acme/teams" | grep -q '"slug":"core"'
}

# install_cargo NAME VERSION: a tool of Cargo. It runs for seconds, so its build is not optimized.
install_cargo() {
    once "$1" "$2" env -u RUSTC_WORKSPACE_WRAPPER CARGO_PROFILE_DEV_DEBUG=0 \
        cargo install --quiet --debug --locked --root "$clients/cargo" "$1@$2"
    PATH=$clients/cargo/bin:$PATH
}

# debian_root RELEASE PACKAGES: a root file system in $scratch/root.
debian_root() {
    [ -e /usr/share/keyrings/debian-archive-keyring.gpg ] && command -v mmdebstrap >/dev/null ||
        install_packages mmdebstrap debian-archive-keyring
    $as_root mmdebstrap --quiet --variant=minbase --include="$2" "$1" "$scratch/root"
}

# make_or_check ARGUMENT...: calls `make`, or `check`. Both have a temporary folder.
make_or_check() {
    scratch=$(mktemp -d "${TMPDIR:-/tmp}/guildhall-package.XXXXXX")
    chmod 755 "$scratch"
    trap 'rm -rf "$scratch"' EXIT
    case "${1-}" in
    "") make ;;
    check) check ;;
    *) say "unknown argument $1: use check, or none" >&2 && exit 2 ;;
    esac
}
