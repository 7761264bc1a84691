//! Several classes.

use super::{assert_drawable, changed, figures, report};
use crate::examples::{birds, circle, flowers, months};
use crate::text::{decimals, escape, number, percent, probability};
use crate::{Report, ReportOptions};
use gpclass::model::Multiclass;

#[test]
fn three_classes_have_all_their_figures_with_text_alternatives() {
    let classifier = flowers(60);
    let report = report(&classifier);
    let html = report.html();
    let expected = [
        "surface",
        "confusion",
        "own-label",
        "decision",
        "roc",
        "precision-recall",
        "calibration-1",
        "calibration-2",
        "calibration-3",
        "novelty",
        "relevance",
        "effect-1",
        "effect-2",
        "candidates",
        "convergence-evidence",
        "convergence-loss",
    ];
    assert_eq!(figures(&html), expected);
    assert_eq!(report.figures().iter().map(|figure| figure.stem.as_str()).collect::<Vec<_>>(), expected);
    assert_eq!(html.matches("role=\"img\"").count(), expected.len());
    assert_eq!(html.matches("<desc ").count(), expected.len());
    assert_eq!(
        html.matches("<summary>The numbers</summary>").count(),
        expected.len() - 2,
        "all but surface and relevance"
    );
    for class in 0..3 {
        // Three curves, two effects and five legends; a band in each effect.
        let line = format!("class=\"line class-{class}\"");
        let smooth = usize::from(report.curves[class].smooth.is_some());
        assert_eq!(html.matches(&line).count(), 10 + smooth, "{line}");
        assert_eq!(html.matches(&format!("class=\"band fill-class-{class}\"")).count(), 2 + smooth);
        assert_eq!(html.matches(&format!("class=\"veil fill-class-{class}\"")).count(), 5);
    }
    assert!(!html.contains("class-3"));
    assert_drawable(&html);
    assert!(html.len() < 400_000, "{}", html.len());
}

#[test]
fn the_page_of_three_classes_holds_the_summarys_own_numbers() {
    let classifier = flowers(60);
    let (summary, report) = (classifier.summary(), report(&classifier));
    let html = report.html();
    let rows = |class: usize| summary.classes[class].rows;
    let under = format!("60 rows, {} “setosa”, {} “versicolor” and {} “virginica”; ", rows(0), rows(1), rows(2));
    assert!(html.contains(&under), "{under}");
    for (name, estimate) in [("Macro AUROC", summary.loo.auc), ("Brier score", Some(summary.loo.brier))] {
        let tile = format!("<dt>{name}</dt><dd>{} <small>±", decimals(estimate.unwrap().value));
        assert!(html.contains(&tile), "{tile}");
    }
    let details = summary.loo.classes.as_ref().unwrap();
    for (class, scores) in details.each.iter().enumerate() {
        let name = &summary.classes[class].class;
        let begin = format!("</i>{name}</td><td class=\"number\">{}</td><td class=\"number\">", scores.rows);
        let recall = percent(scores.recall.unwrap().value);
        let (_, row) = html.split_once(&begin).unwrap();
        assert!(row.split_once("</tr>").unwrap().0.contains(&recall), "{row}");
    }
    for (label, called) in (0..3).flat_map(|label| (0..3).map(move |called| (label, called))) {
        let weight = details.confusion.at((label as u16).into(), (called as u16).into());
        let [label, called] = [label, called].map(|class: usize| report.class(class));
        let row = format!("<tr><td>{label}</td><td>{called}</td><td>{weight}</td>");
        let cell = format!("<title>{weight} of {label}: {called} predicted,");
        assert_eq!((html.contains(&row), html.contains(&cell)), (weight > 0.0, weight > 0.0), "{row}");
    }
    assert!(html.contains("<td>3: a function for each, inferred together</td>"));
    assert!(html.contains(&format!("{} is guessing evenly", number(3f64.ln()))));
}

#[test]
fn classes_against_the_rest_have_the_same_figures_as_together_and_say_how_they_are_modelled() {
    let [together, apart] = [Multiclass::Joint, Multiclass::OneVsRest].map(|how| report(&birds(36, how)).html());
    assert_eq!(figures(&together), figures(&apart));
    assert!(figures(&apart).contains(&"effect-3"));
    assert!(together.contains("<td>3: a function for each, inferred together</td>"));
    assert!(apart.contains("<td>3: each against the rest, their probabilities made to sum to one</td>"));
    assert_drawable(&apart);
}

