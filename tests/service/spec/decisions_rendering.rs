//! The limits of rendering: no body makes others wait, none becomes much longer than it was, and edits count in the
//! abuse limit (decisions 35 and 39).

use crate::spec::given;
use crate::support::world::Settings;
use crate::support::{Client, World, json};

const BOARD: &str = "/orgs/acme/teams/core/discussions";

/// The longest body, in characters.
const LONGEST: usize = 65_535;

fn repeated(unit: &str) -> String {
    unit.chars().cycle().take(LONGEST).collect()
}

/// The texts that each take much of a parser: marks, links, references, headings, quotes, blocks of HTML.
const UNITS: [&str; 58] = [
    "[",
    "*",
    ">",
    "|",
    "`",
    "_",
    "![",
    "[a](",
    "<",
    "<b>",
    "~",
    "- ",
    "> ",
    "* a\n",
    "**a",
    "a**",
    "*_",
    "[]",
    "&amp;",
    "&",
    "\"",
    "\\",
    "http://a.b ",
    "a@b.c ",
    "@",
    "@a ",
    "<!--",
    "<p>",
    "![a]()",
    "1) ",
    "#\n",
    "# *a* `b`\n",
    "`` ` ",
    "*a **b ",
    "- [ ] a\n",
    "x\n=\n",
    "[a]: b\n",
    ">\n\n",
    "http://",
    "a@",
    "\u{10FFFF}",
    "[^a]",
    "***\n",
    "|a|\n|-|\n",
    "+ ",
    "[a](b) ",
    "<a@b.c> ",
    "<http://a> ",
    "[x](<",
    "[x](y \"",
    "<a b='",
    "&#1;",
    "a\t",
    "a\r",
    "💥*",
    "a_b_",
    "<div>\n\n",
    "~~a~~ ",
];

fn hostile() -> Vec<String> {
    let mut texts: Vec<String> = UNITS.into_iter().map(repeated).collect();
    for (columns, row) in
        [(5, "|\n"), (50, "|\n"), (50, "a\n"), (200, "a\n"), (1_000, "|\n"), (8_000, "|\n"), (50, "|a|\n")]
    {
        let head = format!("{}\n{}\n", "|a".repeat(columns), "|-".repeat(columns));
        texts.push((head + &repeated(row)).chars().take(LONGEST).collect());
    }
    for marker in [">", "> ", "- ", "1. "] {
        texts.push((0..360).flat_map(|depth| [marker.repeat(depth), "a\n".to_owned()]).collect::<String>());
        for depth in [50, 99, 101, 1_000, 16_000] {
            texts.push((marker.repeat(depth) + &repeated("a\n")).chars().take(LONGEST).collect());
        }
    }
    texts.push(format!("[a]: http://{}\n\n{}", "x".repeat(30_000), "[a]".repeat(5_000)));
    texts.push(format!("{}{}", "[".repeat(32_000), "]".repeat(32_000)));
    texts.into_iter().map(|text| text.chars().take(LONGEST).collect()).collect()
}

#[test]
fn decision_35_the_costliest_bodies_are_accepted_and_stay_small() {
    let world = World::new();
    for text in hostile() {
        let answer = world.tom().post(BOARD, json!({ "title": "t", "body": text }));
        let begin: String = text.chars().take(12).collect();
        let html = answer.expect(201)["body_html"].as_str().expect("HTML").to_owned();
        let most = 4 * text.len() + "<p></p>".len();
        assert!(html.len() <= most, "{begin:?}: {} bytes became {}", text.len(), html.len());
        assert!(html.matches('<').count() <= 12_000, "{begin:?} became {} tags", html.matches('<').count());
        assert_eq!(answer.json["body"], text.as_str());
    }
}

#[test]
fn decision_35_tables_are_counted_with_the_cells_that_fill_up_short_rows() {
    let world = World::new();
    let table = |columns: usize, rows: usize| {
        format!("{}\n{}\n{}", "|a".repeat(columns), "|-".repeat(columns), "|b\n".repeat(rows))
    };
    let cells = |text: &str| {
        let post = world.tom().post(BOARD, json!({ "title": "t", "body": text })).expect(201).clone();
        post["body_html"].as_str().expect("HTML").matches("<td>").count()
    };
    assert_eq!(cells(&table(4, 5)), 20);
    assert_eq!(cells(&table(10, 20).replace("|b\n", &("|some words".repeat(10) + "\n"))), 200);
    let wide = table(50, 10_000);
    assert_eq!(cells(&wide), 0);
    let post = world.tom().post(BOARD, json!({ "title": "t", "body": wide })).expect(201).clone();
    assert_eq!(post["body_html"], format!("<p>{}</p>", wide.trim_end()));
}

