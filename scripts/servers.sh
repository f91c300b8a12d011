# Sourced: starts and stops a server and a PostgreSQL for tests. Reads $root, $guildhall, $logs, $scratch and $where, the
# arguments that say where the data is. Sets $base, the URL of the server.
cluster=
memory=
server=

free_port() {
    python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

# start_server NAME [OPTION...]: its log is server-NAME.log. With tls_authority set, it is asked over TLS, and with usual_port
# at port 443, which a URL does not name.
start_server() {
    local port attempt log=$logs/server-$1.log
    port=${usual_port:+443}
    port=${port:-$(free_port)}
    base=http${tls_authority:+s}://127.0.0.1:$port
    [ -z "${usual_port:-}" ] || base=https://localhost
    "$guildhall" serve --listen "127.0.0.1:$port" --webhooks-allow 127.0.0.0/8 "${where[@]}" "${@:2}" >"$log" 2>&1 &
    server=$!
    for attempt in $(seq 300); do
        if curl -fsS -A scripts ${tls_authority:+--cacert "$tls_authority"} "$base/healthz" >/dev/null 2>&1; then return 0; fi
        kill -0 "$server" 2>/dev/null || break
        sleep 0.1
    done
    say "The server did not answer after $attempt attempts; the end of its log:"
    tail -n 20 "$log"
    return 1
}

stop_server() {
    [ -n "$server" ] || return 0
    kill "$server" 2>/dev/null || true
    wait "$server" 2>/dev/null || true
    server=
}

# In memory, where there is room. The tests make and remove some 1600 databases of 400 files each, and on ext4 that takes
# four times as long: before it makes a file it looks at each that was removed lately.
place_of_postgres() {
    local free
    free=$(df --output=avail -k /dev/shm 2>/dev/null | tail -n 1) || free=0
    if [ -w /dev/shm ] && [ "${free:-0}" -ge $((4 << 20)) ]; then
        memory=$(mktemp -d /dev/shm/guildhall-test.XXXXXX)
        chmod 755 "$memory"
    fi
    cluster=${memory:-$scratch}/postgres
}

# start_postgres: sets $address to a fresh cluster's; it need not survive a power failure.
start_postgres() {
    [ -n "$cluster" ] || place_of_postgres
    address=$("$root/scripts/postgres" start "$cluster" fsync=off synchronous_commit=off full_page_writes=off)
}

stop_postgres() {
    if [ -d "$cluster" ]; then "$root/scripts/postgres" stop "$cluster" || true; fi
}
