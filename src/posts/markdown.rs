//! Renders GitHub-flavored Markdown as HTML (decision 35), with only those elements and URLs that are known to be
//! harmless.
//!
//! Nothing must be sanitized afterwards, because nothing foreign gets in: of HTML in the text only the words are kept,
//! and the renderer writes every tag. The parser takes linear time. Text that is nested too deeply or would become too
//! long is shown as plain text. These limits are counts, not times, so the same text always gives the same HTML.

use linkify::{LinkFinder, LinkKind};
use pulldown_cmark::utils::TextMergeStream;
use pulldown_cmark::{CodeBlockKind, CowStr, Event, LinkType, Options, Parser, Tag, TagEnd, html};

use super::{html_block, measure, mentions};

/// The greatest depth of nested quotes, lists and emphasis.
const DEEPEST: usize = 100;

/// The most pieces of HTML: texts, and starts and ends of elements.
const MOST_PIECES: usize = 12_000;

/// The longest HTML, as a multiple of the length of its text.
const LONGER: usize = 4;

/// A text shorter than this many bytes counts as this long, because the tags around a few words are many times as long.
const SHORT: usize = 256;

/// The prefixes that the URL of a link may have.
const SCHEMES: [&str; 3] = ["http://", "https://", "mailto:"];

/// A rendered text, and the logins and teams that it mentions.
#[derive(Debug, PartialEq, Eq)]
pub struct Rendered {
    /// HTML.
    pub html: String,
    /// Logins in lower case.
    pub mentions: Vec<String>,
}

/// Renders a text, as plain text if parsing it would take too long.
#[must_use]
pub fn render(text: &str) -> Rendered {
    if measure::is_costly(text) { plain(text) } else { formatted(text).unwrap_or_else(|| plain(text)) }
}

fn formatted(text: &str) -> Option<Rendered> {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let longest = LONGER * text.len().max(SHORT);
    let mut safe = Safe::default();
    for event in TextMergeStream::new(Parser::new_ext(text, options)) {
        safe.take(event);
        if safe.is_too_much(longest) {
            return None;
        }
    }
    let mut html = String::with_capacity(safe.length);
    html::push_html(&mut html, safe.events.into_iter());
    html.truncate(html.trim_end().len());
    (html.len() <= longest).then_some(Rendered { html, mentions: safe.mentions })
}

/// A paragraph of the text as it was written. A `&` that cannot begin a reference stays as it is, so that the HTML
/// without its tags is never more than four times as long as the text.
fn plain(text: &str) -> Rendered {
    let mut html = String::with_capacity(text.len() + text.len() / 8);
    html.push_str("<p>");
    let mut rest = text.trim_end().chars();
    while let Some(c) = rest.next() {
        match c {
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '&' if rest.clone().next().is_some_and(|next| next == '#' || next.is_ascii_alphanumeric()) => {
                html.push_str("&amp;");
            }
            c => html.push(c),
        }
    }
    html.push_str("</p>");
    let mut mentioned = Vec::new();
    mentions::collect(text, &mut mentioned);
    Rendered { html, mentions: mentioned }
}

/// The form in which an open element is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Open {
    /// It is written as it is.
    Element,
    /// It is written as a link.
    Link,
    /// Its text is not searched for mentions.
    Code,
    /// Only its content is written.
    Nothing,
}

/// The harmless part of what the parser finds.
#[derive(Default)]
struct Safe<'a> {
    events: Vec<Event<'a>>,
    open: Vec<Open>,
    mentions: Vec<String>,
    html: String,
    /// The number of events of the parser that were taken, including those that are left out.
    taken: usize,
    /// The bytes of all texts and URLs.
    length: usize,
}

impl<'a> Safe<'a> {
    /// True if a limit is exceeded, so that the text is shown as plain text.
    fn is_too_much(&self, longest: usize) -> bool {
        let pieces = self.taken.max(self.events.len());
        pieces > MOST_PIECES || self.length > longest || self.open.len() > DEEPEST
    }

    fn put(&mut self, event: Event<'a>) {
        self.length += match &event {
            Event::Text(text) | Event::Code(text) => text.len(),
            Event::Start(Tag::Link { dest_url, title, .. }) => dest_url.len() + title.len(),
            _ => 0,
        };
        self.events.push(event);
    }

