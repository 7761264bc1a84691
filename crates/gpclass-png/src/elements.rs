//! The elements of a drawing, in their order.

/// One element with its attributes and the text that directly follows its tag.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Element<'a> {
    pub name: &'a str,
    attributes: Vec<(&'a str, &'a str)>,
    text: &'a str,
}

impl<'a> Element<'a> {
    pub fn get(&self, name: &str) -> Option<&'a str> {
        self.attributes.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
    }

    /// The number of an attribute; zero where it is missing or none.
    pub fn number(&self, name: &str) -> f32 {
        self.get(name).and_then(|value| value.parse().ok()).unwrap_or(0.0)
    }

    /// What it says, its signs no longer escaped.
    pub fn text(&self) -> String {
        const SIGNS: [(&str, &str); 6] =
            [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&#x27;", "'"), ("&amp;", "&")];
        SIGNS.iter().fold(self.text.to_owned(), |text, (escaped, sign)| text.replace(escaped, sign))
    }
}

/// All elements of a well-formed drawing.
pub(crate) fn elements(svg: &str) -> Vec<Element<'_>> {
    let tags = svg.split('<').skip(1).filter(|tag| !tag.starts_with(['/', '!', '?']));
    tags.filter_map(|tag| {
        let (inside, text) = tag.split_once('>')?;
        let inside = inside.trim_end_matches('/');
        let (name, rest) = inside.split_once(char::is_whitespace).unwrap_or((inside, ""));
        Some(Element { name, attributes: attributes(rest), text })
    })
    .collect()
}

fn attributes(mut rest: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    while let Some((name, after)) = rest.split_once("=\"") {
        let Some((value, next)) = after.split_once('"') else { break };
        found.push((name.trim(), value));
        rest = next;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_and_texts_are_read() {
        let svg = r#"<svg viewBox="0 0 4 2"><line x1="1.5" class="a b"/><text y="-2">x &lt; 3 &amp;lt;</text></svg>"#;
        let found = elements(svg);
        assert_eq!(found.iter().map(|e| e.name).collect::<Vec<_>>(), ["svg", "line", "text"]);
        assert_eq!((found[1].number("x1"), found[1].get("class"), found[1].number("y1")), (1.5, Some("a b"), 0.0));
        assert_eq!((found[2].text().as_str(), found[2].number("y")), ("x < 3 &lt;", -2.0));
    }
}
