//! The settings file: TOML, where `b = 1` in the table `a` is the setting `a.b`.

use toml::de::{DeTable, DeValue};

use super::table;

/// A value of the file.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub name: &'static str,
    pub text: String,
    pub line: usize,
}

/// Parses the file. An unknown key is refused, and the error names the most similar setting.
pub(super) fn read(file: &str, content: &str) -> Result<Vec<Found>, String> {
    let reader = Reader { file, content };
    let parsed = DeTable::parse(content).map_err(|error| {
        let line = error.span().map_or(1, |span| reader.line(span.start));
        format!("{file}:{line}: invalid TOML: {}", error.message())
    })?;
    let mut found = Vec::new();
    reader.table("", parsed.get_ref(), &mut found)?;
    Ok(found)
}

struct Reader<'a> {
    file: &'a str,
    content: &'a str,
}

impl Reader<'_> {
    fn table(&self, above: &str, table: &DeTable<'_>, found: &mut Vec<Found>) -> Result<(), String> {
        for (key, value) in table {
            let name = format!("{above}{}", key.get_ref());
            let line = self.line(key.span().start);
            match value.get_ref() {
                DeValue::Table(inner) if table::find(&name).is_none() => {
                    self.table(&format!("{name}."), inner, found)?;
                }
                value => found.push(self.value(&name, line, value)?),
            }
        }
        Ok(())
    }

    fn value(&self, name: &str, line: usize, value: &DeValue<'_>) -> Result<Found, String> {
        let file = self.file;
        let Some(setting) = table::find(name) else {
            return Err(format!(
                "{file}:{line}: `{name}` is not a setting; did you mean `{}`? See `guildhall serve --help`",
                table::nearest(name)
            ));
        };
        let text = text(value).ok_or_else(|| {
            format!("{file}:{line}: `{name}` must be a string, a number, true or false, or a list of strings")
        })?;
        Ok(Found { name: setting.name, text, line })
    }

    fn line(&self, offset: usize) -> usize {
        1 + self.content.bytes().take(offset).filter(|byte| *byte == b'\n').count()
    }
}

/// A value in the form of a flag.
fn text(value: &DeValue<'_>) -> Option<String> {
    match value {
        DeValue::String(text) => Some(text.to_string()),
        DeValue::Integer(number) => Some(number.to_string()),
        DeValue::Boolean(truth) => Some(truth.to_string()),
        DeValue::Array(items) => {
            let texts: Option<Vec<String>> = items.iter().map(|item| text(item.get_ref())).collect();
            Some(texts?.join(","))
        }
        DeValue::Float(_) | DeValue::Datetime(_) | DeValue::Table(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::read;

    fn texts(content: &str) -> Vec<(&'static str, String, usize)> {
        read("g.toml", content).unwrap().into_iter().map(|f| (f.name, f.text, f.line)).collect()
    }

    #[test]
    fn tables_dots_numbers_and_lists_are_read() {
        let content = "listen = \"0.0.0.0:80\"\ntrusted_proxies = [\"10.0.0.0/8\", \"::1\"]\nlog.level = \"warn\"\n\n\
                       [rate_limit]\nenabled = false\nper_hour = 20_000\n";
        let mut found = texts(content);
        found.sort_by_key(|f| f.2);
        assert_eq!(
            found,
            [
                ("listen", "0.0.0.0:80".to_owned(), 1),
                ("trusted_proxies", "10.0.0.0/8,::1".to_owned(), 2),
                ("log.level", "warn".to_owned(), 3),
                ("rate_limit.enabled", "false".to_owned(), 6),
                ("rate_limit.per_hour", "20000".to_owned(), 7),
            ]
        );
    }

    #[test]
    fn an_unknown_key_names_file_line_and_the_nearest_known_one() {
        for (content, expected) in [
            ("\nlisten_on = \"x\"", "g.toml:2: `listen_on` is not a setting; did you mean `listen`?"),
            (
                "[rate_limits]\nper_hour = 1",
                "g.toml:2: `rate_limits.per_hour` is not a setting; did you mean `rate_limit.per_hour`?",
            ),
            ("[tls]\ncert = \"x\"", "did you mean `tls.key`?"),
        ] {
            let error = read("g.toml", content).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
        assert!(read("g.toml", "listen.on = 1").unwrap_err().contains("`listen` must be a string"));
    }

    #[test]
    fn what_is_not_toml_or_not_a_value_is_refused_with_its_line() {
        let error = read("g.toml", "listen = \"a\"\nlisten = ").unwrap_err();
        assert!(error.starts_with("g.toml:2: invalid TOML: "), "{error}");
        let error = read("g.toml", "listen = 1.5").unwrap_err();
        assert!(error.starts_with("g.toml:1: `listen` must be a string"), "{error}");
    }
}
