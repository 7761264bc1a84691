//! Pictures taken apart again.

use super::{MOST_PIXELS, PngError, png};
use flate2::read::ZlibDecoder;
use std::io::Read;

const STYLE: &str = ".chart text{font-size:13px;fill:#000000}.paper{fill:#ffffff}.bar{fill:#ff0000}.line{fill:none;stroke:#0000ff;stroke-width:2}\
                     .dash{stroke-dasharray:4 4}.half{fill:#00ff00;fill-opacity:.5}";

fn drawing(body: &str) -> String {
    let paper = r#"<rect width="60" height="40" class="paper"/>"#;
    format!(r#"<svg class="chart" viewBox="0 0 60 40"><title>t</title><style>{STYLE}</style>{paper}{body}</svg>"#)
}

/// A file read by the standard alone: its size and its pixels.
struct Read8 {
    width: usize,
    height: usize,
    rgb: Vec<u8>,
}

impl Read8 {
    fn of(file: &[u8]) -> Self {
        let number = |at: usize| u32::from_be_bytes(file[at..at + 4].try_into().unwrap()) as usize;
        assert_eq!((&file[1..4], &file[12..16], &file[24..29]), (&b"PNG"[..], &b"IHDR"[..], &[8, 2, 0, 0, 0][..]));
        let (width, height, length) = (number(16), number(20), number(33));
        assert_eq!((&file[37..41], &file[file.len() - 8..file.len() - 4]), (&b"IDAT"[..], &b"IEND"[..]));
        let mut bytes = Vec::new();
        ZlibDecoder::new(&file[41..41 + length]).read_to_end(&mut bytes).unwrap();
        assert_eq!(bytes.len(), height * (3 * width + 1));
        let mut rgb: Vec<u8> = Vec::new();
        for (row, line) in bytes.chunks_exact(3 * width + 1).enumerate() {
            assert_eq!(line[0], 2);
            for (k, byte) in line[1..].iter().enumerate() {
                let above = if row > 0 { rgb[(row - 1) * 3 * width + k] } else { 0 };
                rgb.push(byte.wrapping_add(above));
            }
        }
        Read8 { width, height, rgb }
    }

    fn at(&self, x: usize, y: usize) -> [u8; 3] {
        let at = 3 * (y * self.width + x);
        [self.rgb[at], self.rgb[at + 1], self.rgb[at + 2]]
    }

    /// The places that are not white: from left, to right, from top, to bottom.
    fn inked(&self) -> Option<[usize; 4]> {
        let dark: Vec<usize> =
            (0..self.width * self.height).filter(|&k| self.rgb[3 * k..3 * k + 3] != [255; 3]).collect();
        let (x, y) = (|k: &usize| k % self.width, |k: &usize| k / self.width);
        Some([
            dark.iter().map(x).min()?,
            dark.iter().map(x).max()?,
            dark.iter().map(y).min()?,
            dark.iter().map(y).max()?,
        ])
    }
}

fn picture(body: &str, scale: f32) -> Read8 {
    Read8::of(&png(&drawing(body), scale).unwrap())
}

const WHITE: [u8; 3] = [255; 3];
const RED: [u8; 3] = [255, 0, 0];
const BLUE: [u8; 3] = [0, 0, 255];
/// Half of green over white.
const PALE: [u8; 3] = [127, 255, 127];

/// Whether pixels have these colours, up to the rounding of their edges.
fn coloured(picture: &Read8, places: &[((usize, usize), [u8; 3])]) {
    for &((x, y), want) in places {
        let found = picture.at(x, y);
        assert!(found.iter().zip(want).all(|(a, b)| a.abs_diff(b) <= 3), "{found:?} at {x} {y}, not {want:?}");
    }
}

#[test]
fn shapes_are_where_they_should_be() {
    let blank = picture("", 2.0);
    assert_eq!((blank.width, blank.height, blank.inked()), (120, 80, None));
    let bar = picture(r#"<rect x="10" y="5" width="20" height="10" class="bar"><title>ten</title></rect>"#, 2.0);
    assert_eq!(bar.inked(), Some([20, 59, 10, 29]));
    coloured(&bar, &[((30, 20), RED)]);
    let line = picture(r#"<line x1="0" y1="20" x2="60" y2="20" class="line"/>"#, 1.0);
    assert_eq!(line.inked(), Some([0, 59, 19, 20]));
    coloured(&line, &[((30, 20), BLUE)]);
    let dashed = picture(r#"<line x1="0" y1="20" x2="60" y2="20" class="line dash"/>"#, 1.0);
    coloured(&dashed, &[((1, 20), BLUE), ((6, 20), WHITE)]);
    let ring = picture(r#"<circle cx="30" cy="20" r="10" class="line"/>"#, 1.0);
    coloured(&ring, &[((30, 20), WHITE), ((20, 20), BLUE), ((30, 10), BLUE)]);
    let two = picture(r#"<path d="M0 0 10 0 10 10 0 10ZM40 20 50 20 50 30 40 30Z" class="half"/>"#, 1.0);
    coloured(&two, &[((5, 5), PALE), ((45, 25), PALE), ((30, 15), WHITE)]);
}

#[test]
fn texts_stand_at_their_anchor() {
    let text = |anchor: &str, more: &str, said: &str| {
        let body = format!(r#"<text x="30" y="20" text-anchor="{anchor}"{more}>{said}</text>"#);
        picture(&body, 2.0).inked()
    };
    let [left, right, top, bottom] = text("start", "", "HHH").unwrap();
    // Capitals of 13 pixels are 9.2 high, stand on the base line and are 27.8 wide together.
    assert!((60..64).contains(&left) && (112..117).contains(&right), "{left} {right}");
    assert!((20..24).contains(&top) && (39..=40).contains(&bottom), "{top} {bottom}");
    let [middle_left, middle_right, ..] = text("middle", "", "HHH").unwrap();
    assert!((middle_left + middle_right).abs_diff(119) <= 2, "{middle_left} {middle_right}");
    let [_, end, ..] = text("end", "", "HHH").unwrap();
    assert!((56..=60).contains(&end), "{end}");
    let [up_left, up_right, up_top, up_bottom] = text("middle", r#" transform="rotate(-90 30 20)""#, "HHH").unwrap();
    assert!(
        up_bottom - up_top > 2 * (up_right - up_left) && up_right <= 60,
        "{up_left} {up_right} {up_top} {up_bottom}"
    );
    for said in ["é", "Ж", "ω", "≥", "−", "…", "→", "漢"] {
        assert!(text("start", "", said).is_some(), "{said}");
    }
    assert_eq!(text("start", "", " "), None);
    // An escaped sign is one sign.
    let [_, right, ..] = text("start", "", "&lt;").unwrap();
    assert!(right < 76, "{right}");
}

#[test]
fn what_is_no_figure_is_refused() {
    let refused = png(r#"<svg viewBox="0 0 60 40"><image href="x"/></svg>"#, 1.0);
    assert_eq!(refused, Err(PngError::Element("image".to_owned())));
    for (svg, scale) in
        [("", 1.0), ("<svg>", 1.0), (r#"<svg viewBox="0 0 60 40">"#, 0.0), (r#"<svg viewBox="0 0 6e9 4">"#, 1.0)]
    {
        let message = png(svg, scale).unwrap_err().to_string();
        assert!(message.contains(&MOST_PIXELS.to_string()), "{message}");
    }
}
