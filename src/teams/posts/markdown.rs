//! GitHub-flavoured Markdown to HTML (decision 35): only elements and addresses that are known to be harmless.
//!
//! There is nothing to sanitise afterwards, because nothing foreign gets in: of HTML within the text only the words
//! are kept, and every tag is written by the renderer. The parser takes linear time; what is nested too deeply or grows too long
//! is shown as plain text.

use linkify::{LinkFinder, LinkKind};
use pulldown_cmark::utils::TextMergeStream;
use pulldown_cmark::{CodeBlockKind, CowStr, Event, LinkType, Options, Parser, Tag, TagEnd, html};

use super::{html_block, mentions};

/// How deeply quotes, lists and emphasis may be nested.
const DEEPEST: usize = 100;

/// The longest HTML, in bytes.
const LONGEST: usize = 512 * 1024;

/// What the addresses of links begin with.
const SCHEMES: [&str; 3] = ["http://", "https://", "mailto:"];

/// A text as it is shown, and whom it mentions.
#[derive(Debug, PartialEq, Eq)]
pub struct Rendered {
    /// HTML.
    pub html: String,
    /// Logins, in small letters.
    pub mentions: Vec<String>,
}

/// Renders a text; the same text gives the same HTML.
#[must_use]
pub fn render(text: &str) -> Rendered {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let mut safe = Safe::default();
    for event in TextMergeStream::new(Parser::new_ext(text, options)) {
        safe.take(event);
        if safe.open.len() > DEEPEST {
            return plain(text);
        }
    }
    let html = write(safe.events.into_iter());
    if html.len() > LONGEST { plain(text) } else { Rendered { html, mentions: safe.mentions } }
}

fn plain(text: &str) -> Rendered {
    let paragraph = [Event::Start(Tag::Paragraph), Event::Text(text.into()), Event::End(TagEnd::Paragraph)];
    Rendered { html: write(paragraph.into_iter()), mentions: Vec::new() }
}

fn write<'a>(events: impl Iterator<Item = Event<'a>>) -> String {
    let mut html = String::new();
    html::push_html(&mut html, events);
    html.truncate(html.trim_end().len());
    html
}

/// What becomes of an element that is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Open {
    /// It is written.
    Element,
    /// It is written as a link.
    Link,
    /// Its text is not looked at.
    Code,
    /// Only what is in it is written.
    Nothing,
}

/// The harmless part of what the parser finds.
#[derive(Default)]
struct Safe<'a> {
    events: Vec<Event<'a>>,
    open: Vec<Open>,
    mentions: Vec<String>,
    html: String,
}

impl<'a> Safe<'a> {
    fn take(&mut self, event: Event<'a>) {
        match event {
            Event::Html(html) => self.html.push_str(&html),
            Event::Start(Tag::HtmlBlock) => self.html.clear(),
            Event::End(TagEnd::HtmlBlock) => self.words(),
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) => self.text(text),
            // A checkbox would be part of a form.
            Event::TaskListMarker(done) => self.events.push(Event::Text(if done { "☑ " } else { "☐ " }.into())),
            Event::Code(_) | Event::SoftBreak | Event::HardBreak | Event::Rule => self.events.push(event),
            // Tags within a paragraph, and extensions that are not asked for.
            _ => {}
        }
    }

    /// The words of a block of HTML are a paragraph.
    fn words(&mut self) {
        let words = html_block::words(&self.html);
        if !words.is_empty() {
            self.events.push(Event::Start(Tag::Paragraph));
            self.text(words.into());
            self.events.push(Event::End(TagEnd::Paragraph));
        }
    }

    fn start(&mut self, tag: Tag<'a>) {
        let (open, tag) = match tag {
            Tag::Link { link_type, dest_url, title, id } => {
                let (link_type, dest_url) = address(link_type, dest_url);
                (self.link(&dest_url), Tag::Link { link_type, dest_url, title, id })
            }
            // Our pages load nothing from elsewhere: a picture is a link to it.
            Tag::Image { dest_url, title, id, .. } => {
                (self.link(&dest_url), Tag::Link { link_type: LinkType::Inline, dest_url, title, id })
            }
            // The language would become a class, alignments a style.
            Tag::CodeBlock(_) => (Open::Code, Tag::CodeBlock(CodeBlockKind::Indented)),
            Tag::Table(columns) => {
                let columns = vec![pulldown_cmark::Alignment::None; columns.len()];
                (Open::Element, Tag::Table(columns))
            }
            tag => (Open::Element, tag),
        };
        self.open.push(open);
        if open != Open::Nothing {
            self.events.push(Event::Start(tag));
        }
    }

    /// Links are not nested, and lead only to what a browser opens harmlessly.
    fn link(&self, address: &str) -> Open {
        let begins = |scheme: &&str| address.get(..scheme.len()).is_some_and(|at| at.eq_ignore_ascii_case(scheme));
        if self.is_in(Open::Link) || !SCHEMES.iter().any(begins) { Open::Nothing } else { Open::Link }
    }

    fn end(&mut self, tag: TagEnd) {
        let tag = match self.open.pop() {
            Some(Open::Nothing) | None => return,
            Some(Open::Link) => TagEnd::Link,
            Some(Open::Element | Open::Code) => tag,
        };
        // A picture without words still needs something to click at.
        if let Some(Event::Start(Tag::Link { dest_url, .. })) = self.events.last() {
            self.events.push(Event::Text(dest_url.clone()));
        }
        self.events.push(Event::End(tag));
    }

    fn text(&mut self, text: CowStr<'a>) {
        if self.is_in(Open::Code) || self.is_in(Open::Link) {
            self.events.push(Event::Text(text));
            return;
        }
        mentions::collect(&text, &mut self.mentions);
        for part in LinkFinder::new().spans(&text) {
            let words: CowStr<'a> = part.as_str().to_owned().into();
            let link = part.kind().map(|kind| match kind {
                LinkKind::Email => [SCHEMES[2], part.as_str()].concat(),
                _ => part.as_str().to_owned(),
            });
            match link.filter(|address| self.link(address) == Open::Link) {
                None => self.events.push(Event::Text(words)),
                Some(address) => self.events.extend(linked(address.into(), words)),
            }
        }
    }

    fn is_in(&self, open: Open) -> bool {
        self.open.contains(&open)
    }
}

