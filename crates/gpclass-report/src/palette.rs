//! The colours, once for every figure and the page: blue and orange stay apart for colour-blind readers.

/// A named colour in both schemes.
struct Colour {
    name: &'static str,
    light: &'static str,
    dark: &'static str,
}

const COLOURS: [Colour; 10] = [
    Colour { name: "paper", light: "#ffffff", dark: "#14171c" },
    Colour { name: "card", light: "#f5f7fa", dark: "#1d2229" },
    Colour { name: "ink", light: "#1b2430", dark: "#e6eaf0" },
    Colour { name: "soft", light: "#5b6675", dark: "#a3adba" },
    Colour { name: "rule", light: "#dfe4ea", dark: "#333b46" },
    Colour { name: "class-0", light: "#2467b3", dark: "#6fb1f5" },
    Colour { name: "class-1", light: "#d9730d", dark: "#f5a04f" },
    Colour { name: "main", light: "#11797a", dark: "#4fc3bd" },
    Colour { name: "alert", light: "#b3124f", dark: "#ff7aa8" },
    Colour { name: "mute", light: "#aab4c0", dark: "#5a6573" },
];

/// Custom properties for a page: light by default and in print, dark where the reader prefers it.
pub(super) fn page_variables() -> String {
    let list = |of: fn(&Colour) -> &'static str| {
        COLOURS.iter().map(|c| format!("--{}:{};", c.name, of(c))).collect::<String>()
    };
    format!(
        ":root{{color-scheme:light;{}}}@media screen and (prefers-color-scheme:dark){{:root{{color-scheme:dark;{}}}}}",
        list(|c| c.light),
        list(|c| c.dark)
    )
}

/// A style sheet with every `var(--name)` replaced by its light colour, for programs that know no variables.
pub(super) fn in_light_colours(css: &str) -> String {
    COLOURS.iter().fold(css.to_owned(), |css, c| css.replace(&format!("var(--{})", c.name), c.light))
}