#[test]
fn suspects_of_three_classes_have_the_label_that_they_have_rather() {
    let classifier = flowers(60);
    let report = report(&classifier);
    let row = report.suspects[0];
    let (own, rather) = (report.class_of_row[row], report.rather(row));
    assert_eq!(rather, report.summary.suspects.rather(row, (own as u16).into()).position());
    let [wrong, chance, of_rather] =
        [report.summary.suspects.probability[row], report.left_out(row, own), report.left_out(row, rather)]
            .map(|p| escape(&probability(p)));
    let html = report.html();
    let (_, table) = html.split_once("chance of rather</th>").unwrap();
    let (_, first) = table.split_once("<tr class=\"suspect\">").unwrap();
    let (first, _) = first.split_once("</tr>").unwrap();
    let judged = format!(
        "{wrong}</td><td>{}</td><td class=\"number\">{chance}</td><td class=\"number\">{of_rather}</td>",
        report.class(rather)
    );
    assert!(first.contains(&format!("<td>{}</td><td class=\"flag\">", report.class(own))), "{first}");
    assert!(first.contains(&judged), "{first} {judged}");
}

#[test]
fn of_twelve_classes_the_most_frequent_have_curves_and_all_have_the_rest() {
    let classifier = months(72);
    let mut options = ReportOptions::default();
    (options.surface.resolution, options.effect.grid, options.effect.rows) = (16, 5, 4);
    let report = Report::of(&classifier, &options).unwrap();
    let html = report.html();
    let sentence = "Of 12 classes the 8 with the most rows are shown.";
    // In the text and in the description of three figures, and in the lead of two sections.
    assert_eq!(html.matches(sentence).count(), 8);
    assert!(html.contains("72 rows, 12 classes of 2 to 10 rows; 2 numeric features"));
    let shown: Vec<usize> = report.curves.iter().map(|curves| curves.class).collect();
    assert_eq!(shown.len(), 8);
    let rare = report.summary.classes.iter().position(|class| class.rows == 2).unwrap();
    assert!(!shown.contains(&rare), "{shown:?}");
    assert!(report.effects.iter().all(|effects| effects.iter().map(|effect| effect.class).eq(shown.iter().copied())));
    assert_eq!(figures(&html).iter().filter(|stem| stem.starts_with("calibration-")).count(), 8);
    // The map names and colours all; their table, histograms and matrix have them too.
    for class in 0..12 {
        assert!(html.contains(&format!("class=\"veil fill-class-{class}\"")), "{class}");
        assert!(html.contains(&format!("--class-{class}:")), "{class}");
    }
    assert!(html.matches("class=\"label\"").count() >= 10);
    assert!(html.contains("The month befor…") && html.contains("The month before the new year"));
    assert_drawable(&html);
    assert!(html.len() < 700_000, "{}", html.len());
    for figure in report.figures() {
        assert!(!figure.svg.contains("var("), "{}", figure.stem);
        assert_drawable(&figure.svg);
    }
}

#[test]
fn the_matrix_of_many_classes_scrolls_instead_of_becoming_illegible() {
    let html = |classes: usize| {
        changed(&flowers(30), |summary| {
            let name = |k: usize| gpclass::classifier::ClassRows { class: format!("class {k}"), rows: 1 };
            summary.classes = (0..classes).map(name).collect();
            let details = summary.loo.classes.as_mut().unwrap();
            let matrix = (0..classes).map(|k| (0..classes).map(|c| f64::from(u8::from(c == k) * 120)).collect());
            details.confusion = matrix.collect::<Vec<Vec<f64>>>().try_into().unwrap();
            details.each = vec![details.each[0].clone(); classes];
        })
    };
    for (classes, width) in [(5, 452.0), (30, 950.0), (100, 2840.0)] {
        let html = html(classes);
        let (_, figure) = html.split_once("<figure id=\"figure-confusion\">").unwrap();
        let (figure, _) = figure.split_once("</figure>").unwrap();
        assert!(figure.contains("<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label="));
        let (_, least) = figure.split_once("<div style=\"min-width:").unwrap();
        let least: f64 = least.split_once("px").unwrap().0.parse().unwrap();
        assert!((least - 0.75 * width).abs() < 0.02 * width, "{least}");
        assert_eq!(figure.matches("<title>120 of class ").count(), classes);
        assert_drawable(figure);
    }
}

#[test]
fn nothing_of_several_classes_is_in_the_page_of_two() {
    let html = report(&circle(40)).html();
    let (_, body) = html.split_once("</style>").unwrap();
    for word in ["confusion", "Macro", "own-label", "rather</th>", "figure-calibration-", "swatch", "dash-"] {
        assert!(!body.contains(word), "{word}");
    }
    assert!(!html.contains("--class-2"));
}

#[test]
fn several_classes_without_their_details_leave_no_hole() {
    let html = changed(&flowers(30), |summary| {
        summary.loo.classes = None;
        (summary.loo.auc, summary.loo.f_measure) = (None, None);
    });
    assert!(!html.contains("id=\"classes\"") && !figures(&html).contains(&"confusion"));
    assert!(html.contains("<dt>Macro AUROC</dt><dd>–"));
    assert_drawable(&html);
}