/// An address in angle brackets can be one of mail, which the renderer would complete.
fn address(link_type: LinkType, dest_url: CowStr<'_>) -> (LinkType, CowStr<'_>) {
    match link_type {
        LinkType::Email => (LinkType::Inline, [SCHEMES[2], &dest_url].concat().into()),
        other => (other, dest_url),
    }
}

fn linked<'a>(dest_url: CowStr<'a>, words: CowStr<'a>) -> [Event<'a>; 3] {
    let tag = Tag::Link { link_type: LinkType::Inline, dest_url, title: "".into(), id: "".into() };
    [Event::Start(tag), Event::Text(words), Event::End(TagEnd::Link)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, Instant};

    fn html(text: &str) -> String {
        render(text).html
    }

    #[test]
    fn it_is_github_flavoured() {
        assert_eq!(
            html("Hi, *you* and **all**\n~~gone~~ `x<y`"),
            "<p>Hi, <em>you</em> and <strong>all</strong>\n<del>gone</del> <code>x&lt;y</code></p>"
        );
        assert_eq!(html("- [x] a\n- [ ] b"), "<ul>\n<li>☑ a</li>\n<li>☐ b</li>\n</ul>");
        let table = html("|a|b|\n|:-|-:|\n|1|2|");
        assert!(table.starts_with("<table><thead><tr><th>a</th><th>b</th></tr></thead>"), "{table}");
        assert_eq!(html("```rust\nlet a = 1;\n```"), "<pre><code>let a = 1;\n</code></pre>");
        assert_eq!(html("3. c"), "<ol start=\"3\">\n<li>c</li>\n</ol>");
    }

    #[test]
    fn addresses_become_links() {
        let link = |address: &str, text: &str| format!("<p><a href=\"{address}\">{text}</a></p>");
        assert_eq!(html("https://e.org/a_b_c"), link("https://e.org/a_b_c", "https://e.org/a_b_c"));
        assert_eq!(html("<https://e.org>"), link("https://e.org", "https://e.org"));
        assert_eq!(html("<a@e.org>"), link("mailto:a@e.org", "a@e.org"));
        assert_eq!(html("a@e.org"), link("mailto:a@e.org", "a@e.org"));
        assert_eq!(html("[t](HTTPS://e.org)"), link("HTTPS://e.org", "t"));
        assert_eq!(html("`https://e.org`"), "<p><code>https://e.org</code></p>");
    }

    #[test]
    fn pictures_are_links() {
        assert_eq!(html("![a *b*](https://e.org/p.png)"), "<p><a href=\"https://e.org/p.png\">a <em>b</em></a></p>");
        assert_eq!(html("![](https://e.org/p)"), "<p><a href=\"https://e.org/p\">https://e.org/p</a></p>");
        assert_eq!(html("[![a](https://e.org/p)](https://e.org)"), "<p><a href=\"https://e.org\">a</a></p>");
    }

    #[test]
    fn nothing_that_acts_gets_through() {
        let hostile = [
            "<script>alert(1)</script>",
            "a <script>alert(1)</script>",
            "<img src=x onerror=alert(1)>",
            "<p id=a class=b style=\"color:red\" onclick=alert(1)>t</p>",
            "<form action=/x><input name=a></form>",
            "<svg/onload=alert(1)>",
            "[a](javascript:alert(1))",
            "[a](JaVaScRiPt&colon;alert(1))",
            "[a](data:text/html;base64,PHNjcmlwdD4=)",
            "[a](vbscript:x) [b](file:///etc/passwd) [c](//e.org) [d](/relative) [e](#id)",
            "![a](javascript:alert(1))",
            "<javascript:alert(1)>",
            "[a]: javascript:alert(1)\n\n[a]",
            "[a](https://e.org \"x\\\" onclick=\\\"alert(1)\")",
            "```x\" onclick=\"alert(1)\n```",
            "# h {#id .class onclick=a}",
            "<!-- a --><?php ?><!DOCTYPE html><![CDATA[ x ]]>",
            "<style>*{}</style>",
            "<iframe src=https://e.org></iframe>",
            "<a href=\"https://e.org\" onclick=a>t</a>",
        ];
        for text in hostile {
            let html = html(text);
            for tag in html.split('<').skip(1) {
                let tag = tag.split('>').next().unwrap();
                let (name, rest) = tag.split_once(' ').unwrap_or((tag, ""));
                let name = name.trim_start_matches('/');
                assert!(["p", "a", "em", "pre", "code", "h1"].contains(&name), "{text}: {html}");
                assert!(rest.is_empty() || rest.starts_with("href=\"https://e.org\""), "{text}: {html}");
                assert_eq!(rest.matches('"').count() % 2, 0, "{text}: {html}");
            }
            assert!(!html.contains("href=\"javascript") && !html.contains("\" onclick"), "{text}: {html}");
        }
    }

    #[test]
    fn of_html_the_words_are_kept() {
        assert_eq!(html("a <b>c</b>"), "<p>a c</p>");
        assert_eq!(html("<p align=center>Hi @max\n**not bold** &</p>"), "<p>Hi @max\n**not bold** &amp;</p>");
        assert_eq!(
            html("<details><summary>More</summary>\n\n*text*\n\n</details>"),
            "<p>More</p>\n<p><em>text</em></p>"
        );
        assert_eq!(html("<script>alert(1)</script>\n\nx"), "<p>x</p>");
    }

    #[test]
    fn hostile_texts_take_bounded_time_and_size() {
        let all = 65_535;
        let mut texts: Vec<String> = [
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
        ]
        .iter()
        .map(|unit| unit.chars().cycle().take(all).collect())
        .collect();
        for unit in [">", " - "] {
            texts.push((0..360).flat_map(|depth| [unit.repeat(depth), "a\n".to_owned()]).collect());
        }
        texts.push(format!("[a]: http://{}\n\n{}", "x".repeat(30_000), "[a]".repeat(11_000)));
        texts.push(format!("{}\n{}\n{}", "|a".repeat(8_000), "|-".repeat(8_000), "|\n".repeat(15_000)));
        texts.push(format!("{}{}", "[".repeat(32_000), "]".repeat(32_000)));
        texts.push(format!("{}{}", "*a **a ".repeat(4_500), "b** b*".repeat(5_000)));
        for text in texts {
            let begin: String = text.chars().take(12).collect();
            let started = Instant::now();
            let html = html(&text);
            assert!(html.len() <= LONGEST, "{begin:?} became {} bytes", html.len());
            assert!(started.elapsed() < Duration::from_secs(10), "{begin:?} took {:?}", started.elapsed());
        }
    }

    #[test]
    fn what_is_nested_too_deeply_is_plain_text() {
        let text = ">".repeat(DEEPEST + 1) + "<b>";
        assert_eq!(html(&text), format!("<p>{}&lt;b&gt;</p>", "&gt;".repeat(DEEPEST + 1)));
        assert!(html(&">".repeat(DEEPEST - 1)).starts_with("<blockquote>"));
    }

    #[test]
    fn mentions_are_read_where_people_read_them() {
        let text = "@max `@tom` [@eve](https://e.org)\n\n    @ray\n\n> **@Nina**";
        assert_eq!(render(text).mentions, ["max", "nina"]);
    }
}
