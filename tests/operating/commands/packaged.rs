//! The Debian package relies on two things: the server reports its state to systemd, and commands of root leave it no file.

use std::fs::{self, File};
use std::os::unix::fs::MetadataExt;
use std::os::unix::net::UnixDatagram;
use std::path::Path;
use std::process::Command;

use crate::faults::program::{Place, text};

/// A user of every system who owns nothing.
const SOMEONE: u32 = 65534;

const SAMPLE: &str = "samples/peribolos/rust-embedded/org.yaml";

fn owners(folder: &Path) -> Vec<u32> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry"));
    entries.map(|entry| entry.metadata().expect("its owner").uid()).collect()
}

#[test]
fn systemd_is_told_when_a_server_is_ready_reloads_and_stops() {
    let place = Place::new();
    let path = place.database.directory().join("notify");
    let socket = UnixDatagram::bind(&path).expect("a socket");
    let told = || {
        let mut message = [0; 64];
        let length = socket.recv(&mut message).expect("a message");
        text(&message[..length])
    };
    let server = place.serve_within(&format!("NOTIFY_SOCKET={} exec \"$@\"", path.display()));
    assert_eq!(told(), "READY=1");
    server.hang_up();
    assert_eq!([told(), told()], ["RELOADING=1", "READY=1"]);
    server.tell_to_stop();
    assert_eq!(told(), "STOPPING=1");
    assert!(server.wait());
}

/// Run by another user than root, the test shows only that nothing is switched.
#[test]
fn a_command_of_root_runs_as_the_owner_of_the_data_directory() {
    let place = Place::new();
    let (folder, program) = (place.database.directory(), place.database.directory().join("guildhall"));
    fs::copy(env!("CARGO_BIN_EXE_guildhall"), &program).expect("a copy that everyone can run");
    fs::create_dir(place.data_dir()).expect("a data directory");
    let own = fs::metadata(folder).expect("its owner").uid();
    let owner = if own == 0 { SOMEONE } else { own };
    let changed = Command::new("chown").args(["-R", &owner.to_string()]).arg(folder).status();
    assert!(changed.expect("chown runs").success());
    let mut import = Command::new(&program);
    import.env_clear().args(place.arguments(&["import", "-"])).stdin(File::open(SAMPLE).expect("a sample"));
    let output = import.output().expect("the program runs");
    assert!(output.status.success(), "{}", text(&output.stderr));
    let found = owners(&place.data_dir());
    assert!(!found.is_empty() && found.iter().all(|found| *found == owner), "{found:?}");
}
