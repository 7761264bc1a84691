//! Which cell texts mean "no value".

/// Texts that mean "no value", compared without regard to case. The empty cell always does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingTokens {
    lowercase: Vec<String>,
    longest: usize,
}

/// Recognised unless the user says otherwise.
pub const DEFAULT_MISSING: [&str; 6] = ["NA", "NaN", "null", "?", "N/A", "#N/A"];

impl MissingTokens {
    /// Exactly these tokens, and the empty cell.
    pub fn new<S: AsRef<str>>(tokens: impl IntoIterator<Item = S>) -> Self {
        let lowercase: Vec<String> = tokens.into_iter().map(|t| t.as_ref().trim().to_lowercase()).collect();
        let longest = lowercase.iter().map(String::len).max().unwrap_or(0);
        MissingTokens { lowercase, longest }
    }

    /// The default tokens and these.
    pub fn default_and<S: AsRef<str>>(tokens: impl IntoIterator<Item = S>) -> Self {
        let given = tokens.into_iter().map(|t| t.as_ref().to_owned());
        MissingTokens::new(DEFAULT_MISSING.iter().map(|&t| t.to_owned()).chain(given))
    }

    /// Whether the trimmed cell stands for no value.
    pub fn contains(&self, cell: &str) -> bool {
        // Most cells are numbers or words longer than any token: decided without an allocation.
        cell.is_empty()
            || (cell.len() <= self.longest
                && self.lowercase.iter().any(|t| t.eq_ignore_ascii_case(cell) || *t == cell.to_lowercase()))
    }
}

impl Default for MissingTokens {
    fn default() -> Self {
        MissingTokens::new(DEFAULT_MISSING)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_match_any_case_and_nothing_else() {
        let tokens = MissingTokens::default();
        for yes in ["", "NA", "na", "nan", "NULL", "?", "n/a", "#N/A"] {
            assert!(tokens.contains(yes), "{yes}");
        }
        for no in ["0", "none", "-", "NaNa", "nationality"] {
            assert!(!tokens.contains(no), "{no}");
        }
    }

    #[test]
    fn own_tokens_replace_or_extend_the_defaults() {
        let own = MissingTokens::new(["-9", "Unknown"]);
        assert!(own.contains("-9") && own.contains("unknown") && own.contains("") && !own.contains("NA"));
        let both = MissingTokens::default_and(["-9"]);
        assert!(both.contains("-9") && both.contains("NA"));
    }
}
