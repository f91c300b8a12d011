//! The words of an HTML block in a post (decision 35): its tags are removed, and the text between them is kept.

/// Elements whose text is not meant for readers.
const UNSPOKEN: [&str; 2] = ["script", "style"];

/// Elements that do not continue the line of what is before them. A space comes between their words.
const BLOCKS: [&str; 39] = [
    "address",
    "article",
    "aside",
    "blockquote",
    "br",
    "caption",
    "dd",
    "details",
    "div",
    "dl",
    "dt",
    "figcaption",
    "figure",
    "footer",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hr",
    "li",
    "main",
    "nav",
    "ol",
    "option",
    "p",
    "pre",
    "section",
    "summary",
    "table",
    "tbody",
    "td",
    "tfoot",
    "th",
    "thead",
    "tr",
    "ul",
];

/// The words of an HTML block, without its tags and comments, and without the text that only a browser reads.
#[must_use]
pub fn words(html: &str) -> String {
    let mut words = String::new();
    let mut rest = html;
    let mut is_apart = false;
    while let Some((before, after)) = rest.split_once('<') {
        add(&mut words, before, &mut is_apart);
        is_apart |= is_block(after);
        rest = if let Some(comment) = after.strip_prefix("!--") {
            behind(comment, "-->")
        } else if let Some(name) = UNSPOKEN.iter().find(|name| begins(after, name)) {
            end_of(after, name)
        } else {
            behind(after, ">")
        };
    }
    add(&mut words, rest, &mut is_apart);
    words.trim().to_owned()
}

/// Adds a text, with a space before it if it stands apart from the words so far.
fn add(words: &mut String, text: &str, is_apart: &mut bool) {
    if text.is_empty() {
        return;
    }
    if *is_apart && !text.starts_with(char::is_whitespace) && !words.is_empty() && !words.ends_with(char::is_whitespace)
    {
        words.push(' ');
    }
    words.push_str(text);
    *is_apart = false;
}

/// True if this tag, without its first character, begins or ends a block.
fn is_block(tag: &str) -> bool {
    let tag = tag.strip_prefix('/').unwrap_or(tag);
    let name = tag.split(|of: char| !of.is_ascii_alphanumeric()).next().unwrap_or_default();
    BLOCKS.iter().any(|block| block.eq_ignore_ascii_case(name))
}

/// The text after the first occurrence of this end. If the end is missing, nothing: it hides all the rest.
fn behind<'a>(text: &'a str, end: &str) -> &'a str {
    text.split_once(end).map_or("", |(_, rest)| rest)
}

fn begins(text: &str, name: &str) -> bool {
    text.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name))
}

/// The text after the closing tag of an open element.
fn end_of<'a>(text: &'a str, name: &str) -> &'a str {
    let closed = text.match_indices("</").find(|(at, _)| text.get(at + 2..).is_some_and(|tag| begins(tag, name)));
    closed.map_or("", |(at, _)| behind(text.get(at..).unwrap_or_default(), ">"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_and_comments_go_and_words_stay() {
        assert_eq!(words("<details><summary>More</summary>text\n</details>"), "More text");
        assert_eq!(words("<p id=a onclick=\"x\">kept</p>"), "kept");
        assert_eq!(words("<table><tr><td>a</td><TD>b</td></tr><tr><td>c</td></tr></table>d<br>e<hr/>f"), "a b c d e f");
        assert_eq!(words("<b>a</b><i>b</i> <td> c</td>\n<p>d"), "ab  c\nd");
        assert_eq!(words("a <!-- b > c --> d"), "a  d");
        assert_eq!(words("a <b"), "a");
        assert_eq!(words("<!-- never closed"), "");
    }

    #[test]
    fn what_only_a_browser_reads_goes() {
        assert_eq!(words("<script>alert('<b>')</script>hi"), "hi");
        assert_eq!(words("<STYLE type=x>*{}</Style >hi"), "hi");
        assert_eq!(words("<script>alert(1)"), "");
    }

    #[test]
    fn hostile_blocks_take_linear_time() {
        for unit in ["<", "<!--", "<script", "<script></", "</script", "<style></style>", "ä<"] {
            let html: String = unit.chars().cycle().take(65_535).collect();
            assert!(words(&html).len() <= html.len());
        }
    }
}
