//! What is drawn.

use super::{assert_drawable, changed, figures, report};
use crate::examples::{birds, circle, days, flowers, from_table, mixed, months};
use crate::{Report, ReportOptions};
use gpclass::classifier::Classifier;
use gpclass::data::Column;
use gpclass::model::Multiclass;

#[test]
fn a_report_has_all_its_figures_with_text_alternatives() {
    let classifier = circle(120);
    let report = report(&classifier);
    let html = report.html();
    let expected = [
        "surface",
        "calibration",
        "decision",
        "left-out",
        "roc",
        "precision-recall",
        "novelty",
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
    assert_eq!(html.matches("class=\"ring\"").count(), report.suspects.len() + 1, "one ring is in the legend");
    assert!(!report.suspects.is_empty());
    assert_drawable(&html);
    assert!(html.len() < 400_000, "{}", html.len());
}

#[test]
fn extreme_reports_are_still_drawn() {
    let constant =
        from_table(vec![Column::continuous("same", vec![3.0; 6])], &[true, false, true, false, true, false], 1.0);
    let three = from_table(vec![Column::continuous("x", vec![1.0, 2.0, 4.0])], &[true, false, true], 1.0);
    for classifier in [constant, three, circle(5), mixed(12), flowers(4), birds(7, Multiclass::Joint)] {
        assert_drawable(&report(&classifier).html());
    }
}

#[test]
fn rows_that_move_with_the_hyperparameters_are_drawn_and_counted() {
    use gpclass::classifier::Stability;
    let html = |classifier: &Classifier| {
        changed(classifier, |summary| {
            let rows = summary.rows;
            let low = (0..rows).map(|row| 0.4 * row as f64 / rows as f64).collect();
            let high = (0..rows).map(|row| 0.4 * row as f64 / rows as f64 + 0.2).collect();
            let turned = (0..rows).map(|row| if row < 3 { 0.5 } else { 0.0 }).collect();
            summary.stability = Some(Stability { low, high, turned });
        })
    };
    for html in [html(&circle(60)), html(&flowers(60))] {
        let (_, figure) = html.split_once("<figure id=\"figure-stability\">").unwrap();
        let (figure, _) = figure.split_once("</figure>").unwrap();
        assert!(
            figure.contains("less than ± 0.100") && figure.contains("3 of 60 rows (5.0\u{a0}%) are called another"),
            "{figure}"
        );
        assert_eq!(figure.matches("class=\"mark alert\"").count(), 3);
        assert_eq!(figure.matches("class=\"mark main\"").count(), 57);
        assert!(!html.contains("hyperparameters was not computed"));
        assert_drawable(figure);
    }
    let without = report(&circle(60)).html();
    assert!(
        without.contains("hyperparameters was not computed: it would have taken longer")
            && !without.contains("figure-stability")
    );
}

#[test]
fn each_of_seven_classes_has_its_line_in_every_figure_of_curves() {
    let classifier = days(70);
    let mut options = ReportOptions::default();
    (options.effect.grid, options.effect.rows) = (5, 4);
    let html = Report::of(&classifier, &options).unwrap().html();
    for stem in ["decision", "roc", "precision-recall"] {
        let (_, figure) = html.split_once(&format!("<figure id=\"figure-{stem}\">")).unwrap();
        let (figure, _) = figure.split_once("</figure>").unwrap();
        for class in 0..7 {
            let lines = figure.matches(&format!("class=\"line class-{class}")).count();
            assert_eq!(lines, 2, "a line and its key of class {class} in {stem}");
        }
        assert_drawable(figure);
    }
}

#[test]
fn novelty_is_a_map_or_a_strip() {
    let map = |html: &str| {
        let (_, figure) = html.split_once("<figure id=\"figure-novelty\">").unwrap();
        figure.split_once("</figure>").unwrap().0.to_owned()
    };
    let plane = map(&report(&circle(60)).html());
    assert!(plane.contains("veil fill-alert") && plane.contains("New rows in the coloured ground"), "{plane}");
    let points = ["mute", "main", "alert"].map(|kind| plane.matches(&format!("class=\"point fill-{kind}\"")).count());
    assert_eq!(points.iter().sum::<usize>(), 60 + 3, "every row, and the legend");
    let several = map(&report(&mixed(60)).html());
    assert!(several.contains("the two numbers that matter most") && !several.contains("veil"), "{several}");
    let colours = ["red", "green", "blue"];
    let column = |shift: usize| (0..60).map(move |i| colours[(i * i / 5 + shift * i) % 3]);
    let columns = vec![Column::categories("hue", column(0)), Column::categories("frame", column(1))];
    let labels: Vec<bool> = (0..60).map(|i| i * i / 5 % 3 == 0).collect();
    let strip = map(&report(&from_table(columns, &labels, 1.0)).html());
    assert_eq!(
        strip.matches("class=\"mark\"").count() + strip.matches("class=\"whisker alert\"").count(),
        60,
        "{strip}"
    );
}

#[test]
fn wild_numbers_stay_out_of_the_drawing() {
    let classifier = circle(20);
    let wild = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e308, -1e308];
    for known in 1..=wild.len() {
        assert_drawable(&changed(&classifier, |summary| {
            let first = summary.trace.entries[0].clone();
            summary.trace.entries = vec![first; 14];
            for (entry, &value) in summary.trace.entries.iter_mut().zip(&wild[..known]) {
                (entry.log_evidence, entry.objective) = (value, value);
            }
            let value = wild[known - 1];
            summary.relevances[0].effect = value;
            summary.candidates[1].score = value;
            summary.hyperparameters[0].value = value;
        }));
    }
}