#[test]
fn decision_35_a_body_is_rendered_wherever_it_travels_and_on_update() {
    let world = World::new();
    let post = world.tom().post(&format!("{BOARD}?title=t&body=*a*"), json!({})).expect(201).clone();
    assert_eq!((&post["body"], &post["body_html"]), (&json!("*a*"), &json!("<p><em>a</em></p>")));
    let post =
        world.tom().post(&format!("{BOARD}?body=*a*"), json!({ "title": "t", "body": "**b**" })).expect(201).clone();
    assert_eq!(post["body_html"], "<p><strong>b</strong></p>");
    let path = format!("{BOARD}/1");
    let edited = world.tom().patch(&format!("{path}?body=~~c~~"), json!({})).expect(200).clone();
    assert_eq!(edited["body_html"], "<p><del>c</del></p>");
    let edited = world.tom().patch(&path, json!({ "body": "`d`" })).expect(200).clone();
    assert_eq!(edited["body_html"], "<p><code>d</code></p>");
    let comments = format!("{path}/comments");
    let comment = world.tom().post(&comments, json!({ "body": "*a*" })).expect(201).clone();
    assert_eq!(comment["body_html"], "<p><em>a</em></p>");
    let comment = world.tom().patch(&format!("{comments}/1"), json!({ "body": "**b**" })).expect(200).clone();
    assert_eq!(comment["body_html"], "<p><strong>b</strong></p>");
    for body in [json!(7), json!(["a"]), json!(null), json!({})] {
        world.tom().post(&comments, json!({ "body": body })).expect(422);
    }
}

#[test]
fn decision_35_what_was_rendered_before_stays_as_it_is() {
    let world = World::new();
    given::post(&world.tom(), "t", false);
    given::run(&world, "UPDATE discussions SET body_html = '<p>from a former release</p>'");
    let path = format!("{BOARD}/1");
    for change in [json!({ "title": "new" }), json!({ "body": "Some text." })] {
        let edited = world.tom().patch(&path, change).expect(200).clone();
        assert_eq!(edited["body_html"], "<p>from a former release</p>");
    }
    assert_eq!(world.tom().patch(&path, json!({ "body": "x" })).expect(200)["body_html"], "<p>x</p>");
}

/// A world with a post and a comment of Tom's.
fn written_on() -> World {
    let world = World::new();
    given::post(&world.tom(), "t", false);
    world.tom().post(&format!("{BOARD}/1/comments"), json!({ "body": "c" })).expect(201);
    world
}

/// A node of its own on the world's data, an hour later, on which a person may write so often in a minute.
fn with_creation_limit(world: &World, per_minute: u32) -> World {
    let node = world.second_server_with(Settings { creation_limit: (per_minute, 100), ..Settings::default() });
    node.advance(3_600);
    node
}

#[track_caller]
fn is_abuse(client: &Client, path: &str, body: &str) {
    let answer = client.patch(path, json!({ "body": body }));
    let message = answer.expect(403)["message"].as_str().expect("a message").to_owned();
    assert!(message.contains("secondary rate limit") && message.contains("abuse"), "{message}");
    assert_eq!(answer.header("retry-after"), Some("60"));
}

#[test]
fn decision_39_edits_count_like_creations() {
    let whole = written_on();
    let world = with_creation_limit(&whole, 4);
    let (post, comment) = (format!("{BOARD}/1"), format!("{BOARD}/1/comments/1"));
    let tom = world.tom();
    given::post(&tom, "another", false);
    tom.patch(&post, json!({ "body": "1" })).expect(200);
    tom.patch(&post, json!({ "title": "2" })).expect(200);
    tom.patch(&comment, json!({ "body": "3" })).expect(200);
    let written = given::written(&world);
    is_abuse(&tom, &post, "4");
    is_abuse(&tom, &comment, "4");
    tom.post(BOARD, json!({ "title": "t", "body": "b" })).expect(403);
    assert_eq!(given::written(&world), written);
    assert_eq!((&tom.get(&post).json["body"], &tom.get(&comment).json["body"]), (&json!("1"), &json!("3")));
    world.max().patch(&post, json!({ "body": "of another person" })).expect(200);
    world.advance(60);
    tom.patch(&post, json!({ "body": "5" })).expect(200);
}

#[test]
fn decision_39_an_edit_that_is_refused_does_not_count() {
    let whole = written_on();
    let world = with_creation_limit(&whole, 1);
    let path = format!("{BOARD}/1");
    world.eve().patch(&path, json!({ "body": "x" })).expect(403);
    world.tom().patch(&path, json!({ "body": "" })).expect(422);
    world.tom().patch(&path, json!({ "title": " " })).expect(422);
    world.tom().patch(&path, json!({ "body": "1" })).expect(200);
    is_abuse(&world.tom(), &path, "2");
}
