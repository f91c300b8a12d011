//! Files that `guildhall import` refuses: every message, bounds on size and depth, and damaged input
//! (decisions 9, 11, 22, 50). The messages are in `faults.txt`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use guildhall::import::desired::Org;
use guildhall::import::fault::Faults;
use guildhall::import::read_files;

use crate::support::samples;
use crate::support::store::{Store, refusal};

fn read(path: impl Into<PathBuf>) -> Result<Vec<Org>, Faults> {
    read_files(&[path.into()], None, |_| {}).complete()
}

fn read_in(folder: &Path, bytes: &[u8]) -> Result<Vec<Org>, Faults> {
    let file = folder.join("org.yaml");
    std::fs::write(&file, bytes).unwrap();
    read(file)
}

fn read_bytes(bytes: &[u8]) -> Result<Vec<Org>, Faults> {
    read_in(tempfile::tempdir().unwrap().path(), bytes)
}

/// The message about a text, without the folder that the file was in.
fn fault(text: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let message = read_in(folder.path(), text.as_bytes()).expect_err(text).to_string();
    message.replace(&format!("{}/", folder.path().display()), "")
}

/// An organization with one line below its login.
fn with(what: &str) -> String {
    format!("orgs:\n  acme:\n    {what}\n")
}

#[test]
fn a_refused_file_names_file_line_and_key() {
    let lines = include_str!("faults.txt").lines().filter(|line| !line.is_empty() && !line.starts_with("## "));
    let lines: Vec<_> = lines.collect();
    let is_expected = |line: &&str| line.starts_with("=> ");
    let cases: Vec<_> = lines.chunk_by(|one, next| !is_expected(one) || is_expected(next)).collect();
    for case in &cases {
        let (expected, source): (Vec<&str>, Vec<&str>) = case.iter().copied().partition(is_expected);
        let source = source.join("\n") + "\n";
        assert_eq!(fault(&source), expected.join("\n").replace("=> ", ""), "for:\n{source}");
    }
    assert!(cases.len() > 50, "{} cases", cases.len());
}

#[test]
fn names_and_texts_may_have_their_greatest_length_and_no_more() {
    let long = |n: usize| "x".repeat(n);
    let team = |name: usize, text: usize| with(&format!("teams: {{{}: {{description: {}}}}}", long(name), long(text)));
    assert!(read_bytes(team(255, 65_535).as_bytes()).is_ok());
    assert!(fault(&team(256, 0)).ends_with(": 256 characters are too many; the maximum is 255"));
    assert!(fault(&team(1, 65_536)).ends_with(": 65536 characters are too many; the maximum is 65535"));
    assert!(fault(&team(256, 0)).len() < 200, "a long name is cut in the message");
    assert!(read_bytes(with(&format!("admins: [{}]", long(100))).as_bytes()).is_ok());
    assert!(fault(&with(&format!("admins: [{}]", long(101)))).contains("is not a valid login"));
}

#[test]
fn what_cannot_be_read_as_text_is_refused() {
    assert_eq!(fault(""), "org.yaml: the file is empty; an organization is expected");
    let broken = read_bytes(b"orgs:\n  a:\n    name: \xff\n").unwrap_err().to_string();
    assert!(broken.ends_with("org.yaml:3: not valid UTF-8; save the file as UTF-8"), "{broken}");
    let missing = read("no/such/file").unwrap_err().to_string();
    assert!(missing.starts_with("no/such/file: cannot read the file: "), "{missing}");
    assert!(read(samples::folder()).is_err());
}

#[test]
fn bombs_are_refused_before_they_grow() {
    let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for n in 1..20 {
        let aliases = vec![format!("*a{}", n - 1); 10].join(", ");
        writeln!(bomb, "a{n}: &a{n} [{aliases}]").unwrap();
    }
    assert!(fault(&bomb).ends_with("anchors and aliases expand to more than 1000000 values; write them out"));
    let nested = |inner: &str, n: usize| format!("{}{inner}{}", "[".repeat(n), "]".repeat(n));
    let keys: Vec<String> = (0..2_000).map(|n| format!("k{n}: x")).collect();
    let merging = format!("a: &a {{{}}}\nb: {{<<: [{}]}}\n", keys.join(", "), vec!["*a"; 1_000].join(", "));
    assert!(fault(&merging).ends_with("anchors and aliases expand to more than 1000000 values; write them out"));
    assert!(fault(&format!("orgs: {}", nested("", 100))).ends_with("nested deeper than 64 levels"));
    let chain = format!("a: &a {}\nb: {}\n", nested("x", 40), nested("*a", 40));
    assert!(fault(&chain).ends_with("nested deeper than 64 levels"));
    let folder = tempfile::tempdir().unwrap();
    let huge = folder.path().join("huge.yaml");
    std::fs::File::create(&huge).unwrap().set_len(256 * 1024 * 1024 + 1).unwrap();
    assert!(read(huge).unwrap_err().to_string().contains("larger than 256 MiB"));
}

#[test]
fn a_flat_file_cut_anywhere_is_refused() {
    let bytes = std::fs::read(samples::folder().join("neutral/rust-embedded.json")).unwrap();
    let end = bytes.iter().rposition(|byte| *byte == b'}').unwrap();
    for cut in (1..end).step_by(7).chain([end]) {
        let message = read_bytes(&bytes[..cut]).expect_err("a cut file").to_string();
        let (_, place) = message.split_once("org.yaml:").expect("a file");
        assert!(place.starts_with(|c: char| c.is_ascii_digit() && c != '0'), "{message}");
    }
    assert!(read_bytes(&bytes[..=end]).is_ok());
}