#[test]
fn standalone_figures_know_no_variables() {
    let figures = report(&circle(60)).figures();
    assert_eq!(figures.len(), 13);
    for figure in &figures {
        let (stem, svg) = (&figure.stem, &figure.svg);
        assert!(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""), "{stem}");
        assert!(!svg.contains("var("), "{stem}");
        assert!(stem.chars().all(|c| c.is_ascii_alphanumeric() || c == '-'), "{stem}");
        assert_drawable(svg);
    }
}

/// Writes example reports where `GPCLASS_REPORT_EXAMPLES` says, for looking at.
#[test]
fn examples_can_be_written_out() {
    let Some(folder) = std::env::var_os("GPCLASS_REPORT_EXAMPLES").map(std::path::PathBuf::from) else { return };
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("mixed.html"), report(&mixed(150)).html()).unwrap();
    std::fs::write(folder.join("birds.html"), report(&birds(150, Multiclass::Joint)).html()).unwrap();
    for (name, classifier) in [("circle", circle(200)), ("flowers", flowers(150)), ("months", months(180))] {
        let report = report(&classifier);
        std::fs::write(folder.join(format!("{name}.html")), report.html()).unwrap();
        for figure in report.figures() {
            std::fs::write(folder.join(format!("{name}-{}.svg", figure.stem)), figure.svg).unwrap();
        }
    }
}

#[test]
fn columns_of_few_values_have_bars() {
    let rows = 60;
    let grade: Vec<f64> = (0..rows).map(|i| (i % 4) as f64).collect();
    let x: Vec<f64> = (0..rows).map(|i| ((i * i) as f64).sin()).collect();
    let labels: Vec<bool> = (0..rows).map(|i| grade[i] + x[i] > 1.5).collect();
    let classifier = from_table(vec![Column::continuous("grade", grade), Column::continuous("x", x)], &labels, 1.0);
    let report = report(&classifier);
    let of = |name: &str| report.effects.iter().find(|effect| effect[0].curve.feature == name).unwrap();
    let grade = &of("grade")[0].curve;
    assert_eq!(grade.points.len(), 4);
    assert_eq!(of("x")[0].curve.points.len(), 41);
    let html = report.html();
    let (_, figure) = html.split_once("<h3>grade</h3>").unwrap_or_else(|| panic!("a figure of grade"));
    let (figure, _) = figure.split_once("</svg>").unwrap();
    assert_eq!(figure.matches("<rect").count(), 4, "{figure}");
}
