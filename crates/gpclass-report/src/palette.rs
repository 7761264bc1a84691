//! The colours, once for every figure and the page.
//!
//! Those of the classes stay apart for colour-blind readers, by hue where that can be and by lightness where not; a test
//! looks at them with other eyes. Further classes repeat them and differ by shapes and dashes.

/// A named colour in both schemes.
struct Colour {
    name: &'static str,
    light: &'static str,
    dark: &'static str,
}

const COLOURS: [Colour; 8] = [
    Colour { name: "paper", light: "#ffffff", dark: "#14171c" },
    Colour { name: "card", light: "#f5f7fa", dark: "#1d2229" },
    Colour { name: "ink", light: "#1b2430", dark: "#e6eaf0" },
    Colour { name: "soft", light: "#5b6675", dark: "#a3adba" },
    Colour { name: "rule", light: "#dfe4ea", dark: "#333b46" },
    Colour { name: "main", light: "#11797a", dark: "#4fc3bd" },
    Colour { name: "alert", light: "#b3124f", dark: "#ff7aa8" },
    Colour { name: "mute", light: "#aab4c0", dark: "#5a6573" },
];

/// The classes by their position.
const CLASSES: [Colour; 12] = [
    Colour { name: "class-0", light: "#2467b3", dark: "#6fb1f5" },
    Colour { name: "class-1", light: "#d9730d", dark: "#f5a04f" },
    Colour { name: "class-2", light: "#22b088", dark: "#7fe0a8" },
    Colour { name: "class-3", light: "#3e0670", dark: "#a46af1" },
    Colour { name: "class-4", light: "#7cc8de", dark: "#4d92ae" },
    Colour { name: "class-5", light: "#653519", dark: "#bc7966" },
    Colour { name: "class-6", light: "#dbbb25", dark: "#fff36b" },
    Colour { name: "class-7", light: "#908dd9", dark: "#4967b5" },
    Colour { name: "class-8", light: "#570433", dark: "#8a5b70" },
    Colour { name: "class-9", light: "#434470", dark: "#c7d5ff" },
    Colour { name: "class-10", light: "#7c7379", dark: "#acaaa7" },
    Colour { name: "class-11", light: "#516a00", dark: "#5b720a" },
];

/// The name of a class's colour, by the position of the class.
pub(super) fn class_colour(class: usize) -> &'static str {
    CLASSES[class % CLASSES.len()].name
}

/// The colours that the figures of that many classes use, and the page.
fn used(classes: usize) -> impl Iterator<Item = &'static Colour> + Clone {
    COLOURS.iter().chain(CLASSES.iter().take(classes))
}

/// Custom properties for a page: light by default and in print, dark where the reader prefers it.
pub(super) fn page_variables(classes: usize) -> String {
    let list =
        |of: fn(&Colour) -> &'static str| used(classes).map(|c| format!("--{}:{};", c.name, of(c))).collect::<String>();
    format!(
        ":root{{color-scheme:light;{}}}@media screen and (prefers-color-scheme:dark){{:root{{color-scheme:dark;{}}}}}",
        list(|c| c.light),
        list(|c| c.dark)
    )
}

/// The styles of lines and areas in the colours of that many classes.
pub(super) fn class_styles(classes: usize) -> String {
    let style = |c: &Colour| format!(".{0}{{stroke:var(--{0})}}.fill-{0}{{fill:var(--{0})}}", c.name);
    CLASSES.iter().take(classes).map(style).collect()
}

/// A style sheet with every `var(--name)` replaced by its light colour, for programs that know no variables.
pub(super) fn in_light_colours(css: &str) -> String {
    used(CLASSES.len()).fold(css.to_owned(), |css, c| css.replace(&format!("var(--{})", c.name), c.light))
}

#[cfg(test)]
mod tests {
    use super::*;

    type Vector = [f64; 3];
    type Matrix = [Vector; 3];

    /// What is seen by readers without working cones for long, middle or short waves (Machado, Oliveira and Fernandes
    /// 2009, severity 1), as a matrix on linear red, green and blue; first by all others.
    const EYES: [Matrix; 4] = [
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
    ];

    fn times(matrix: &Matrix, v: Vector) -> Vector {
        matrix.map(|row| row.iter().zip(v).map(|(m, x)| m * x).sum())
    }

    fn linear(colour: &str) -> Vector {
        [1, 3, 5].map(|at| {
            let share = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap()) / 255.0;
            if share <= 0.04045 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
        })
    }

    /// Lightness and two opponent colours in which distances are about as seen (Ottosson's Oklab, 2020).
    fn seen(linear: Vector) -> Vector {
        let cones = [
            [0.4122214708, 0.5363325363, 0.0514459929],
            [0.2119034982, 0.6806995451, 0.1073969566],
            [0.0883024619, 0.2817188376, 0.6299787005],
        ];
        let opponents = [
            [0.2104542553, 0.7936177850, -0.0040720468],
            [1.9779984951, -2.4285922050, 0.4505937099],
            [0.0259040371, 0.7827717662, -0.8086757660],
        ];
        times(&opponents, times(&cones, linear.map(|x| x.clamp(0.0, 1.0))).map(f64::cbrt))
    }

    fn distance(a: &str, b: &str, eyes: &Matrix) -> f64 {
        let [a, b] = [a, b].map(|colour| seen(times(eyes, linear(colour))));
        a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
    }

    /// The eight colours of Okabe and Ito, a usual choice, are 0.076 apart.
    #[test]
    fn classes_stay_apart_for_all_eyes_in_both_schemes() {
        for scheme in [|c: &Colour| c.light, |c: &Colour| c.dark] {
            for (k, a) in CLASSES.iter().enumerate() {
                for (b, eyes) in CLASSES[..k].iter().flat_map(|b| EYES.iter().map(move |eyes| (b, eyes))) {
                    // Blindness to short waves is a hundred times rarer than to others.
                    let least = if eyes == &EYES[3] { 0.076 } else { 0.095 };
                    let apart = distance(scheme(a), scheme(b), eyes);
                    assert!(apart > least, "{} and {} are {apart} apart", a.name, b.name);
                }
            }
        }
    }

    #[test]
    fn classes_stand_out_from_what_is_behind_them() {
        let luminance = |colour: &str| times(&[[0.2126, 0.7152, 0.0722]; 3], linear(colour))[0] + 0.05;
        let contrast = |a: &str, b: &str| (luminance(a) / luminance(b)).max(luminance(b) / luminance(a));
        let card = &COLOURS[1];
        for class in &CLASSES {
            assert!(contrast(class.light, card.light) > 1.7 && contrast(class.dark, card.dark) > 2.5, "{}", class.name);
        }
    }

    #[test]
    fn pages_and_drawings_name_the_colours_of_their_classes_only() {
        assert!(!page_variables(2).contains("--class-2:") && page_variables(3).contains("--class-2:#22b088"));
        assert_eq!(class_styles(2).matches("fill:").count(), 2);
        assert_eq!((class_styles(40).matches("fill:").count(), class_colour(14)), (CLASSES.len(), "class-2"));
        assert!(!in_light_colours(&class_styles(40)).contains("var("));
    }
}