#[test]
fn damaged_files_are_read_or_refused_without_panic() {
    let mut state = 88_172_645_463_325_252_u64;
    let mut random = move |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % below as u64).unwrap()
    };
    let damage = b"-:?{}[],&*!|>'\"%@`# \n\t~<a0\r\\\xc3";
    let original = std::fs::read(samples::folder().join("peribolos/OpenRailAssociation/org.yaml")).unwrap();
    let mut refused = 0;
    for _ in 0..300 {
        let mut bytes = original.clone();
        for _ in 0..=random(4) {
            let at = random(bytes.len());
            bytes[at] = damage[random(damage.len())];
        }
        refused += usize::from(read_bytes(&bytes).is_err());
    }
    assert!((51..300).contains(&refused), "{refused} of 300 were refused");
}

/// Every text that either format has, in quotation marks.
const PERIBOLOS: &str = r#"
"orgs":
  "acme":
    "name": "Acme"
    "description": "They build"
    "company": "Acme Inc."
    "blog": "https://acme.example"
    "location": "Here"
    "email": "post@acme.example"
    "twitter_username": "acme"
    "billing_email": "bill@acme.example"
    "default_repository_permission": "read"
    "admins": ["olivia"]
    "members": ["max", "tom"]
    "repos":
      "web":
        "description": "Pages"
        "homepage": "https://acme.example"
        "default_branch": "main"
        "previously": ["site"]
        "collaborators": {"ray": "admin"}
        "topics": ["rust"]
        "merge_commit_title": "PR_TITLE"
    "teams":
      "Core":
        "description": "They do it"
        "privacy": "closed"
        "previously": ["Kernel"]
        "maintainers": ["max"]
        "members": ["tom"]
        "repos": {"web": "write"}
        "teams": {"Inner": {"description": "Within"}}
        "guildhall":
          "notification_setting": "notifications_enabled"
          "permission": "pull"
          "projects": {"1": "write"}
    "guildhall":
      "billing_managers": ["bill"]
      "public_members": ["max"]
      "projects":
        "1": {"name": "Roadmap", "body": "Where to", "state": "open", "organization_permission": "read",
              "creator": "tom", "collaborators": {"ray": "read"}}
      "invitations":
      - {"email": "nina@acme.example", "role": "direct_member", "teams": {"Core": "member"}}
      - {"login": "zoe", "role": "admin"}
"#;

const TEAM_ORG: &str = r#"
{"format": "team-org/1", "org": {"login": "acme", "name": "Acme", "description": "They build"},
 "org_members": [["olivia", "admin"], ["max", "member"]],
 "repos": [{"name": "web"}], "collaborators": [["web", "max", "pull"]],
 "teams": [{"key": 1, "name": "Core", "description": "They do it", "privacy": "closed"},
           {"key": 2, "name": "Sub", "parent": 1, "previously": ["Under"]}],
 "team_members": [[1, "max", "maintainer"]], "team_repos": [[1, "web", "push"]]}
"#;

#[test]
fn a_nul_in_any_text_of_a_file_is_refused() {
    for (file, least) in [(PERIBOLOS, 100), (TEAM_ORG, 40)] {
        read_bytes(file.as_bytes()).expect("the file as it is");
        let quotes: Vec<usize> = file.match_indices('"').map(|(at, _)| at).collect();
        let texts: Vec<(usize, usize)> = quotes.chunks(2).map(|pair| (pair[0] + 1, pair[1])).collect();
        assert!(texts.len() > least, "{} texts", texts.len());
        for (begin, end) in texts {
            for at in [begin, end] {
                let spoilt = format!("{}\\u0000{}", &file[..at], &file[at..]);
                let message = fault(&spoilt);
                assert!(message.len() < 400 && !message.contains('\0'), "{message:?}");
            }
        }
    }
}

#[test]
fn decision_22_a_new_account_with_a_reserved_login_is_refused_by_name() {
    let store = Store::new();
    let message = refusal(store.try_acme("admins: [olivia]\nmembers: [tom, Settings]"));
    assert!(message.contains(": \"Settings\" is a reserved login, which no new account gets"), "{message}");
    let orgs = store.file("orgs.yaml", "orgs: {users: {admins: [olivia]}}");
    let message = refusal(store.import(&[orgs]));
    assert!(message.contains("orgs.yaml:1: orgs.users: \"users\" is a reserved login"), "{message}");
    assert_eq!(store.rows::<(i64,)>("SELECT count(*) FROM logins"), [(0,)]);
    store.acme("admins: [olivia]\nmembers: [tom]");
    assert_eq!(store.notes(), Vec::<String>::new());
    store.tamper("UPDATE users SET login = 'Settings' WHERE login = 'tom'");
    store.tamper("UPDATE logins SET login_key = 'settings' WHERE login_key = 'tom'");
    store.acme("admins: [olivia]\nmembers: [settings]");
    let note = "settings is a reserved login, which pages may need; its account keeps it until it is renamed";
    assert_eq!((store.notes(), store.findings()), (vec![note.to_owned()], Vec::new()));
}