    fn take(&mut self, event: Event<'a>) {
        self.taken += 1;
        match event {
            Event::Html(html) => self.html.push_str(&html),
            Event::Start(Tag::HtmlBlock) => self.html.clear(),
            Event::End(TagEnd::HtmlBlock) => self.words(),
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) => self.text(text),
            // A checkbox would be part of a form.
            Event::TaskListMarker(done) => self.put(Event::Text(if done { "☑ " } else { "☐ " }.into())),
            Event::Code(_) | Event::SoftBreak | Event::HardBreak | Event::Rule => self.put(event),
            // Tags within a paragraph, and extensions that are not enabled.
            _ => {}
        }
    }

    /// The words of a block of HTML are a paragraph.
    fn words(&mut self) {
        let words = html_block::words(&self.html);
        if !words.is_empty() {
            self.put(Event::Start(Tag::Paragraph));
            self.text(words.into());
            self.put(Event::End(TagEnd::Paragraph));
        }
    }

    fn start(&mut self, tag: Tag<'a>) {
        let (open, tag) = match tag {
            Tag::Link { link_type, dest_url, title, id } => {
                let (link_type, dest_url) = address(link_type, dest_url);
                (self.link(&dest_url), Tag::Link { link_type, dest_url, title, id })
            }
            // Our pages load nothing from other sites, so a picture becomes a link to it.
            Tag::Image { dest_url, title, id, .. } => {
                (self.link(&dest_url), Tag::Link { link_type: LinkType::Inline, dest_url, title, id })
            }
            // The language would become a class, and alignments a style.
            Tag::CodeBlock(_) => (Open::Code, Tag::CodeBlock(CodeBlockKind::Indented)),
            Tag::Table(columns) => {
                let columns = vec![pulldown_cmark::Alignment::None; columns.len()];
                (Open::Element, Tag::Table(columns))
            }
            tag => (Open::Element, tag),
        };
        self.open.push(open);
        if open != Open::Nothing {
            self.put(Event::Start(tag));
        }
    }

    /// Links are not nested, and lead only to URLs that a browser opens without harm.
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
        // A picture without a text still needs something to click on.
        if let Some(Event::Start(Tag::Link { dest_url, .. })) = self.events.last() {
            let words = dest_url.clone();
            self.put(Event::Text(words));
        }
        self.put(Event::End(tag));
    }

    fn text(&mut self, text: CowStr<'a>) {
        if self.is_in(Open::Code) || self.is_in(Open::Link) {
            self.put(Event::Text(text));
            return;
        }
        mentions::collect(&text, &mut self.mentions);
        for part in LinkFinder::new().spans(&text) {
            if self.events.len() > MOST_PIECES {
                return;
            }
            let words: CowStr<'a> = part.as_str().to_owned().into();
            let link = part.kind().map(|kind| match kind {
                LinkKind::Email => [SCHEMES[2], part.as_str()].concat(),
                _ => part.as_str().to_owned(),
            });
            match link.filter(|address| self.link(address) == Open::Link) {
                None => self.put(Event::Text(words)),
                Some(address) => {
                    for event in linked(address.into(), words) {
                        self.put(event);
                    }
                }
            }
        }
    }

    fn is_in(&self, open: Open) -> bool {
        self.open.contains(&open)
    }
}

/// In angle brackets there can be an e-mail address, to which the renderer would add `mailto:`.
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
    fn what_has_too_many_pieces_or_grows_too_long_is_plain_text() {
        for text in
            ["[a](b)".repeat(7_000), "# a\n".repeat(7_000), "http://a.b ".repeat(5_900), "*a*\n\n".repeat(5_000)]
        {
            assert_eq!(html(&text), format!("<p>{}</p>", text.trim_end()), "{:.10}", text);
        }
        let long = format!("[a]: http://{}\n\n{}", "x".repeat(30_000), "[a] ".repeat(5_000));
        assert!(html(&long).len() <= 4 * long.len());
        let list = "- a\n".repeat(1_000);
        assert_eq!(html(&list).matches("<li>").count(), 1_000);
        let mails = "a@b.cd ".repeat(100);
        assert_eq!(html(&mails), format!("<p>{}</p>", mails.trim_end()), "more than four times as long");
        assert!(html(&"a@b.cd ".repeat(20)).contains("<a href=\"mailto:a@b.cd\">"), "a few links are short");
    }

    #[test]
    fn plain_text_is_escaped_and_stays_short() {
        let plain = |text: &str| plain(text).html;
        assert_eq!(plain("a < b > c &amp; d &#60; & e &\n"), "<p>a &lt; b &gt; c &amp;amp; d &amp;#60; & e &</p>");
        for unit in ["&", "<", ">", "\"", "&a", "&#", "<&"] {
            let text = unit.repeat(1_000);
            assert!(plain(&text).len() <= 4 * text.len() + "<p></p>".len(), "{unit}");
        }
        assert_eq!(render(&format!("{} @max", "*_".repeat(20_000))).mentions, ["max"]);
    }

    #[test]
    fn what_is_nested_too_deeply_is_plain_text() {
        let text = ">".repeat(DEEPEST + 1) + "<b>";
        assert_eq!(html(&text), format!("<p>{}&lt;b&gt;</p>", "&gt;".repeat(DEEPEST + 1)));
        let shallow = format!("{}{}", ">".repeat(DEEPEST - 1), "word ".repeat(200));
        assert!(html(&shallow).starts_with("<blockquote>"));
    }

    #[test]
    fn mentions_are_read_where_people_read_them() {
        let text = "@max `@tom` [@eve](https://e.org)\n\n    @ray\n\n> **@Nina**";
        assert_eq!(render(text).mentions, ["max", "nina"]);
    }
}
