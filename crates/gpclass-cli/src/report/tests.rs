use super::examples::{circle, from_table, mixed};
use super::{ReportData, plots, render};
use gpclass::data::Column;
use gpclass::learn::Relevance;

/// Every `name="value"` of the SVG elements must be free of words that no coordinate may contain.
fn assert_drawable(html: &str) {
    for bad in ["NaN", "inf\"", "inf ", "-0\"", "\"\"", "e308", "e-3"] {
        for attribute in ["x=\"", "y=\"", "d=\"", "width=\"", "height=\"", "cx=\"", "cy=\"", "r=\"", "points=\""] {
            for part in html.split(&format!(" {attribute}")).skip(1) {
                let value = &part[..=part.find('"').unwrap()];
                assert!(!value.contains(bad) && value.len() > 1, "{attribute}{value}");
            }
        }
    }
}

fn figures(html: &str) -> Vec<&str> {
    html.split("<figure id=\"figure-").skip(1).map(|part| &part[..part.find('"').unwrap()]).collect()
}

#[test]
fn a_report_has_all_its_figures_with_text_alternatives() {
    let data = circle(120);
    let html = render(&data);
    let expected = [
        "surface",
        "left-out",
        "calibration",
        "roc",
        "precision-recall",
        "relevance",
        "effect-1",
        "effect-2",
        "candidates",
        "convergence-evidence",
        "convergence-loss",
    ];
    assert_eq!(figures(&html), expected);
    assert_eq!(html.matches("role=\"img\"").count(), expected.len());
    assert_eq!(html.matches("<desc ").count(), expected.len());
    assert_eq!(html.matches("class=\"ring\"").count(), data.suspects.len() + 1, "one ring is in the legend");
    assert!(!data.suspects.is_empty());
    assert_drawable(&html);
    assert!(html.len() < 400_000, "{}", html.len());
}

#[test]
fn nothing_is_fetched_and_nothing_runs() {
    let html = render(&mixed(60));
    for word in ["http://", "https://", "src=", "url(", "@import", "<script", "<iframe", "javascript:", "onload"] {
        assert!(!html.contains(word), "{word}");
    }
    assert_eq!(html.matches("href=").count(), 1);
    assert!(html.contains("href=\"data:,\""));
}

#[test]
fn names_from_the_data_cannot_become_markup() {
    let evil = "</title><script>alert('1')</script>\"><img src=x onerror=alert(1)> & 体重 \u{202e}";
    let mut data = circle(40);
    data.title = evil.to_owned();
    data.classes.positive = evil.to_owned();
    data.classes.negative = evil.to_owned();
    data.data.source = Some(evil.to_owned());
    data.candidates[0].name = evil.to_owned();
    data.hyperparameters[0].name = evil.to_owned();
    data.hyperparameters[0].meaning = evil.to_owned();
    data.relevances[0].feature = evil.to_owned();
    data.effects[0].feature = evil.to_owned();
    data.surface.as_mut().unwrap().x.feature = evil.to_owned();
    data.notes = vec![evil.to_owned()];
    data.suspect_source = evil.to_owned();
    data.provenance = vec![(evil.to_owned(), evil.to_owned())];
    data.model.kernel = evil.to_owned();
    let files = plots(&data);
    for text in files.iter().map(|(_, svg)| svg).chain([&render(&data)]) {
        assert!(!text.contains("<script") && !text.contains("<img") && !text.contains("alert('"));
    }
    assert!(render(&data).contains("体重"));
}

#[test]
fn extreme_reports_are_still_drawn() {
    let constant =
        from_table(vec![Column::continuous("same", vec![3.0; 6])], &[true, false, true, false, true, false], 1.0);
    let three = from_table(vec![Column::continuous("x", vec![1.0, 2.0, 4.0])], &[true, false, true], 1.0);
    for data in [constant, three, circle(5), mixed(12)] {
        assert_drawable(&render(&data));
    }
}

#[test]
fn absent_parts_leave_no_hole() {
    let mut data = circle(30);
    data.suspects.clear();
    data.trace.clear();
    data.effects.clear();
    data.candidates.clear();
    data.relevances.clear();
    data.left_out.clear();
    data.roc.clear();
    data.hyperparameters.clear();
    data.notes.clear();
    data.provenance.clear();
    (data.surface, data.precision_recall, data.calibration, data.scores) = (None, None, None, None);
    let html = render(&data);
    assert!(figures(&html).is_empty());
    assert!(html.contains("No label looks wrong."));
    assert!(html.contains("No column moves the prediction, and no label looks wrong."));
    assert!(plots(&data).is_empty());
}

#[test]
fn thousands_of_features_are_folded() {
    let mut data = circle(20);
    data.relevances = (0..2000)
        .map(|k| Relevance { feature: format!("gene {k}"), effect: 1.0 / (k + 1) as f64, share: 0.0005 })
        .collect();
    let html = render(&data);
    assert!(html.contains("The other 1980 features are in the table below."));
    assert_eq!(html.matches("gene 1999").count(), 1);
    assert_drawable(&html);
}

#[test]
fn wild_numbers_stay_out_of_the_drawing() {
    let mut data = circle(20);
    for (k, value) in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e308, -1e308].into_iter().enumerate() {
        data.trace[k].log_evidence = value;
        data.trace[k].objective = value;
        data.relevances[0].effect = value;
        data.candidates[1].score = value;
        data.hyperparameters[0].value = value;
        assert_drawable(&render(&data));
    }
}

#[test]
fn standalone_plots_know_no_variables() {
    let files = plots(&circle(60));
    assert_eq!(files.len(), 11);
    for (stem, svg) in &files {
        assert!(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""), "{stem}");
        assert!(!svg.contains("var("), "{stem}");
        assert!(stem.chars().all(|c| c.is_ascii_alphanumeric() || c == '-'), "{stem}");
        assert_drawable(svg);
    }
}

#[test]
fn a_report_survives_its_record() {
    let data = circle(15);
    let record = serde_json::to_string(&data).unwrap();
    let read: ReportData = serde_json::from_str(&record).unwrap();
    assert_eq!(render(&read), render(&data));
}

#[test]
fn the_verdict_tells_success_from_failure() {
    let good = super::verdict::verdict(&circle(150));
    assert!(good.starts_with("The classes can be told apart: with each row predicted from all the others, "), "{good}");
    assert!(good.contains("“x1”") && good.contains("“x2”"), "{good}");
    let noise: Vec<bool> = (0..60).map(|i| (i * 7919 % 13) % 2 == 0).collect();
    let x = (0..60).map(|i| ((i * i) as f64).sin()).collect();
    let bad = super::verdict::verdict(&from_table(vec![Column::continuous("x", x)], &noise, 1.0));
    assert!(!bad.starts_with("The classes can be told apart"), "{bad}");
}

/// Writes example reports where `GPCLASS_REPORT_EXAMPLES` says, for looking at.
#[test]
fn examples_can_be_written_out() {
    let Some(folder) = std::env::var_os("GPCLASS_REPORT_EXAMPLES").map(std::path::PathBuf::from) else { return };
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("circle.html"), render(&circle(200))).unwrap();
    std::fs::write(folder.join("mixed.html"), render(&mixed(150))).unwrap();
    for (stem, svg) in plots(&circle(200)) {
        std::fs::write(folder.join(stem + ".svg"), svg).unwrap();
    }
}
