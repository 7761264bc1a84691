//! Nothing is fetched, nothing runs, and no word of the data becomes markup.

use super::report;
use crate::Report;
use crate::examples::{birds, circle, flowers, mixed};
use gpclass::classifier::Classifier;
use gpclass::model::Multiclass;

#[test]
fn nothing_is_fetched_and_nothing_runs() {
    for classifier in [mixed(60), birds(30, Multiclass::Joint)] {
        let html = report(&classifier).html();
        for word in ["http://", "https://", "src=", "url(", "@import", "<script", "<iframe", "javascript:", "onload"] {
            assert!(!html.contains(word), "{word}");
        }
        assert_eq!(html.matches("href=").count(), 1);
        assert!(html.contains("href=\"data:,\""));
    }
}

#[test]
fn no_word_is_of_the_command_line() {
    let classifier = mixed(60);
    let html = report(&classifier).html();
    let (_, body) = html.split_once("</style>").unwrap();
    for word in body.split(|c: char| c.is_whitespace() || "<>\"'“”(;".contains(c)) {
        assert!(!(word.len() > 2 && word.starts_with("--")), "{word}");
    }
}

#[test]
fn names_from_the_data_cannot_become_markup() {
    let evil = "</title><script>alert('1')</script>\"><img src=x onerror=alert(1)> & 体重 \u{202e}";
    for classifier in [circle(40), flowers(30)] {
        assert_harmless(&classifier, evil);
    }
}

fn assert_harmless(classifier: &Classifier, evil: &str) {
    let mut summary = classifier.summary().clone();
    summary.classes.iter_mut().for_each(|class| class.class = evil.to_owned());
    summary.candidates[0].name = evil.to_owned();
    summary.hyperparameters[0].name = evil.to_owned();
    summary.hyperparameters[0].meaning = evil.to_owned();
    summary.relevances[0].feature = evil.to_owned();
    summary.data_notes.iter_mut().chain(&mut summary.fit_notes).for_each(|note| note.text = evil.to_owned());
    summary.suspects.source = gpclass::classifier::SuspectSource::Contender { name: evil.to_owned() };
    summary.kernel = evil.to_owned();
    let mut provenance = classifier.provenance().clone();
    provenance.source = Some(evil.to_owned());
    provenance.version = evil.to_owned();
    provenance.data_digest = evil.to_owned();
    let mut report =
        Report { title: evil.to_owned(), summary: &summary, provenance: &provenance, ..report(classifier) };
    report.effects[0][0].curve.feature = evil.to_owned();
    report.surface.as_mut().unwrap().x.feature = evil.to_owned();
    let figures = report.figures();
    for text in figures.iter().map(|figure| &figure.svg).chain([&report.html()]) {
        assert!(!text.contains("<script") && !text.contains("<img") && !text.contains("alert('"));
    }
    assert!(report.html().contains("体重"));
}

/// What would keep the report out of a browser, or tie it to one face, is not in its sources.
#[test]
fn the_sources_need_no_files_no_clock_and_no_command_line() {
    let mut folders = vec![std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    let mut seen = 0;
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            let name = path.file_name().unwrap().to_str().unwrap();
            if path.is_dir() {
                folders.extend((name != "tests").then_some(path));
            } else if name.ends_with(".rs") && name != "examples.rs" {
                let source = std::fs::read_to_string(&path).unwrap();
                for word in ["std::fs", "std::env", "std::io", "std::time", "std::process", "print!", "clap", "Sign::"]
                {
                    assert!(!source.contains(word), "{word} in {}", path.display());
                }
                seen += 1;
            }
        }
    }
    assert!(seen > 20, "{seen}");
}
