//! Beside a running server: other commands, and other servers on the same file.

use std::os::unix::fs::symlink;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::faults::program::{Place, bare, text};
use crate::support::database::Database;

#[test]
fn an_import_is_shown_as_soon_as_it_says_that_it_is_done() {
    let place = Place::new();
    let server = place.serve();
    let admin = server.admin();
    let file = place.database.directory().join("org.yaml");
    let busy = AtomicBool::new(true);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let reader = server.admin();
                while busy.load(Ordering::Relaxed) {
                    reader.get("/organizations").expect(200);
                }
            });
        }
        for number in 0..10 {
            let org = format!("acme-{number}");
            std::fs::write(&file, format!("orgs:\n  {org}:\n    admins: [olivia]\n")).expect("to write");
            let done = place.run(&["import", file.to_str().expect("text")]);
            let answers: Vec<u16> = (0..4).map(|_| admin.get(&format!("/orgs/{org}")).status).collect();
            assert!(done.status.success(), "{}", text(&done.stderr));
            if answers != [200; 4] {
                busy.store(false, Ordering::Relaxed);
                panic!("{org}: {answers:?}");
            }
        }
        busy.store(false, Ordering::Relaxed);
    });
}

#[test]
fn a_file_has_one_server_whatever_the_data_directories() {
    if Database::is_postgres() {
        return;
    }
    let place = Place::new();
    let server = place.serve();
    let folder = place.database.directory();
    let linked = folder.join("linked");
    symlink(folder, &linked).expect("a link");
    symlink(folder.join("guildhall.db"), folder.join("other.db")).expect("a link");
    let backup = folder.join("copy");
    assert!(place.run(&["backup", backup.to_str().expect("text")]).status.success());
    for name in [folder.join("guildhall.db"), linked.join("guildhall.db"), folder.join("other.db")] {
        for command in [vec!["serve", "--listen", "127.0.0.1:0"], vec!["restore", backup.to_str().expect("text")]] {
            let elsewhere = tempfile::tempdir().expect("a folder");
            let mut command = bare(&command.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>());
            command.arg("--data-dir").arg(elsewhere.path()).arg(format!("--database=sqlite:{}", name.display()));
            let output = command.output().expect("the program runs");
            let stderr = text(&output.stderr);
            assert_eq!(output.status.code(), Some(1), "{stderr}");
            assert!(
                stderr.contains("a server is running on the database") && stderr.contains("--database"),
                "{stderr}"
            );
        }
    }
    server.admin().get("/user").expect(200);
    server.tell_to_stop();
    assert!(server.wait());
    place.serve().kill();
}
