//! A rendered post as plain text.

use super::html_block;

/// The references that the renderer writes. What they stand for is put back in this order, so that nothing is read
/// twice.
const REFERENCES: [(&str, &str); 5] = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#x27;", "'"), ("&amp;", "&")];

/// The words of a post in HTML.
#[must_use]
pub fn words(html: &str) -> String {
    let words = html_block::words(html);
    if !words.contains('&') {
        return words;
    }
    REFERENCES.iter().fold(words, |words, (reference, text)| words.replace(reference, text))
}

#[cfg(test)]
mod tests {
    use super::super::markdown;
    use super::words;

    #[test]
    fn of_a_post_the_words_are_kept() {
        for (markdown, expected) in [
            ("Hello **world**, @max", "Hello world, @max"),
            ("# Title\n\n- a\n- b", "Title\n\na\nb"),
            ("|a|b|\n|-|-|\n|c|d|", "a b\nc d"),
            ("`<b>` & \"x\" &amp;lt; 'y'", "<b> & \"x\" &lt; 'y'"),
            ("[link](https://a.b 'a > \"b\"')", "link"),
            ("<script>alert(1)</script>", ""),
        ] {
            assert_eq!(words(&markdown::render(markdown).html), expected, "{markdown}");
        }
    }
}
